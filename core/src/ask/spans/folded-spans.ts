import {
  createCallColumn,
  createMeasurement,
  createSelect,
  createTagDimension,
  createTagEquals,
  freezeNode,
} from '../../influxql/build.js';
import type { Dimension, SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { SLOT_FIELDS, SPAN_LEVEL_TAG } from '../../schema/span-level-point.js';
import { type LaneSlot, listSlotShares, type SlotShare } from '../../spans/slot-shares.js';
import { COARSEST_LEVEL, findLevelOf, findLevelWidthMs } from '../../spans/span-levels.js';
import { SpanFold } from '../../spans/span-fold.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import { createTimeConditions, type TimeSelection, whereAll } from '../reading/selection.js';
import { type SpanRecord, type SpansRequest, toSpanMs } from './single-spans.js';
import { addUpSlots, listOpenSlots, type OpenStarts, openSpansQuery, readOpenStarts } from './open-spans.js';
import { createLaneConditions, type SpanFilter } from './span-filter.js';
import { LANE_TAGS, readLane, type SpanLane } from './span-lane.js';

/** What runs in a lane in a slot of time. */
export interface LaneShare extends SpanLane, SlotShare {}

const LEVELS = [createMeasurement(MEASUREMENT.spanLevel)];
const SUMS = Object.keys(SLOT_FIELDS) as Array<keyof typeof SLOT_FIELDS>;

/** Which levels each task of each job has. */
export function levelsQuery(filter: SpanFilter, range: TimeSelection): SelectStatement {
  return createSelect({
    columns: [createCallColumn('count', SLOT_FIELDS.net, 'slots')],
    from: LEVELS,
    ...whereAll(...createLaneConditions(filter), ...createTimeConditions(range)),
    groupBy: { dimensions: ['job', 'user', 'task', SPAN_LEVEL_TAG].map(createTagDimension) },
  });
}

/** The finest level that all tasks have; undefined where there are none. */
export function readFinestLevel(result: ReadableResult): number | undefined {
  const finest = new Map<string, number>();
  for (const series of listSeries(result)) {
    const task = JSON.stringify(['job', 'user', 'task'].map((tag) => readTag(series, tag)));
    const level = Number(readTag(series, SPAN_LEVEL_TAG));
    finest.set(task, Math.min(level, finest.get(task) ?? COARSEST_LEVEL));
  }
  return finest.size === 0 ? undefined : Math.max(...finest.values());
}

/** What is known of one lane: sums before the slots, and in them. */
interface LaneSums {
  readonly lane: SpanLane;
  net: number;
  busyNet: number;
  open: number;
  readonly slots: LaneSlot[];
  readonly openStarts: OpenStarts[];
}

/**
 * Reads what runs in each slot of some width, from the levels. The width is a power of two times 64 ms.
 * @param openUntilMs what is open, and in no level, runs until then; undefined: nothing is open
 */
export function* readLevels(
  request: SpansRequest,
  widthMs: number,
  openUntilMs: number | undefined
): Reading<readonly LaneShare[]> {
  const level = findLevelOf(widthMs);
  // What ran before comes from a coarser level, which has few points.
  const baseLevel = Math.min(COARSEST_LEVEL, level + 2);
  const alignMs = Math.max(widthMs, findLevelWidthMs(baseLevel));
  const [fromMs, toMs] = [toSpanMs(request.fromNs), toSpanMs(request.toNs)];
  const beginMs = Math.floor(fromMs / alignMs) * alignMs;
  const beginNs = BigInt(beginMs) * NS_PER_MS;
  const slotted = { fromNs: beginNs, toNs: request.toNs };
  const [before, during, openBefore, openDuring] = yield [
    sumsQuery(request.filter, baseLevel, { beforeNs: beginNs }, ['net', 'busyNet']),
    sumsQuery(request.filter, level, slotted, SUMS, widthMs),
    ...(openUntilMs === undefined
      ? []
      : [
          openSpansQuery(request.filter, { fromNs: request.sinceNs, beforeNs: beginNs }),
          openSpansQuery(request.filter, slotted, widthMs),
        ]),
  ];
  const lanes = new Map<string, LaneSums>();
  const findLane = (lane: SpanLane): LaneSums => {
    const key = JSON.stringify(LANE_TAGS.map((tag) => lane[tag]));
    const known = lanes.get(key) ?? { lane, net: 0, busyNet: 0, open: 0, slots: [], openStarts: [] };
    lanes.set(key, known);
    return known;
  };
  for (const { lane, slots } of readSums(before)) Object.assign(findLane(lane), pickBase(slots));
  for (const { lane, slots } of readSums(during)) findLane(lane).slots.push(...slots);
  if (openUntilMs !== undefined) {
    const isOpenThen = openUntilMs >= beginMs;
    for (const { lane, starts } of readOpenStarts(openBefore)) findLane(lane).open = isOpenThen ? countAll(starts) : 0;
    for (const { lane, starts } of readOpenStarts(openDuring)) findLane(lane).openStarts.push(...starts);
  }
  return [...lanes.values()].flatMap(({ lane, net, busyNet, open, slots, openStarts }) => {
    const openSlots = openUntilMs === undefined ? [] : listOpenSlots(open, openStarts, widthMs, openUntilMs);
    const base = { net: net + open, busyNet: busyNet + (open > 0 ? 1 : 0) };
    return listSlotShares(addUpSlots([...slots, ...openSlots]), { widthMs, fromMs: beginMs, toMs, ...base })
      .filter(({ endMs }) => endMs > fromMs)
      .map((share) => ({ ...lane, ...share, startMs: cutAt(share, fromMs, widthMs) }));
  });
}

function countAll(starts: readonly OpenStarts[]): number {
  return starts.reduce((sum, { spans }) => sum + spans, 0);
}

/** A stretch in which nothing starts or ends may begin long before the range. */
function cutAt({ startMs, endMs }: SlotShare, fromMs: number, widthMs: number): number {
  return endMs - startMs > widthMs ? Math.max(startMs, Math.floor(fromMs / widthMs) * widthMs) : startMs;
}

function pickBase([sums]: readonly LaneSlot[]): { net: number; busyNet: number } {
  return { net: sums?.net ?? 0, busyNet: sums?.busyNet ?? 0 };
}

function sumsQuery(
  filter: SpanFilter,
  level: number,
  range: TimeSelection,
  sums: ReadonlyArray<keyof typeof SLOT_FIELDS>,
  widthMs?: number
): SelectStatement {
  const slots: readonly Dimension[] =
    widthMs === undefined ? [] : [freezeNode({ kind: 'time', intervalNs: BigInt(widthMs) * NS_PER_MS } as const)];
  return createSelect({
    columns: sums.map((sum) => createCallColumn('sum', SLOT_FIELDS[sum], SLOT_FIELDS[sum])),
    from: LEVELS,
    ...whereAll(
      ...createLaneConditions(filter),
      createTagEquals(SPAN_LEVEL_TAG, String(level)),
      ...createTimeConditions(range)
    ),
    groupBy: {
      dimensions: [...slots, ...LANE_TAGS.map(createTagDimension)],
      ...(widthMs !== undefined && { fill: 'none' as const }),
    },
  });
}

function readSums(result: ReadableResult): ReadonlyArray<{ readonly lane: SpanLane; readonly slots: LaneSlot[] }> {
  return listSeries(result).map((series) => ({
    lane: readLane(series),
    slots: listRows(series).map((row) => ({
      slotMs: Number(row.timeNs / NS_PER_MS),
      starts: row.number(SLOT_FIELDS.starts) ?? 0,
      net: row.number(SLOT_FIELDS.net) ?? 0,
      moment: row.number(SLOT_FIELDS.moment) ?? 0,
      busyNet: row.number(SLOT_FIELDS.busyNet) ?? 0,
      busyMoment: row.number(SLOT_FIELDS.busyMoment) ?? 0,
    })),
  }));
}

/** Folds single spans that were read, where there are no levels. An open one runs until `nowMs`. */
export function foldSpans(
  spans: readonly SpanRecord[],
  { fromNs, toNs }: SpansRequest,
  widthMs: number,
  nowMs: number
): readonly LaneShare[] {
  const [fromMs, toMs] = [toSpanMs(fromNs), toSpanMs(toNs)];
  const jobs = new Map<string, { job: string; user: string; fold: SpanFold }>();
  for (const { timeNs, part, durationMs, job, user, category, worker } of spans) {
    if (part === 'finish') continue;
    const key = JSON.stringify([job, user]);
    const known = jobs.get(key) ?? { job, user, fold: new SpanFold([widthMs]) };
    jobs.set(key, known);
    const startMs = toSpanMs(timeNs);
    known.fold.add({ category, worker, startMs, finishMs: part === 'start' ? nowMs : startMs + (durationMs ?? 0) });
  }
  return [...jobs.values()].flatMap(({ job, user, fold }) => {
    const lanes = new Map<string, { category: string; worker: string; slots: LaneSlot[] }>();
    for (const { category, worker, ...slot } of fold.take()) {
      const key = JSON.stringify([category, worker]);
      const lane = lanes.get(key) ?? { category, worker, slots: [] };
      lanes.set(key, lane);
      lane.slots.push(slot);
    }
    return [...lanes.values()].flatMap(({ slots, ...lane }) => {
      const inOrder = slots.sort((a, b) => a.slotMs - b.slotMs);
      const firstMs = Math.min(fromMs, inOrder[0]?.slotMs ?? fromMs);
      return listSlotShares(inOrder, { widthMs, fromMs: firstMs, toMs, net: 0, busyNet: 0 })
        .filter(({ endMs }) => endMs > fromMs)
        .map((share) => ({ job, user, ...lane, ...share, startMs: cutAt(share, fromMs, widthMs) }));
    });
  });
}
