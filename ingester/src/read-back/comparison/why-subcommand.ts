import { USER_OF_JOB } from '../shell/job-options.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const WHY = defineReadingSubcommand({
  name: 'why',
  summary: 'Say why a job failed, and what is other than in the last of its name that went well.',
  argument: { form: '<job>', help: 'a job, whenever it ran', completes: ['job'] },
  own: { title: 'Which job:', options: USER_OF_JOB },
  examples: ['joblens why 123', 'joblens why 123 --json | jq -r .differences[0].name'],
  remarks: `
The reason from its output, and of many processes the one that failed first.
Then what differs from the newest jobs of the same user that went well before it:
those of its name, or else of its experiment or group. The likeliest cause comes
first: what the reason speaks of, then what they had in common and it has not, by
risk: code, seeds, packages, configuration, data, machine.

Exit code: 0; 1 when there is no such job, or the store cannot be read; 2 when
the options are wrong.`,
  findMistake(_own, { options: { csv } }, jobs) {
    if (jobs.length !== 1) return 'name one job, as in joblens why 123';
    return csv ? 'it is text or --json' : undefined;
  },
  async read(reading, own, [job = '']) {
    const { printWhy } = await import('./why.js');
    return printWhy(reading, job, own.user);
  },
});
