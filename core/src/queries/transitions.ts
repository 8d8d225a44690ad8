import type { JobSize, TimeWindow, Transition } from '../analytics/transition.js';
import {
  createCallColumn,
  createColumn,
  createComparison,
  createMeasurement,
  createRef,
  createSelect,
  createStringLiteral,
  createTagDimension,
  createTagEquals,
  createTimeComparison,
} from '../influxql/build.js';
import type { Condition, SelectStatement } from '../influxql/nodes.js';
import { STATE_TOPIC } from '../schema/job-point.js';
import { MEASUREMENT } from '../schema/measurements.js';
import { IS_UNTOLD } from './event-sources.js';
import { decodeTag, listRows, listSeries } from './result-rows.js';
import type { ReadableResult, ResultRow } from './result-rows.js';
import type { NameSelection } from './selection.js';
import { createTagCondition, whereAll } from './selection.js';

export interface TransitionsRequest {
  readonly window: TimeWindow;
  readonly users?: NameSelection;
  /** Which writers count (docs/schema.md); a job that two of them tell of would count twice. */
  readonly sources?: SourceChoice;
}

/**
 * `known`: all but those within a Slurm job, where Slurm's own service tells of it. `slurm`, `slurm-job`: only these,
 * for nodes that a scheduler has allocated.
 */
export type SourceChoice = 'all' | 'known' | 'slurm' | 'slurm-job';

const NS_PER_MS = 1_000_000n;
const [OF_SLURM, IN_SLURM] = ['slurm', 'slurm-job'] as const;
const SIZES = ['nodes', 'cpus', 'gpus'] as const;

/** The times of a job's transitions tell jobs apart within their millisecond, so a window has its last one whole. */
function createWindowConditions({ fromMs, toMs }: TimeWindow): readonly Condition[] {
  return [
    createTimeComparison('>=', BigInt(fromMs) * NS_PER_MS),
    createTimeComparison('<', BigInt(toMs + 1) * NS_PER_MS),
  ];
}

export function createTransitionConditions({ window, users, sources = 'all' }: TransitionsRequest): Condition[] {
  const ofUsers = createTagCondition('user', users);
  return [
    ...createWindowConditions(window),
    ...(ofUsers === undefined ? [] : [ofUsers]),
    ...(sources === 'known' ? [createComparison(createRef('source'), '!=', createStringLiteral(IN_SLURM))] : []),
    ...(sources === OF_SLURM || sources === IN_SLURM ? [createTagEquals('source', sources)] : []),
  ];
}

/** How many transitions each kind of writer has in the window. */
export function countTransitionsQuery(request: TransitionsRequest): SelectStatement {
  return createSelect({
    columns: [createCallColumn('count', 'job', 'transitions')],
    from: [createMeasurement(MEASUREMENT.transition)],
    ...whereAll(...createTransitionConditions(request)),
    groupBy: { dimensions: [createTagDimension('source')] },
  });
}

export interface CountedTransitions {
  readonly count: number;
  readonly sources: SourceChoice;
}

/**
 * How many count, and whose they are. With `isAllocated`, only those of a scheduler's jobs count. Where that is each of
 * them, `all`, so that all reports ask alike.
 */
export function readCountedTransitions(result: ReadableResult, isAllocated: boolean): CountedTransitions {
  const counts = new Map(
    listSeries(result).map((series) => [series.tags?.['source'] ?? '', listRows(series)[0]?.number('transitions') ?? 0])
  );
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [bySlurm, inSlurm] = [counts.get(OF_SLURM) ?? 0, counts.get(IN_SLURM) ?? 0];
  const choose = (count: number, sources: SourceChoice): CountedTransitions => {
    return { count, sources: count === all ? 'all' : sources };
  };
  if (isAllocated) return bySlurm > 0 ? choose(bySlurm, OF_SLURM) : choose(inSlurm, IN_SLURM);
  return bySlurm > 0 ? choose(all - inSlurm, 'known') : choose(all, 'all');
}

/** The transitions themselves, newest first. `more` narrows them; each field that is read costs the store time. */
export function transitionsQuery(
  request: TransitionsRequest,
  limit: number,
  more: readonly (Condition | undefined)[] = [],
  fields: readonly string[] = [...SIZES, 'wait_s', 'started']
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
    listRows(series).flatMap((row) => {
      const [waitS, startedMs] = [row.number('wait_s'), row.number('started')];
      return createTransition(row, {
        ...readSize(row),
        ...(waitS !== undefined && { waitS }),
        ...(startedMs !== undefined && { startedMs }),
      });
    })
  );
}

export function readSize(row: ResultRow): JobSize {
  return Object.fromEntries(
    SIZES.flatMap((name) => {
      const value = row.number(name);
      return value === undefined ? [] : [[name, value]];
    })
  );
}

type Known = Partial<Pick<Transition, keyof JobSize | 'waitS' | 'startedMs'>>;

function createTransition(row: ResultRow, known: Known): Transition[] {
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

/** Transitions of writers that write no job_transition, as events of topic `state`, newest first. */
export function untoldTransitionsQuery(
  { window, users }: Pick<TransitionsRequest, 'window' | 'users'>,
  jobs: NameSelection,
  limit: number
): SelectStatement {
  return createSelect({
    columns: ['data', 'job', 'user', 'from_state', 'to_state'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.event)],
    ...whereAll(
      createTagEquals('topic', STATE_TOPIC),
      IS_UNTOLD,
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
    listRows(series).flatMap((row) => createTransition(row, readEventData(row.text('data'))))
  );
}

function readEventData(text: string | undefined): Known {
  const data = parseObject(text);
  // Balsam's events say num_nodes.
  const named = { nodes: data['nodes'] ?? data['num_nodes'], cpus: data['cpus'], gpus: data['gpus'] };
  const known = { ...named, waitS: data['wait_s'], startedMs: data['started'] };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => typeof value === 'number'));
}

function parseObject(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
