import { findEdgeMs } from '../../analytics/bins.js';
import { compareStates } from '../../analytics/state-counts.js';
import type { Stay } from '../../analytics/stays.js';
import { accumulateChanges, type Change, NO_STEPS, type Steps } from '../../analytics/steps.js';
import { type JobSize, type LivingJob, RUNNING, type TimeWindow } from '../../analytics/transition.js';
import { UNKNOWN_WEIGHT, weigh, type Weight } from '../../analytics/utilization.js';
import { createCallColumn } from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import { listBaseline, readWithBaseline } from './running-baseline.js';
import {
  afterStart,
  edgeTotalsQuery,
  ENTERS_RUNNING,
  LEAVES_RUNNING,
  readEdgeMs,
  totalsQuery,
  type TotalsRequest,
} from './transition-totals.js';

/** What the sums of a store do not tell. */
export interface Untold {
  /** At the end of the window. */
  readonly living: readonly LivingJob[];
  /** Runs whose end nobody wrote. */
  readonly lost: readonly Stay[];
}

/**
 * Reads how much runs. Most stores know the size of each job, so jobs of unknown size are only counted in all at first:
 * counting them at each edge costs a store several times as much.
 */
export function* readRunning(request: TotalsRequest, weight: Weight, { living, lost }: Untold): Reading<Steps> {
  const lostRuns = lost.filter(({ state }) => state === RUNNING);
  const window = afterStart(request);
  const atEdges = (more: readonly Condition[], call: 'count' | 'sum', field: string): SelectStatement =>
    edgeTotalsQuery(window, [createCallColumn(call, field, 'amount')], [], more);
  const addUp = (baseline: readonly JobSize[], changes: readonly Change[]): Steps => {
    const begun = [...baseline, ...lostRuns.filter(({ isEntered }) => !isEntered)];
    const amount = begun.reduce((total, job) => total + weigh(job, weight), 0);
    const all = [...changes, ...listEnds(lostRuns, request, (run) => weigh(run, weight))];
    return all.length === 0 && begun.length === 0 ? NO_STEPS : accumulateFrom(amount, all, request.window);
  };
  const read = (result: ReadableResult, factor: number): Change[] => readChanges(result, request, factor);
  const [call, field] = weight === 'jobs' ? (['count', 'job'] as const) : (['sum', weight] as const);
  const sums = [atEdges(ENTERS_RUNNING, call, field), atEdges(LEAVES_RUNNING, call, field)];
  const counted = weight === 'jobs' ? [] : ['job', weight];
  const counts = counted.map((each) =>
    totalsQuery(window, [createCallColumn('count', each, 'jobs')], [], ENTERS_RUNNING)
  );
  const { results, ended } = yield* readWithBaseline(request, [...sums, ...counts]);
  const [entered, left, ...known] = results;
  const baseline = listBaseline(ended, living, request.window);
  const changes = [...read(entered, 1), ...read(left, -1)];
  const [jobs, sized] = known.map((result) => listSeries(result).flatMap(listRows)[0]?.number('jobs') ?? 0);
  const isSized = weight === 'jobs' || (jobs === sized && baseline.every((job) => job[weight] !== undefined));
  if (isSized) return addUp(baseline, changes);
  const one = UNKNOWN_WEIGHT[weight];
  const [all, allSized, gone, goneSized] = yield [ENTERS_RUNNING, LEAVES_RUNNING].flatMap((more) =>
    counted.map((each) => atEdges(more, 'count', each))
  );
  const unsized = [...read(all, one), ...read(allSized, -one), ...read(gone, -one), ...read(goneSized, one)];
  return addUp(baseline, [...changes, ...unsized]);
}

/** A lost run leaves with the last sign of life of its job. */
function listEnds(
  lost: readonly Stay[],
  { window, stepMs }: TotalsRequest,
  weighOne: (stay: Stay) => number
): readonly Change[] {
  return lost.map((stay) => ({
    timeMs: Math.min(findEdgeMs(stay.toMs ?? window.toMs, stepMs), window.toMs),
    amount: -weighOne(stay),
  }));
}

function readChanges(result: ReadableResult, request: TotalsRequest, factor: number): Change[] {
  return listSeries(result)
    .flatMap(listRows)
    .map((row) => ({ timeMs: readEdgeMs(row, request), amount: factor * (row.number('amount') ?? 0) }));
}

/** Steps from a baseline. If more leaves than was known to be there, it was there from the start. */
function accumulateFrom(amount: number, changes: readonly Change[], window: TimeWindow): Steps {
  const steps = accumulateChanges([{ timeMs: window.fromMs, amount }, ...changes], window);
  const least = steps.values.reduce((a, b) => Math.min(a, b), 0);
  return least < 0 ? { ...steps, values: steps.values.map((value) => value - least) } : steps;
}

/** Reads how many jobs are in each state. */
export function* readStates(request: TotalsRequest, { living, lost }: Untold): Reading<ReadonlyMap<string, Steps>> {
  const columns = [createCallColumn('count', 'job', 'jobs')];
  const counted = edgeTotalsQuery(afterStart(request), columns, ['from_state', 'to_state']);
  const { results, ended } = yield* readWithBaseline(request, [counted]);
  const running = listBaseline(ended, living, request.window).length;
  return countFrom(readMoves(results[0], request), running, { living, lost }, request);
}

/** What enters a state, less what leaves it, by state. */
function readMoves(result: ReadableResult, request: TotalsRequest): ReadonlyMap<string, readonly Change[]> {
  const changes = new Map<string, Change[]>();
  const change = (state: string | undefined, timeMs: number, amount: number): void => {
    if (state === undefined) return;
    const known = changes.get(state);
    if (known === undefined) changes.set(state, [{ timeMs, amount }]);
    else known.push({ timeMs, amount });
  };
  for (const series of listSeries(result)) {
    const [fromState, toState] = [readTag(series, 'from_state'), readTag(series, 'to_state')];
    if (fromState === toState) continue;
    for (const row of listRows(series)) {
      const [edgeMs, jobs] = [readEdgeMs(row, request), row.number('jobs') ?? 0];
      change(fromState, edgeMs, -jobs);
      change(toState, edgeMs, jobs);
    }
  }
  return changes;
}

/** `running`: how many jobs ran at the start of the window. No transition ends the last state of the others. */
function countFrom(
  moves: ReadonlyMap<string, readonly Change[]>,
  running: number,
  { living, lost }: Untold,
  request: TotalsRequest
): ReadonlyMap<string, Steps> {
  const states = new Set([...moves.keys(), ...[...living, ...lost].map(({ state }) => state)]);
  return new Map(
    [...states].sort(compareStates).map((state) => {
      const own = moves.get(state) ?? [];
      const net = own.reduce((sum, { amount }) => sum + amount, 0);
      const gone = lost.filter((stay) => stay.state === state);
      const alive = living.filter((job) => job.state === state).length + gone.length;
      const begun = gone.filter(({ isEntered }) => !isEntered).length;
      const amount = state === RUNNING ? running + begun : Math.max(0, alive - net);
      return [state, accumulateFrom(amount, [...own, ...listEnds(gone, request, () => 1)], request.window)];
    })
  );
}
