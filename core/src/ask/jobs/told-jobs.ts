import { parseJsonObject } from '../../json/bounded-json.js';
import { findStateKind, type StateKind } from '../../words/states.js';
import { RUNNING } from '../../analytics/transition.js';
import { createColumn, createMeasurement, createSelect, createTagEquals } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import type { ResultSeries, ResultValue } from '../../influxql/response.js';
import { groupBy } from '../../lists/group-by.js';
import { formatRfc3339Nano } from '../../point/timestamp.js';
import { JOB_FIELDS, STATE_TOPIC } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { encodeTagValue } from '../../schema/name-transport.js';
import type { FoundJob } from '../heartbeats/find-jobs.js';
import type { Reading } from '../reading/reading.js';
import { decodeTag, listRows, listSeries, type ReadableResult, type ResultRow } from '../reading/result-rows.js';
import { createTagCondition, whereAll } from '../reading/selection.js';
import { findNamedRowJobs } from '../tables/find-row-jobs.js';
import { type JobRecord, type JobsRequest, readJobs } from './jobs.js';

/** The newest changes of state of all these jobs. */
const MAX_CHANGES = 20_000;
const NS_PER_MS = 1_000_000n;
const OVER: ReadonlySet<StateKind> = new Set(['completed', 'failed', 'stopped']);

/**
 * Jobs that nobody has described, by name: other writers leave rows, or events alone. Their changes of state tell what
 * they came to.
 */
export function* readToldJobs(request: JobsRequest): Reading<readonly JobRecord[]> {
  const found = yield* findNamedRowJobs({ job: request.job, user: request.user });
  if (found.length === 0) return [];
  const [changes] = yield [changesQuery(found)];
  return readJobs([describeByChanges(changes)], request, found);
}

function changesQuery(jobs: readonly FoundJob[]): SelectStatement {
  return createSelect({
    columns: ['data', 'job', 'user', 'to_state'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.event)],
    ...whereAll(
      createTagCondition('job', [...new Set(jobs.map(({ job }) => job))]),
      createTagEquals('topic', STATE_TOPIC)
    ),
    orderBy: 'DESC',
    limit: MAX_CHANGES,
  });
}

const FIELDS = [
  ...[JOB_FIELDS.state, JOB_FIELDS.startedMs, JOB_FIELDS.endedMs],
  ...[JOB_FIELDS.nodes, JOB_FIELDS.exitCode, JOB_FIELDS.reason],
];

/** What the points of `job` would be that these changes of state tell of. */
function describeByChanges(result: ReadableResult): ReadableResult {
  const jobs = groupBy(listSeries(result).flatMap(listRows), (row) =>
    JSON.stringify([row.text('job'), row.text('user')])
  );
  const series = [...jobs.values()].map((rows): ResultSeries => {
    const [job = '', user = ''] = ['job', 'user'].map((name) => decodeTag(rows[0]?.text(name)));
    return {
      name: MEASUREMENT.job,
      tags: { job: encodeTagValue(job), user: user === '' ? '' : encodeTagValue(user) },
      columns: ['time', ...FIELDS],
      values: rows.map(describeChange),
    };
  });
  return { statement_id: 0, series };
}

function describeChange(row: ResultRow): ResultValue[] {
  const data = new Map(Object.entries(parseJsonObject(row.text('data') ?? '') ?? {}));
  const read = (name: string, type: 'number' | 'string'): ResultValue => {
    const value = data.get(name);
    return typeof value === type ? (value as ResultValue) : null;
  };
  const state = decodeTag(row.text('to_state')) ?? null;
  const timeMs = Number(row.timeNs / NS_PER_MS);
  const isOver = state !== null && OVER.has(findStateKind(state));
  const runtimeS = read('runtime_s', 'number');
  const sinceMs = isOver && typeof runtimeS === 'number' && runtimeS >= 0 ? timeMs - runtimeS * 1000 : null;
  const startedMs = read('started', 'number') ?? (state === RUNNING ? timeMs : sinceMs);
  const nodes = read('nodes', 'number') ?? read('num_nodes', 'number');
  return [
    ...[formatRfc3339Nano(row.timeNs), state, startedMs, isOver ? timeMs : null],
    ...[nodes, read('exit_code', 'number'), read('reason', 'string')],
  ];
}
