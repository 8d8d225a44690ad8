import { option, toggle } from '../../config/option.js';
import { nonEmptyText, notNegative } from '../../config/value-types.js';
import { USER_OF_JOB } from '../shell/job-options.js';
import { pointInTime } from '../shell/point-in-time.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const METADATA = defineReadingSubcommand({
  name: 'metadata',
  summary: 'Print the metadata of a job: a table of rows, in the order in which they were printed.',
  argument: { form: '<job>', help: 'the job with this id', completes: ['job'] },
  own: {
    title: 'Which rows:',
    options: {
      ...USER_OF_JOB,
      tables: toggle('--tables', { help: 'list the tables of the job instead' }),
      table: option('--table <n|key>', nonEmptyText, {
        completes: 'key',
        help: 'the table with this number in the list, or with this key',
        shownDefault: 'the longest; with --json all',
      }),
      lines: option('-n, --lines <n>', notNegative(), {
        help: 'only the last n rows, 0: all',
        shownDefault: '100 on a terminal, else all',
      }),
      since: option('--since <time>', pointInTime, { help: 'rows from this time on' }),
    },
  },
  examples: [
    'joblens metadata 123',
    'joblens metadata 123 --tables',
    'joblens metadata 123 --table val_loss --csv',
    'joblens metadata 123 --json | jq .loss',
  ],
  remarks: `
Rows with the same keys are one table. --json prints the rows of all tables as
the objects that the job printed, in their order; what --metrics has measured
comes only if you name its table. joblens export writes all of it to a file.

Exit code: 0; 1 when there is no such job or table, or it cannot be read; 2 when
the options are wrong.`,
  async read(reading, own, [job = '']) {
    const { printMetadata } = await import('./metadata.js');
    return printMetadata(reading, own, job);
  },
});
