import type { JobSize, TimeWindow, Transition } from '../../analytics/transition.js';
import {
  createColumn,
  createMeasurement,
  createSelect,
  createTagEquals,
  createTimeComparison,
} from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { STATE_TOPIC } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { readEventData, readSizes, readToldOfChange, type ToldOfChange } from '../jobs/state-changes.js';
import { decodeTag, listRows, listSeries, type ReadableResult, type ResultRow } from '../reading/result-rows.js';
import { createTagCondition, type NameSelection, whereAll } from '../reading/selection.js';

export interface TransitionsRequest {
  readonly window: TimeWindow;
  readonly users?: NameSelection;
  /** Which transitions count by their writers (docs/schema.md): a job that two of them tell of would count twice. */
  readonly counted?: Condition | undefined;
}

const SIZES = ['nodes', 'cpus', 'gpus'] as const;

/** The times of a job's transitions tell jobs apart within their millisecond, so a window has its last one whole. */
function createWindowConditions({ fromMs, toMs }: TimeWindow): readonly Condition[] {
  return [
    createTimeComparison('>=', BigInt(fromMs) * NS_PER_MS),
    createTimeComparison('<', BigInt(toMs + 1) * NS_PER_MS),
  ];
}

export function createTransitionConditions({ window, users, counted }: TransitionsRequest): Condition[] {
  const ofUsers = createTagCondition('user', users);
  return [
    ...createWindowConditions(window),
    ...(ofUsers === undefined ? [] : [ofUsers]),
    ...(counted === undefined ? [] : [counted]),
  ];
}

/** The transitions themselves, newest first. `more` narrows them; each field that is read costs the store time. */
export function transitionsQuery(
  request: TransitionsRequest,
  limit: number,
  more: readonly (Condition | undefined)[] = [],
  fields: readonly string[] = [...SIZES, 'wait_s', 'started', 'runtime_s']
): SelectStatement {
  const columns = ['job', 'user', 'account', 'from_state', 'to_state', ...fields];
  return createSelect({
    columns: columns.map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.transition)],
    ...whereAll(...createTransitionConditions(request), ...more),
    orderBy: 'DESC',
    limit,
  });
}

/** The transitions in the result of transitionsQuery. */
export function readTransitions(result: ReadableResult): Transition[] {
  return listSeries(result).flatMap((series) =>
    listRows(series).flatMap((row) =>
      createTransition(
        row,
        readToldOfChange(row, (name) => row.value(name))
      )
    )
  );
}

export function readSize(row: ResultRow): JobSize {
  return readSizes((name) => row.value(name));
}

function createTransition(row: ResultRow, known: ToldOfChange): Transition[] {
  const [job, toState] = [decodeTag(row.text('job')), decodeTag(row.text('to_state'))];
  if (job === undefined || toState === undefined) return [];
  const [account, fromState] = [decodeTag(row.text('account')), decodeTag(row.text('from_state'))];
  return [
    {
      ...{ timeMs: Number(row.timeNs / NS_PER_MS), job, user: decodeTag(row.text('user')) ?? '', toState },
      ...(account !== undefined && { account }),
      ...(fromState !== undefined && { fromState }),
      ...known,
    },
  ];
}

/** Transitions of writers that write no job_transition, as events of topic `state` (findUntold), newest first. */
export function untoldTransitionsQuery(
  { window, users }: Pick<TransitionsRequest, 'window' | 'users'>,
  jobs: NameSelection,
  isUntold: Condition | undefined,
  limit: number
): SelectStatement {
  return createSelect({
    columns: ['data', 'job', 'user', 'from_state', 'to_state'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.event)],
    ...whereAll(
      createTagEquals('topic', STATE_TOPIC),
      isUntold,
      createTagCondition('job', jobs),
      createTagCondition('user', users),
      ...createWindowConditions(window)
    ),
    orderBy: 'DESC',
    limit,
  });
}

/** The transitions in the result of untoldTransitionsQuery. */
export function readUntoldTransitions(result: ReadableResult): Transition[] {
  return listSeries(result).flatMap((series) =>
    listRows(series).flatMap((row) => createTransition(row, readToldOfChange(row, readEventData(row))))
  );
}
