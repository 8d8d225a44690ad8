import { createColumn, createComparison, createRef, createSelect, createTagEquals } from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS, NS_PER_US } from '../../numbers/time-units.js';
import { compareCodePoints } from '../../point/utf8.js';
import type { SpanPart } from '../../schema/span-point.js';
import type { Reading } from '../reading/reading.js';
import { decodeTag, listRows, listSeries, type ReadableResult, type ResultRow } from '../reading/result-rows.js';
import { whereAll } from '../reading/selection.js';
import { createSpanConditions, type SpanFilter, SPANS } from './span-filter.js';

export interface SpansRequest {
  readonly filter: SpanFilter;
  /** Spans that start before it do not count, though they may reach into the range; by default, all do. */
  readonly sinceNs?: bigint | undefined;
  /** Both inclusive. Spans that only touch the range count. */
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** One stored span. */
export interface SpanRecord {
  /** The time of its point: its start or, where only its finish is known, that. */
  readonly timeNs: bigint;
  readonly part: SpanPart;
  /** Undefined where it is not whole. */
  readonly durationMs: number | undefined;
  readonly job: string;
  readonly user: string;
  readonly category: string;
  readonly worker: string;
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly data: string | undefined;
}

const COLUMNS = ['id', 'name', 'duration_ms', 'data', 'part', 'job', 'user', 'category', 'worker'] as const;
/** How long before a range spans may start that reach into it; those of the last step, without an end. */
const STEPS_MS = [0, 1_000, 30_000, 1_000_000, 30_000_000] as const;

/** The spans that start in a range, the oldest first. */
function startedSpansQuery({ filter, fromNs, toNs }: SpansRequest, limit: number): SelectStatement {
  return selectSpans(limit, createSpanConditions(filter, { fromNs, toNs }));
}

/** What is known of the spans that start before a range. */
export interface EarlierSpans {
  /** How long the longest of them takes; undefined where none has finished. */
  readonly longestMs: number | undefined;
  /** Whether some are open. */
  readonly hasUnfinished: boolean;
}

/**
 * The spans that start before a range and may reach into it. A store cannot add the duration to the time; so those that
 * start long before must take long.
 */
function earlierSpansQueries(
  { filter, fromNs, sinceNs }: SpansRequest,
  { longestMs, hasUnfinished }: EarlierSpans,
  limit: number
): readonly SelectStatement[] {
  const steps = STEPS_MS.filter((ageMs) => longestMs !== undefined && ageMs <= longestMs);
  const finished = steps.map((ageMs) => {
    const nextMs = STEPS_MS.find((other) => other > ageMs);
    const oldest = { fromNs: nextMs === undefined ? sinceNs : toStartNs(fromNs, nextMs) };
    return selectSpans(limit, [
      ...createSpanConditions(filter, { ...oldest, beforeNs: toStartNs(fromNs, ageMs) }),
      createComparison(createRef('duration_ms'), '>=', { kind: 'number', value: ageMs }),
    ]);
  });
  // That looks at all spans before the range.
  const open = [
    ...createSpanConditions(filter, { fromNs: sinceNs, beforeNs: fromNs }),
    createTagEquals('part', 'start'),
  ];
  return hasUnfinished ? [...finished, selectSpans(limit, open)] : finished;
}

function toStartNs(fromNs: bigint, ageMs: number): bigint {
  return fromNs - BigInt(ageMs) * NS_PER_MS;
}

/** The newest ones come first, as they reach into the range most likely. */
function selectSpans(limit: number, conditions: ReadonlyArray<Condition | undefined>): SelectStatement {
  return createSelect({
    columns: COLUMNS.map((name) => createColumn(name)),
    from: SPANS,
    ...whereAll(...conditions),
    orderBy: 'DESC',
    limit,
  });
}

/** What was found: each span once, the oldest first. */
export interface FoundSpans {
  readonly spans: readonly SpanRecord[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

/** Reads single spans: those that start in the range, and those before that reach into it. */
export function* readSingleSpans(request: SpansRequest, earlier: EarlierSpans, limit: number): Reading<FoundSpans> {
  const results = yield [startedSpansQuery(request, limit), ...earlierSpansQueries(request, earlier, limit)];
  const fromMs = toSpanMs(request.fromNs);
  const spans = results
    .flatMap(readSpanRecords)
    .filter(({ timeNs, part, durationMs = 0 }) =>
      timeNs >= request.fromNs ? true : part === 'start' || toSpanMs(timeNs) + durationMs >= fromMs
    )
    .sort(compareSpans);
  return { spans, isCut: results.some((result) => countRows(result) >= limit) };
}

/** Stores give points of one time in different orders. */
function compareSpans(a: SpanRecord, b: SpanRecord): number {
  if (a.timeNs !== b.timeNs) return a.timeNs < b.timeNs ? -1 : 1;
  const differing = (['job', 'user', 'category', 'worker'] as const).find((tag) => a[tag] !== b[tag]);
  return differing === undefined ? 0 : compareCodePoints(a[differing], b[differing]);
}

function countRows(result: ReadableResult): number {
  return listSeries(result).reduce((rows, { values }) => rows + values.length, 0);
}

/** The time of a span in ms since the epoch, exact to the microsecond: its nanoseconds only tell spans apart. */
export function toSpanMs(timeNs: bigint): number {
  return Number(timeNs / NS_PER_US) / 1000;
}

function readSpanRecords(result: ReadableResult): SpanRecord[] {
  return listSeries(result).flatMap(listRows).map(readSpanRecord);
}

function readSpanRecord(row: ResultRow): SpanRecord {
  const durationMs = row.number('duration_ms');
  const id = row.text('id') ?? '';
  return {
    timeNs: row.timeNs,
    part: durationMs === undefined ? (row.text('part') === 'finish' ? 'finish' : 'start') : 'whole',
    durationMs,
    job: decodeTag(row.text('job')) ?? '',
    user: decodeTag(row.text('user')) ?? '',
    category: decodeTag(row.text('category')) ?? '',
    worker: decodeTag(row.text('worker')) ?? '',
    ...{ id, name: row.text('name') ?? id, data: row.text('data') },
  };
}
