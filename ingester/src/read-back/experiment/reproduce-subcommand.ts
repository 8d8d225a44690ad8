import { option, toggle } from '../../config/option.js';
import { anyText, nonEmptyText } from '../../config/value-types.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const REPRODUCE = defineReadingSubcommand({
  name: 'reproduce',
  summary: 'Set a run up again: its files as they were, its packages as a list, its command as a script.',
  argument: { form: '<job>', help: 'a job that ran with --reproduce', completes: ['job'] },
  own: {
    title: 'What to do:',
    options: {
      into: option('--into <dir>', nonEmptyText, { help: 'a new folder', shownDefault: 'reproduced-JOB' }),
      check: toggle('--check', { help: 'only say what can be had, and what cannot' }),
      run: toggle('--run', { help: 'run the command, too; of another user only with --user' }),
      user: option('--user <name>', anyText, { help: 'owner of the job', isOwn: true, completes: 'user' }),
    },
  },
  examples: ['joblens reproduce 123 --check', 'joblens reproduce 123 --into /tmp/again', 'joblens reproduce 123 --run'],
  remarks: `
The folder gets code (a checkout of the commit with the changes of the run, new
files among them), run.sh (the command), requirements.txt or script where they
were kept, and manifest.json. The commit comes from the repository that you are
in, if it has it, else from the remote of the run.

Exit code: 0 when all is as it was, 1 when something is not or cannot be had; 2
when the options are wrong; with --run, that of the command.`,
  findMistake: ({ check, run }) => (check && run ? 'give --check or --run, not both' : undefined),
  async read(reading, own, [job = '']) {
    const { reproduce } = await import('./reproduce.js');
    return reproduce(reading, own, job);
  },
});
