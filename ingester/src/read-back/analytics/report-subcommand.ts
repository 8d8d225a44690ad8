import { suggestNearest } from '@joblens/core/console/find-nearest';
import { ANALYTICS_REPORTS, type AnalyticsReport } from '@joblens/core/ask/analytics/analytics-answer';
import { list, option, toggle } from '../../config/option.js';
import { anyText, formatChoice, keyValue, nonEmptyText, oneOf } from '../../config/value-types.js';
import { lengthMs, pointInTime } from '../shell/point-in-time.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const REPORT = defineReadingSubcommand({
  name: 'report',
  summary: 'Report on a job in one screen, or on all jobs of a range of time.',
  argument: {
    form: '<what>',
    words: ['job', 'spans', ...ANALYTICS_REPORTS],
    help: `job: one job; spans: its spans; ${formatChoice(ANALYTICS_REPORTS)}: of all jobs`,
    further: { form: '[job]', help: 'behind job and spans, the id of the job' },
  },
  own: {
    title: 'Of which jobs:',
    options: {
      user: list('--user <name>', anyText, {
        help: 'of this user; repeat it for more',
        isOwn: true,
        completes: 'user',
      }),
      job: list('--job <id>', nonEmptyText, { help: 'this job; repeat it for more', completes: 'job' }),
      tag: list('--tag <key=value>', keyValue, { help: 'with this tag; repeat it: all must match' }),
      schedulerId: list('--scheduler-id <id>', nonEmptyText, { help: 'with this id of the scheduler' }),
      after: option('--after <time>', pointInTime, {
        help: 'the range begins at this time',
        shownDefault: 'a day before --before',
      }),
      before: option('--before <time>', pointInTime, { help: 'the range ends at this time', shownDefault: 'now' }),
      toState: list('--to-state <state>', nonEmptyText, {
        completes: 'state',
        help: 'the states that throughput counts (COMPLETED), that states and usage show (all)',
      }),
      fromState: list('--from-state <state>', nonEmptyText, {
        help: 'throughput counts jobs from this state alone',
        completes: 'past-state',
      }),
      weight: option('--weight <what>', oneOf(['jobs', 'nodes', 'cpus', 'gpus']), {
        help: 'what utilization counts: jobs, or their nodes, cpus or gpus',
        shownDefault: 'nodes',
      }),
      step: option('--step <length>', lengthMs, {
        help: 'the length of a row, such as 15m, 1h or 1d',
        shownDefault: 'at most 24 rows',
      }),
      failures: toggle('--failures', {
        help: 'nodes on which jobs failed, those first where failures add up: for the report nodes',
      }),
      each: toggle('--each', { help: 'each change of a curve, or the wait of each job, in place of rows by time' }),
    },
  },
  examples: [
    'joblens report job 123',
    'joblens report spans 123',
    'joblens report utilization --after 7d',
    'joblens report throughput --to-state FAILED --to-state TIMEOUT --after 30d --step 1d',
    'joblens report nodes --failures --after 30d',
    'joblens report waits --user ann --after yesterday',
    'joblens report usage --after 2026-11-01 --before 2026-12-01 --csv > november.csv',
  ],
  remarks: `
spans        how long a job's spans took: min, mean, max and sum by category and name
throughput   how many jobs reached a state (COMPLETED)
utilization  how many nodes, cpus, gpus or jobs were busy
nodes        how many nodes Slurm had allocated
nodes --failures
             on which nodes jobs failed: how many of those that ended there
waits        how long jobs waited before they ran
states       how many jobs were in each state
usage        hours of jobs, nodes, cores and GPUs by user, account and state

Rows are cut at multiples of --step, in UTC. A time is 2h or 1d12h (ago), today,
yesterday, 14:30 or ISO 8601, local where it says no offset. What a job used is
known if it was logged with --metrics, and its memory also from accounting.

Exit code: 0; 1 when there is no such job, or the store cannot be read; 2 when
the options are wrong.`,
  findMistake(own, { options: { csv } }, [what, job, ...rest]) {
    if (what === 'job' || what === 'spans') return findJobMistake(own.user, csv, what, job, ...rest);
    if (!isReport(what) || job !== undefined) {
      const meant = isReport(what) ? '' : suggestNearest(what ?? '', ['job', 'spans', ...ANALYTICS_REPORTS]);
      return `give the word job or spans and an id, as in joblens report job 123, or ${formatChoice(ANALYTICS_REPORTS)}${meant}`;
    }
    if (own.failures) return findFailuresMistake(what, own);
    if (own.each && what === 'usage') return '--each is for curves and waits';
    if (own.fromState.length > 0 && what !== 'throughput') return '--from-state is for throughput';
    return own.weight !== undefined && what !== 'utilization' ? '--weight is for utilization' : undefined;
  },
  async read(reading, own, [what, job = '']) {
    if (what === 'spans') {
      const { reportSpans } = await import('./span-report.js');
      return reportSpans(reading, { job, user: own.user[0] });
    }
    if (!isReport(what)) {
      const { reportJob } = await import('./report.js');
      return reportJob(reading, { job, user: own.user[0], isJson: reading.format === 'json' });
    }
    if (own.failures) {
      const { printNodeFailures } = await import('./node-failures.js');
      return printNodeFailures(reading, own);
    }
    const { printAnalytics } = await import('./analytics.js');
    return printAnalytics(reading, { report: what, ...own });
  },
});

/** What is wrong with the report on the failures of nodes, which has rows of nodes and not of time. */
function findFailuresMistake(
  what: AnalyticsReport,
  { each, step, job, schedulerId, toState, fromState, weight }: Readonly<Record<string, unknown>>
): string | undefined {
  if (what !== 'nodes') return '--failures is for nodes';
  const others = [each === true, step, job, schedulerId, toState, fromState, weight];
  const isGiven = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  return others.some(isGiven) ? '--failures goes with --user, --tag, --after and --before alone' : undefined;
}

/** What is wrong with a report on one job. */
function findJobMistake(
  users: readonly string[],
  isCsv: boolean,
  what: 'job' | 'spans',
  ...jobs: ReadonlyArray<string | undefined>
): string | undefined {
  if (jobs[0] === undefined || jobs.length > 1) {
    return `give the word ${what} and one id: joblens report ${what} 123`;
  }
  if (isCsv && what === 'job') return 'a report on a job is text or --json';
  return users.length > 1 ? 'give --user once: it says whose job it is' : undefined;
}

function isReport(what: string | undefined): what is AnalyticsReport {
  return ANALYTICS_REPORTS.some((report) => report === what);
}
