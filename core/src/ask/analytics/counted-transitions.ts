import {
  createAnd,
  createCallColumn,
  createComparison,
  createMeasurement,
  createOr,
  createRef,
  createSelect,
  createStringLiteral,
  createTagDimension,
  createTagEquals,
} from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { ALLOCATION, createOwnCondition, findOwnChanges, IN_SLURM, OF_SLURM } from '../events/own-changes.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { whereAll } from '../reading/selection.js';
import { createTransitionConditions, type TransitionsRequest } from './transitions.js';

interface CountedRequest extends Pick<TransitionsRequest, 'window' | 'users'> {
  readonly jobs: readonly string[];
  readonly isAllocated: boolean;
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

interface Counts {
  readonly all: number;
  /** The transitions that a scheduler reports of its jobs, and those that the jobs report themselves. */
  readonly ofSlurm: number;
  readonly inSlurm: number;
  /** The transitions of jobs that only hold nodes. */
  readonly allocations: number;
}

function readCounts(result: ReadableResult): Counts {
  const counts = new Map(
    listSeries(result).map((series) => [series.tags?.['source'] ?? '', listRows(series)[0]?.number('transitions') ?? 0])
  );
  const countOf = (source: string): number => counts.get(source) ?? 0;
  return {
    all: [...counts.values()].reduce((sum, count) => sum + count, 0),
    ...{ ofSlurm: countOf(OF_SLURM), inSlurm: countOf(IN_SLURM), allocations: countOf(ALLOCATION) },
  };
}

/** Only a scheduler's jobs, for nodes that it has allocated. */
const HOLDS_NODES = createOr([OF_SLURM, IN_SLURM, ALLOCATION].map((source) => createTagEquals('source', source)));
const IS_NO_ALLOCATION = createComparison(createRef('source'), '!=', createStringLiteral(ALLOCATION));

/** How many transitions count, at most, and which: undefined where all do, so that all reports ask alike. */
export interface Counted {
  readonly count: number;
  readonly counted: Condition | undefined;
}

/** Chooses them by what was counted. With `isAllocated`, only those of a scheduler's jobs count. */
export function* findCounted(
  result: ReadableResult,
  { window, users, jobs, isAllocated }: CountedRequest
): Reading<Counted> {
  const { all, ofSlurm, inSlurm, allocations } = readCounts(result);
  const count = isAllocated ? ofSlurm + inSlurm + allocations : all - allocations;
  const ofSources = count === all ? undefined : isAllocated ? HOLDS_NODES : IS_NO_ALLOCATION;
  if (inSlurm === 0) return { count, counted: ofSources };
  const own = yield* findOwnChanges(createTransitionConditions({ window, users }), jobs);
  return {
    count: own.untold.length === 0 && own.told.length > 0 ? count - inSlurm : count,
    counted: createAnd([ofSources, createOwnCondition(own)]),
  };
}
