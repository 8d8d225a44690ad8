import { findEdgeMs } from '../../analytics/bins.js';
import { accumulateChanges, type Steps } from '../../analytics/steps.js';
import { RUNNING } from '../../analytics/transition.js';
import {
  createCallColumn,
  createComparison,
  createMeasurement,
  createRef,
  createSelect,
  createStringLiteral,
  createTagDimension,
  createTagEquals,
} from '../../influxql/build.js';
import type { Condition, Dimension, SelectColumn, SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { listRows, listSeries, type ReadableResult, readTag, type ResultRow } from '../reading/result-rows.js';
import { createTagCondition, whereAll } from '../reading/selection.js';
import { createTransitionConditions, type TransitionsRequest } from './transitions.js';

/** A window at a resolution: what the store adds up is known at its edges. */
export interface TotalsRequest extends TransitionsRequest {
  readonly stepMs: number;
}

export const ENTERS_RUNNING: readonly Condition[] = [
  createTagEquals('to_state', RUNNING),
  isNot('from_state', RUNNING),
];
export const LEAVES_RUNNING: readonly Condition[] = [
  createTagEquals('from_state', RUNNING),
  isNot('to_state', RUNNING),
];

function isNot(tag: string, value: string): Condition {
  return createComparison(createRef(tag), '!=', createStringLiteral(value));
}

/** Adds up all transitions of the window. */
export function totalsQuery(
  request: TransitionsRequest,
  columns: readonly SelectColumn[],
  tags: readonly string[],
  more: readonly (Condition | undefined)[] = []
): SelectStatement {
  return createSelect({
    columns,
    from: [createMeasurement(MEASUREMENT.transition)],
    ...whereAll(...createTransitionConditions(request), ...more),
    ...(tags.length > 0 && { groupBy: { dimensions: tags.map(createTagDimension) } }),
  });
}

/** Adds up transitions for each edge: those after the edge before it and not after it. */
export function edgeTotalsQuery(
  request: TotalsRequest,
  columns: readonly SelectColumn[],
  tags: readonly string[],
  more: readonly (Condition | undefined)[] = []
): SelectStatement {
  const totals = totalsQuery(request, columns, tags, more);
  // An edge has what has happened at it: so buckets begin 1 ms later.
  const time: Dimension = { kind: 'time', intervalNs: BigInt(request.stepMs) * NS_PER_MS, offsetNs: NS_PER_MS };
  return { ...totals, groupBy: { dimensions: [time, ...tags.map(createTagDimension)], fill: 'none' } };
}

/** The edge that a row of edgeTotalsQuery is known at; the last one is the end of the window. */
export function readEdgeMs(row: ResultRow, { stepMs, window }: TotalsRequest): number {
  return Math.min(findEdgeMs(Number(row.timeNs / NS_PER_MS), stepMs), window.toMs);
}

/** After the window's first instant: what was there at that is the baseline. */
export function afterStart<Request extends TransitionsRequest>(request: Request): Request {
  const { fromMs, toMs } = request.window;
  return { ...request, window: { fromMs: fromMs + 1, toMs } };
}

export function countReachedQuery(
  request: TotalsRequest,
  toStates: readonly string[],
  fromStates: readonly string[]
): SelectStatement {
  return edgeTotalsQuery(
    request,
    [createCallColumn('count', 'job', 'jobs')],
    ['to_state'],
    [createTagCondition('to_state', toStates), createTagCondition('from_state', fromStates)]
  );
}

export function readReached(result: ReadableResult, request: TotalsRequest): ReadonlyMap<string, Steps> {
  return new Map(
    listSeries(result).map((series) => {
      const changes = listRows(series).map((row) => ({
        timeMs: readEdgeMs(row, request),
        amount: row.number('jobs') ?? 0,
      }));
      return [readTag(series, 'to_state') ?? '', accumulateChanges(changes, request.window)];
    })
  );
}
