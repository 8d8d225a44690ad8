import { option, toggle } from '../../config/option.js';
import { nonEmptyText } from '../../config/value-types.js';
import { USER_OF_JOB } from '../shell/job-options.js';
import { pointInTime } from '../shell/point-in-time.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const PLOT = defineReadingSubcommand({
  name: 'plot',
  summary: 'Draw the metadata of a job as graphs in the terminal.',
  argument: {
    form: '<job>',
    help: 'the job with this id',
    further: { form: '[key...]', help: 'what to draw (default: the first four)' },
    completes: ['job', 'key'],
  },
  printsRows: false,
  own: {
    title: 'What to draw:',
    options: {
      ...USER_OF_JOB,
      x: option('--x <key>', nonEmptyText, {
        completes: 'key',
        help: 'the key along the X axis, or time',
        shownDefault: 'as Grafana chooses it',
      }),
      table: option('--table <n|key>', nonEmptyText, {
        completes: 'key',
        help: 'the table with this number in joblens metadata --tables, or with this key',
        shownDefault: 'the longest, or that of the key',
      }),
      since: option('--since <time>', pointInTime, { help: 'rows from this time on' }),
      together: toggle('--together', { help: 'all keys in one graph, in colours' }),
    },
  },
  examples: ['joblens plot 123', 'joblens plot 123 loss val_loss --together', 'watch -n 10 joblens plot 123 loss'],
  remarks: `
The graphs fit the terminal; elsewhere they are 80 columns by 24 lines. A long
table is read from its buckets: it costs little, and no spike is lost. NO_COLOR
turns the colours off.

Exit code: 0; 1 when there is no such job or key, or it cannot be read; 2 when
the options are wrong.`,
  async read(reading, own, [job = '', ...keys]) {
    const { plotJob } = await import('./plot.js');
    return plotJob(reading, { ...own, keys }, job);
  },
});
