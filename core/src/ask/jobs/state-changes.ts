import { parseJsonObject } from '../../json/bounded-json.js';
import type { JobSize, Transition } from '../../analytics/transition.js';
import {
  createCallColumn,
  createMeasurement,
  createSelect,
  createTagDimension,
  createTagEquals,
} from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { STATE_TOPIC } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import {
  listRows,
  listSeries,
  MAX_TIME_MS,
  type ReadableResult,
  type ResultRow,
  readTag,
} from '../reading/result-rows.js';
import { createTagCondition, createTimeConditions, SINCE_EVER, whereAll } from '../reading/selection.js';

const SIZES = ['nodes', 'cpus', 'gpus'] as const;

/** Asks for the last change of these jobs to each state, of any time or before one. */
export function lastChangesQuery(jobs: readonly string[], beforeNs?: bigint): SelectStatement {
  return createSelect({
    columns: [createCallColumn('last', 'data', 'data')],
    from: [createMeasurement(MEASUREMENT.event)],
    ...whereAll(
      createTagCondition('job', jobs),
      createTagEquals('topic', STATE_TOPIC),
      ...createTimeConditions({ ...SINCE_EVER, beforeNs })
    ),
    groupBy: { dimensions: ['job', 'user', 'to_state'].map(createTagDimension) },
  });
}

export interface LastChange {
  readonly job: string;
  readonly user: string;
  readonly toState: string;
  /** With the column `data`. */
  readonly row: ResultRow;
}

/** The changes in the result of lastChangesQuery. */
export function readLastChanges(result: ReadableResult): readonly LastChange[] {
  return listSeries(result).flatMap((series) => {
    const [job = '', user = '', toState] = ['job', 'user', 'to_state'].map((tag) => readTag(series, tag));
    const [row] = listRows(series);
    return toState === undefined || row === undefined ? [] : [{ job, user, toState, row }];
  });
}

export type ToldOfChange = Partial<Pick<Transition, keyof JobSize | 'waitS' | 'startedMs'>>;

/**
 * What a writer tells of a change beside the states. Any program may write these: what no job can have is not known.
 */
export function readToldOfChange({ timeNs }: ResultRow, told: (name: string) => unknown): ToldOfChange {
  const [waitS, runtimeS] = [readAmount(told('wait_s')), readAmount(told('runtime_s'))];
  // When a run began follows from its end and its length, too.
  const sinceMs = runtimeS === undefined ? undefined : Math.round(Number(timeNs / NS_PER_MS) - runtimeS * 1000);
  const startedMs = [told('started'), sinceMs].find(isTimeMs);
  return {
    ...readSizes(told),
    ...(waitS !== undefined && { waitS }),
    ...(startedMs !== undefined && { startedMs }),
  };
}

/** What the `data` of an event tells, by name. Balsam's events say num_nodes. */
export function readEventData(row: ResultRow): (name: string) => unknown {
  const data = new Map(Object.entries(parseJsonObject(row.text('data') ?? '') ?? {}));
  return (name) => data.get(name) ?? (name === 'nodes' ? data.get('num_nodes') : undefined);
}

export function readSizes(told: (name: string) => unknown): JobSize {
  return Object.fromEntries(
    SIZES.flatMap((name) => {
      const value = readAmount(told(name));
      return value === undefined ? [] : [[name, value]];
    })
  );
}

function readAmount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value < Infinity ? value : undefined;
}

/** Writers that do not know a time write 0. */
function isTimeMs(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= MAX_TIME_MS;
}
