import { createCallColumn, createColumn, createSelect, createTagDimension } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { DAY_NS, NS_PER_MS_FLOAT } from '../../numbers/time-units.js';
import { findLevelWidthMs } from '../../spans/span-levels.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTimeConditions, whereAll } from '../reading/selection.js';
import { foldSpans, type LaneShare, levelsQuery, readFinestLevel, readLevels } from './folded-spans.js';
import {
  type EarlierSpans,
  type FoundSpans,
  readSingleSpans,
  type SpanRecord,
  type SpansRequest,
} from './single-spans.js';
import { createLaneConditions, createSpanConditions, SPANS } from './span-filter.js';

export interface SpansViewRequest extends SpansRequest {
  /** The most slots of time that can be seen. */
  readonly points: number;
  /** Open spans run until then. */
  readonly nowMs: number;
}

/** Spans as many as can be seen: each by itself, or folded. */
export type SpansView =
  | { readonly kind: 'single'; readonly spans: readonly SpanRecord[]; readonly isCut: boolean }
  | {
      readonly kind: 'folded';
      readonly shares: readonly LaneShare[];
      /** How many start in the range. */
      readonly spans: number;
      readonly widthMs: number;
      /** Set if they were folded by reading them, and there are more than were read. */
      readonly readSpans?: number;
    };

/** The most spans that are shown one by one. */
const MAX_SINGLE_SPANS = 5_000;
/** Where spans have no levels, at most so many are read and folded. */
const MAX_FOLDED_SPANS = 50_000;
/** The most slots of all lanes. */
const MAX_SLOTS = 30_000;
const MAX_COARSER = 4;
/** How long before a range spans of all jobs may have started. */
const LOOKED_BACK_NS = DAY_NS;

/** Reads the spans of a range: some thousand one by one, more as the level that fits what can be seen. */
export function* readSpansView(asked: SpansViewRequest): Reading<SpansView> {
  const request = { sinceNs: findSinceNs(asked), ...asked };
  const { filter, fromNs, toNs, nowMs } = request;
  const [any] = yield [anySpanQuery(request)];
  if (listSeries(any).length === 0) return { kind: 'single', spans: [], isCut: false };
  const [started, earlier, levels] = yield [
    startedQuery(request),
    earlierQuery(request),
    levelsQuery(filter, { fromNs: request.sinceNs, toNs }),
  ];
  const { spans, lanes, hasUnfinished } = countStarted(started);
  const before = readEarlier(earlier);
  if (spans <= MAX_SINGLE_SPANS) {
    const found = yield* readSingleSpans(request, before, MAX_SINGLE_SPANS + 1);
    return { kind: 'single', ...found };
  }
  const slots = Math.max(1, Math.min(request.points, MAX_SLOTS / lanes));
  const widthMs = roundUp(Number(toNs - fromNs) / NS_PER_MS_FLOAT / slots);
  const finest = readFinestLevel(levels);
  const levelWidthMs = finest === undefined ? undefined : Math.max(widthMs, findLevelWidthMs(finest));
  // A level that is far too coarse is worth less than to read some spans more.
  const isFine = levelWidthMs !== undefined && (levelWidthMs <= widthMs * MAX_COARSER || spans > MAX_FOLDED_SPANS);
  if (isFine && (filter.text ?? '') === '') {
    const openUntilMs = hasUnfinished || before.hasUnfinished ? nowMs : undefined;
    const shares = yield* readLevels(request, levelWidthMs, openUntilMs);
    return { kind: 'folded', shares, spans, widthMs: levelWidthMs };
  }
  const found = yield* readSingleSpans(request, before, MAX_FOLDED_SPANS);
  const shares = foldSpans(found.spans, request, widthMs, nowMs);
  return { kind: 'folded', shares, spans, widthMs, ...(found.isCut && { readSpans: found.spans.length }) };
}

/** Reads the newest spans of a range one by one, up to a bound. */
export function* readNewestSpans(asked: SpansRequest): Reading<FoundSpans> {
  const request = { sinceNs: findSinceNs(asked), ...asked };
  const [earlier] = yield [earlierQuery(request)];
  return yield* readSingleSpans(request, readEarlier(earlier), MAX_FOLDED_SPANS);
}

/** The next power of two in ms: slots of such widths fill those of the levels. */
function roundUp(widthMs: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(widthMs)));
}

function startedQuery({ filter, fromNs, toNs }: SpansRequest): SelectStatement {
  return createSelect({
    columns: [createCallColumn('count', 'id', 'spans'), createCallColumn('count', 'duration_ms', 'finished')],
    from: SPANS,
    ...whereAll(...createSpanConditions(filter, { fromNs, toNs })),
    groupBy: { dimensions: ['job', 'user', 'category', 'worker'].map(createTagDimension) },
  });
}

interface StartedSpans {
  readonly spans: number;
  readonly lanes: number;
  /** Whether some are open, or halves. */
  readonly hasUnfinished: boolean;
}

function countStarted(result: ReadableResult): StartedSpans {
  const lanes = listSeries(result);
  const rows = lanes.flatMap(listRows);
  const sum = (column: string): number => rows.reduce((total, row) => total + (row.number(column) ?? 0), 0);
  const spans = sum('spans');
  return { spans, lanes: Math.max(1, lanes.length), hasUnfinished: spans > sum('finished') };
}

/** Most jobs have none: one small question tells. */
function anySpanQuery({ filter, sinceNs, toNs }: SpansRequest): SelectStatement {
  return createSelect({
    columns: [createColumn('id')],
    from: SPANS,
    ...whereAll(...createLaneConditions(filter), ...createTimeConditions({ fromNs: sinceNs, toNs })),
    limit: 1,
  });
}

/** Spans of all jobs would be looked for in all that was ever stored. */
function findSinceNs({ filter, fromNs }: SpansRequest): bigint | undefined {
  return (filter.job ?? []).length === 0 ? fromNs - LOOKED_BACK_NS : undefined;
}

function earlierQuery({ filter, fromNs, sinceNs }: SpansRequest): SelectStatement {
  return createSelect({
    columns: [
      createCallColumn('count', 'id', 'spans'),
      createCallColumn('count', 'duration_ms', 'finished'),
      createCallColumn('max', 'duration_ms', 'longest'),
    ],
    from: SPANS,
    ...whereAll(...createSpanConditions(filter, { fromNs: sinceNs, beforeNs: fromNs })),
  });
}

function readEarlier(result: ReadableResult): EarlierSpans {
  const [row] = listSeries(result).flatMap(listRows);
  return {
    longestMs: row?.number('longest'),
    hasUnfinished: (row?.number('spans') ?? 0) > (row?.number('finished') ?? 0),
  };
}
