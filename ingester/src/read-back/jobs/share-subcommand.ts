import { isWhom, MAX_SHARED_WITH } from '@joblens/core/schema/share-point';
import { option } from '../../config/option.js';
import { anyText } from '../../config/value-types.js';
import { defineReadingSubcommand, type ReadingSubcommand } from '../shell/reading-subcommand.js';

const REMARKS = `
WHOM is the name of a user, or group:NAME for a group or account, as
joblens gateway knows them (docs/gateway.md): it counts there within seconds.
Without a gateway, whoever may read the bucket sees all jobs.
The token must be one that may write.

Exit code: 0; 1 when there is no such job of yours, or the store cannot be
written; 2 when the options are wrong.`;

export const SHARE = defineSharing(true, {
  name: 'share',
  summary: 'Let others see a job of yours, behind joblens gateway.',
  examples: ['joblens share 123 bob', 'joblens share 123 bob group:ml'],
});

export const UNSHARE = defineSharing(false, {
  name: 'unshare',
  summary: 'Let others see a job of yours no more, behind joblens gateway.',
  examples: ['joblens unshare 123 bob', 'joblens unshare 123 group:ml'],
});

function defineSharing(
  isShared: boolean,
  texts: { readonly name: string; readonly summary: string; readonly examples: readonly string[] }
): ReadingSubcommand {
  return defineReadingSubcommand({
    ...texts,
    argument: {
      form: '<job>',
      help: 'the job with this id',
      further: { form: '<whom...>', help: 'users, or group:NAME' },
      completes: ['job', 'user'],
    },
    printsRows: false,
    own: {
      title: 'Which job:',
      options: {
        user: option('--user <name>', anyText, {
          help: 'owner of the job',
          shownDefault: 'you',
          isOwn: true,
          completes: 'user',
        }),
      },
    },
    remarks: REMARKS,
    findMistake(_own, _settings, [, ...whom]) {
      if (whom.length === 0) return 'say with whom: the names of users, or group:NAME';
      if (whom.length > MAX_SHARED_WITH) return `name at most ${MAX_SHARED_WITH} at once`;
      const wrong = whom.find((name) => !isWhom(name));
      return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is no user and no group:NAME`;
    },
    async read(reading, { user }, [job = '', ...whom]) {
      const { shareJob } = await import('./share.js');
      return shareJob(reading, { job, user, whom, isShared });
    },
  });
}
