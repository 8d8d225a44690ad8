import { NS_PER_MS } from '../../numbers/time-units.js';
import { findStateKind, type StateKind } from '../../words/states.js';
import { RUNNING } from '../../analytics/transition.js';
import type { Statement } from '../../influxql/nodes.js';
import type { ResultSeries, ResultValue } from '../../influxql/response.js';
import { groupBy } from '../../lists/group-by.js';
import { formatRfc3339Nano } from '../../point/timestamp.js';
import { JOB_FIELDS } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { encodeTagValue } from '../../schema/name-transport.js';
import { formatJobKey, namedHeartbeatsQuery, readFoundJobs } from '../heartbeats/find-jobs.js';
import type { Reading } from '../reading/reading.js';
import type { ReadableResult } from '../reading/result-rows.js';
import { findNamedRowJobs } from '../tables/find-row-jobs.js';
import {
  collectDrafts,
  compareJobs,
  type JobRecord,
  jobsQuery,
  type JobsRequest,
  listNames,
  readJobs,
} from './jobs.js';
import {
  type LastChange,
  lastChangesQuery,
  readEventData,
  readLastChanges,
  readToldOfChange,
} from './state-changes.js';

const OVER: ReadonlySet<StateKind> = new Set(['completed', 'failed', 'stopped']);

/**
 * Jobs of these names that nobody has described, beside those that are known: other writers leave rows, events or
 * heartbeats alone. Their changes of state tell what they came to.
 */
export function* readToldJobs(
  { job, user, ...range }: JobsRequest,
  known: Iterable<Pick<JobRecord, 'job' | 'user'>>
): Reading<readonly JobRecord[]> {
  const others = [...known];
  if (job === undefined || job.length === 0) return [];
  const told = yield* findNamedRowJobs({ job, user, known: new Set(others.map(formatJobKey)) });
  const named = new Set([...others, ...told].map((one) => one.job));
  const missing = [job].flat().filter((name) => !named.has(name));
  const living = missing.length === 0 ? [] : readFoundJobs(yield [namedHeartbeatsQuery(missing, user)]);
  const found = [...told, ...living];
  if (found.length === 0) return [];
  const changes = yield [lastChangesQuery(listNames(found))];
  return readJobs(changes.map(describeByChanges), range, found);
}

/** What tells of jobs that do not say their state: their first and last log lines, and their changes of state. */
export function jobBoundsQuery(jobs: readonly JobRecord[], range: Pick<JobsRequest, 'fromNs' | 'toNs'>): Statement[] {
  const job = listNames(listStateless(jobs));
  if (job.length === 0) return [];
  const [, firsts, lasts] = jobsQuery({ ...range, job });
  return [firsts, lasts, lastChangesQuery(job)];
}

/** The same jobs with the results of jobBoundsQuery. */
export function addJobBounds(jobs: readonly JobRecord[], results: readonly ReadableResult[]): JobRecord[] {
  const [firsts, lasts, changes] = results;
  const bounds = new Map(collectDrafts([undefined, firsts, lasts]).map((draft) => [formatJobKey(draft), draft]));
  const told = new Map(readJobs([describeByChanges(changes)]).map((record) => [formatJobKey(record), record]));
  const stateless = new Set(listStateless(jobs));
  return jobs
    .map((job) => {
      if (!stateless.has(job)) return job;
      const key = formatJobKey(job);
      return addLines(addState(job, told.get(key)), bounds.get(key));
    })
    .sort(compareJobs);
}

function addState(job: JobRecord, told: JobRecord | undefined): JobRecord {
  if (told === undefined) return job;
  const { timeNs } = job.startedMs === undefined && told.startedMs !== undefined ? told : job;
  return { ...told, ...job, timeNs };
}

function addLines(
  job: JobRecord,
  lines: { readonly firstLogNs?: bigint; readonly lastLogNs?: bigint } | undefined
): JobRecord {
  if (lines === undefined) return job;
  const { firstLogNs, lastLogNs } = lines;
  return {
    ...job,
    timeNs: job.startedMs === undefined ? (firstLogNs ?? job.timeNs) : job.timeNs,
    ...(firstLogNs !== undefined && { firstSeenNs: firstLogNs, lastSeenNs: lastLogNs ?? firstLogNs }),
    ...(lastLogNs !== undefined && { lastLogNs }),
  };
}

/** Jobs of which other things than their description tell what they came to. */
export function listStateless(jobs: readonly JobRecord[]): JobRecord[] {
  return jobs.filter(({ state }) => state === undefined);
}

const FIELDS = [
  ...[JOB_FIELDS.state, JOB_FIELDS.startedMs, JOB_FIELDS.endedMs],
  ...[JOB_FIELDS.nodes, JOB_FIELDS.exitCode, JOB_FIELDS.reason],
];

/** What the points of `job` would be that these changes of state tell of. */
function describeByChanges(result: ReadableResult): ReadableResult {
  const series = [...groupBy(readLastChanges(result), formatJobKey).values()].map((changes): ResultSeries => {
    const [{ job, user } = { job: '', user: '' }] = changes;
    return {
      name: MEASUREMENT.job,
      tags: { job: encodeTagValue(job), user: user === '' ? '' : encodeTagValue(user) },
      columns: ['time', ...FIELDS],
      values: changes.map(describeChange),
    };
  });
  return { statement_id: 0, series };
}

function describeChange({ toState, row }: LastChange): ResultValue[] {
  const data = readEventData(row);
  const { startedMs, nodes } = readToldOfChange(row, data);
  const timeMs = Number(row.timeNs / NS_PER_MS);
  const isOver = OVER.has(findStateKind(toState));
  const [exitCode, reason] = [data('exit_code'), data('reason')];
  return [
    ...[formatRfc3339Nano(row.timeNs), toState],
    ...[startedMs ?? (toState === RUNNING ? timeMs : null), isOver ? timeMs : null],
    ...[
      nodes ?? null,
      Number.isFinite(exitCode) ? (exitCode as number) : null,
      typeof reason === 'string' ? reason : null,
    ],
  ];
}
