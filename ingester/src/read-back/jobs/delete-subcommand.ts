import { option, toggle } from '../../config/option.js';
import { anyText, nonEmptyText } from '../../config/value-types.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const DELETE = defineReadingSubcommand({
  name: 'delete',
  summary: 'Delete all that is stored of a job of yours: log, metadata, events, description.',
  argument: { form: '<job>', help: 'the job with this id', completes: ['job'] },
  printsRows: false,
  own: {
    title: 'What to delete:',
    options: {
      user: option('--user <name>', anyText, {
        help: "owner of the job; '' if it has none",
        shownDefault: 'you',
        isOwn: true,
        completes: 'user',
      }),
      yes: toggle('--yes', { help: 'do not ask; for scripts' }),
      confirm: option('--confirm <job>', nonEmptyText, {
        completes: 'job',
        help: "with --yes, for another user's job: its id once more",
      }),
    },
  },
  examples: ['joblens delete 123', 'joblens delete 123 --yes', 'joblens delete 123 --user bob --yes --confirm 123'],
  remarks: `
Asks first, and cannot be undone. The token must be one that may write. InfluxDB
1.x, 2.x and the embedded store can delete; 3.x cannot. The job also leaves the
list. Its changes of state still count in reports, under a name made up.

Exit code: 0; 1 when there is no such job of yours, when you do not agree, or it
cannot be deleted; 2 when the options are wrong.`,
  async read(reading, own, [job = '']) {
    const { deleteJob } = await import('./delete.js');
    return deleteJob(reading, own, job);
  },
});
