import { type LivingJob, RUNNING, type TimeWindow, type Transition } from '../../analytics/transition.js';
import { createCallColumn, createComparison, createOr, createRef } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { readTransitions, transitionsQuery, type TransitionsRequest } from './transitions.js';
import { afterStart, edgeTotalsQuery, LEAVES_RUNNING } from './transition-totals.js';

/** A cluster has fewer jobs running at one instant. */
const MAX_BASELINE = 20_000;
/** Into so many parts a window is cut; rows are read of those parts alone in which early runs end. */
const PARTS = 64;

/**
 * Asks the statements, and for the runs that were there at the start of the window and ended in it. Rows cost a store
 * much more than sums, so it is asked first in which parts of the window such runs end. Reports with one window, users
 * and sources ask the same, whatever they need of the runs.
 */
export function* readWithBaseline(
  request: TransitionsRequest,
  statements: readonly SelectStatement[]
): Reading<{ readonly results: readonly ReadableResult[]; readonly ended: readonly Transition[] }> {
  const { fromMs, toMs } = request.window;
  const partMs = Math.max(1, Math.ceil((toMs - fromMs) / PARTS));
  const isEarly = ({ startedMs }: Transition): boolean => startedMs !== undefined && startedMs <= fromMs;
  const firstStarts = edgeTotalsQuery(
    { ...afterStart(request), stepMs: partMs },
    // Not every writer says when a run began; its length tells it too.
    [createCallColumn('min', 'started', 'first'), createCallColumn('max', 'runtime_s', 'longest')],
    [],
    LEAVES_RUNNING
  );
  const [starts, ...results] = yield [firstStarts, ...statements];
  const spans = readSpans(starts, request.window, partMs);
  const ended = yield spans.map((span) => baselineQuery(request, span));
  return { results, ended: ended.flatMap(readTransitions).filter(isEarly) };
}

/** The parts of the window in which a run ends that began before it; neighbours are one. */
function readSpans(starts: ReadableResult, { fromMs, toMs }: TimeWindow, partMs: number): TimeWindow[] {
  const spans: TimeWindow[] = [];
  for (const row of listSeries(starts).flatMap(listRows)) {
    const partFromMs = Number(row.timeNs / NS_PER_MS);
    const firstMs = Math.min(row.number('first') ?? Infinity, partFromMs - (row.number('longest') ?? 0) * 1000);
    if (firstMs > fromMs) continue;
    const span = { fromMs: Math.max(fromMs + 1, partFromMs), toMs: Math.min(toMs, partFromMs + partMs - 1) };
    const last = spans.at(-1);
    if (last !== undefined && last.toMs + 1 === span.fromMs) spans[spans.length - 1] = { ...last, toMs: span.toMs };
    else spans.push(span);
  }
  return spans;
}

function baselineQuery(request: TransitionsRequest, span: TimeWindow): SelectStatement {
  const { fromMs } = request.window;
  const leastS = Math.max(0, (span.fromMs - fromMs - 1) / 1000);
  const began = createOr([
    createComparison(createRef('started'), '<=', { kind: 'number', value: fromMs }),
    createComparison(createRef('runtime_s'), '>=', { kind: 'number', value: leastS }),
  ]);
  const fields = ['nodes', 'cpus', 'gpus', 'started', 'runtime_s'];
  return transitionsQuery({ ...request, window: span }, MAX_BASELINE, [...LEAVES_RUNNING, began], fields);
}

/** What ran at the start of the window: what ended in it, and what still runs at its end. */
export function listBaseline(
  ended: readonly Transition[],
  living: readonly LivingJob[],
  { fromMs }: TimeWindow
): readonly (Transition | LivingJob)[] {
  const known = new Set(ended.map(formatJobKey));
  const began = ({ state, startedMs }: LivingJob): boolean =>
    state === RUNNING && startedMs !== undefined && startedMs <= fromMs;
  return [...ended, ...living.filter((job) => began(job) && !known.has(formatJobKey(job)))];
}
