import { list, option, toggle } from '../../config/option.js';
import { keyValue, limit, nonEmptyText } from '../../config/value-types.js';
import { pointInTime } from '../shell/point-in-time.js';
import { DEFAULT_ROWS } from '../shell/cut-list.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const JOBS = defineReadingSubcommand({
  name: 'jobs',
  summary: 'List jobs: running ones first, then the newest.',
  argument: { form: '[job...]', help: 'only these jobs, whenever they ran', completes: ['job'] },
  own: {
    title: 'Which jobs:',
    options: {
      user: list('--user <name>', nonEmptyText, { help: 'of this user; repeat it for more', completes: 'user' }),
      state: list('--state <state>', nonEmptyText, {
        help: 'in this state, in any case; repeat it for more',
        completes: 'state',
      }),
      tag: list('--tag <key=value>', keyValue, { help: 'with this tag; repeat it: all must match' }),
      config: list('--config <key=value>', keyValue, {
        help: 'with this value in the configuration, lr=0.1 also as optimizer.lr; repeat it: all must match',
      }),
      after: option('--after <time>', pointInTime, {
        help: 'that lived at or after this time',
        shownDefault: 'a day before --before; with --tag alone, whenever they ran',
      }),
      before: option('--before <time>', pointInTime, {
        help: 'that lived at or before this time',
        shownDefault: 'now',
      }),
      text: option('--text <text>', nonEmptyText, {
        help: 'with this text in id, name, command, queue, reason, note or a tag, in any case',
      }),
      limit: option('--limit <n>', limit(), {
        help: 'the most jobs to list, 0: no limit',
        default: String(DEFAULT_ROWS),
      }),
      byState: toggle('--by-state', { help: 'count jobs and nodes by state instead' }),
    },
  },
  examples: [
    'joblens jobs',
    'joblens jobs --state FAILED --after yesterday',
    'joblens jobs --tag experiment=sweep --user ann',
    'joblens jobs --tag project=climate --after 7d',
    'joblens jobs --tag experiment=sweep --config lr=0.1 --config optimizer=adam',
    'joblens jobs --by-state --after 2026-11-01 --before 2026-12-01',
    'joblens jobs --json | jq -r .job',
  ],
  remarks: `
Lists the jobs that lived in the range, by default in the last 24 hours; what it
costs follows the range. With --tag and no range, it lists the jobs of the tag
whenever they ran; with a range, those that lived in it. Jobs of a tag that an
older Joblens has logged are found in a range alone. A time is 2h or 1d12h (ago), today, yesterday, 14:30 or
ISO 8601, local where it says no offset. JSON and CSV have more columns than the
table: command, folder, tags and others.

Exit code: 0, also when there are no such jobs; 1 when a job that you name is
not stored, or the store cannot be read; 2 when the options are wrong.`,
  findMistake({ after, before, byState }, _settings, jobs) {
    if (jobs.length > 0 && (after ?? before) !== undefined) return 'give jobs or a range of time, not both';
    return jobs.length > 0 && byState ? 'give jobs or --by-state, not both' : undefined;
  },
  async read(reading, own, jobs) {
    const { printJobs } = await import('./jobs.js');
    return printJobs(reading, own, jobs);
  },
});
