import { option } from '../../config/option.js';
import { RAW } from '../../config/shared-options.js';
import { nonEmptyText, oneOf } from '../../config/value-types.js';
import { EXPORT_FORMATS, findUnknownFormat, inferFormat } from './export-format.js';
import { USER_OF_JOB } from '../shell/job-options.js';
import { pointInTime } from '../shell/point-in-time.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const EXPORT = defineReadingSubcommand({
  name: 'export',
  summary: 'Write all metadata of a job to a file, as JSON lines, CSV or Parquet.',
  argument: { form: '<job>', help: 'the job with this id', completes: ['job'] },
  printsRows: false,
  own: {
    title: 'What to write:',
    options: {
      format: option('--format <format>', oneOf(EXPORT_FORMATS), {
        help: 'jsonl, csv or parquet',
        shownDefault: 'by the name of the file, else jsonl',
      }),
      to: option('--to <file>', nonEmptyText, {
        help: 'the file; a file of this name is replaced when all is written',
        shownDefault: 'standard output',
      }),
      ...USER_OF_JOB,
      table: option('--table <n|key>', nonEmptyText, {
        completes: 'key',
        help: 'only the table with this number in joblens metadata --tables, or with this key',
        shownDefault: 'all that the job printed',
      }),
      since: option('--since <time>', pointInTime, { help: 'rows from this time on' }),
      ...RAW,
    },
  },
  examples: [
    'joblens export 123 > 123.jsonl',
    'joblens export 123 --to 123.parquet',
    'joblens export 123 --format csv --table val_loss --to losses.csv',
  ],
  remarks: `
JSON lines are equal as JSON to the lines that the job printed. CSV and Parquet
have a column for each key of all tables, behind the time and, if there are
several, the task. A column of Parquet holds doubles where each value of the key
is a number (or null), else texts. A text of CSV that a spreadsheet would run has
an apostrophe before it; --raw leaves it out. Memory does not depend on the length.

Exit code: 0; 1 when there is no such job or table, or it cannot be read or
written; 2 when the options are wrong.`,
  findMistake({ format, to, raw }) {
    if (raw && inferFormat(format, to) !== 'csv') return '--raw is for CSV: give --format csv, too';
    if (inferFormat(format, to) === 'parquet' && to === undefined) return 'give a file for Parquet: --to FILE';
    return findUnknownFormat(format, to);
  },
  async read(reading, own, [job = '']) {
    const { exportJob } = await import('./export.js');
    return exportJob(reading, own, job);
  },
});
