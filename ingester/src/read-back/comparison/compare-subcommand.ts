import { RESULT_STATS } from '@joblens/core/ask/comparison/compare-jobs';
import { list, option } from '../../config/option.js';
import { keyValue, nonEmptyText, oneOf } from '../../config/value-types.js';
import { pointInTime } from '../shell/point-in-time.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';
import { findFormMistake, MARKDOWN } from './markdown-option.js';

export const COMPARE = defineReadingSubcommand({
  name: 'compare',
  summary: 'Set jobs side by side: what they were given, and what came of it.',
  argument: { form: '[job...]', help: 'these jobs, whenever they ran', completes: ['job', 'job'] },
  own: {
    title: 'Which jobs, and what of them:',
    options: {
      tag: list('--tag <key=value>', keyValue, { help: 'jobs with this tag; repeat it: all must match' }),
      user: list('--user <name>', nonEmptyText, { help: 'jobs of this user; repeat it for more', completes: 'user' }),
      after: option('--after <time>', pointInTime, {
        help: 'jobs that lived at or after this time',
        shownDefault: 'whenever they ran; with --before, 30 days before it',
      }),
      before: option('--before <time>', pointInTime, {
        help: 'jobs that lived at or before this time',
        shownDefault: 'now',
      }),
      key: list('--key <name>', nonEmptyText, {
        completes: 'key',
        help: 'show this number or key of the configuration; repeat it for more',
        shownDefault: 'what differs, and the first four numbers',
      }),
      stat: option('--stat <what>', oneOf(RESULT_STATS), {
        help: 'which of the numbers of a key; x-at-min is where its lowest came: X there, or the row where X is time',
        default: 'last',
      }),
      sort: option('--sort <key>', nonEmptyText, {
        completes: 'key',
        help: 'put the jobs in the order of this key, lowest first',
      }),
      by: option('--by <key>', nonEmptyText, {
        completes: 'key',
        help: 'one row for each value of this key of the configuration, or tag: mean and spread over its jobs',
      }),
      markdown: MARKDOWN,
    },
  },
  examples: [
    'joblens compare',
    'joblens compare 123 124 125',
    'joblens compare --tag experiment=sweep --sort loss --stat min',
    'joblens compare --tag experiment=sweep --by lr --key acc --key loss',
    'joblens compare --tag experiment=sweep --stat x-at-min --key loss',
    'joblens compare --tag experiment=sweep --csv > sweep.csv',
    'joblens compare --tag experiment=sweep --by lr --markdown >> notes.md',
  ],
  remarks: `
One row a job. Columns are the keys of the configuration and the tags that
differ, and numbers from the summaries of its tables, so the cost does not depend
on how many rows the jobs have. With --by, a number is the mean, and behind it
the standard deviation over the jobs of that row; of one job there is none. It
then says of each number whether the best row differs from the next one, with the
95 % interval of the difference: seed by seed where jobs have equal seeds (a key
of the configuration or a tag named seed). It takes three seeds of each.

Without jobs and without --tag, it lists the experiments, those with the newest
run first: how many runs each has, whose, and the day (UTC) on which the newest
one began.

Jobs of a tag are found whenever they ran. With --after or --before, only those
count that lived in that range. Jobs that an older Joblens has logged are found
in a range alone: the last 30 days, unless you give another.

Where several users have a job of one id, "ID of user NAME" names one of them.

Exit code: 0; 1 when a job that you name is not stored, or the store cannot be
read; 2 when the options are wrong.`,
  findMistake({ tag, after, before, key, sort, by, markdown }, { options }, jobs) {
    const mistake = findFormMistake({ markdown }, options);
    if (mistake !== undefined) return mistake;
    const isRange = tag.length > 0 || (after ?? before) !== undefined;
    // These say what to show of jobs: nobody who gives one asks for a list of experiments.
    const isOfJobs = isRange || key.length > 0 || (sort ?? by) !== undefined;
    if (jobs.length === 0 && tag.length === 0 && isOfJobs) return 'name jobs, or give --tag KEY=VALUE';
    return jobs.length > 0 && isRange ? 'name jobs, or give --tag and a range of time, not both' : undefined;
  },
  async read(reading, own, jobs) {
    if (jobs.length === 0 && own.tag.length === 0) {
      const { printExperiments } = await import('./experiments.js');
      return printExperiments(reading, own);
    }
    const { printComparison } = await import('./compare.js');
    return printComparison(reading, own, jobs);
  },
});
