import {
  createCallColumn,
  createSelect,
  createTagDimension,
  createTagEquals,
  freezeNode,
} from '../../influxql/build.js';
import type { Dimension, SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import type { LaneSlot } from '../../spans/slot-shares.js';
import { findReferenceMs } from '../../spans/span-levels.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { type TimeSelection, whereAll } from '../reading/selection.js';
import { LANE_TAGS, readLane, type SpanLane } from './span-lane.js';
import { createSpanConditions, type SpanFilter, SPANS } from './span-filter.js';

/** How many open spans start in a slot of a lane. */
export interface OpenStarts {
  readonly slotMs: number;
  readonly spans: number;
}

/** Counts the open spans of each lane, which are in no level: in slots of a width, or all. */
export function openSpansQuery(filter: SpanFilter, range: TimeSelection, widthMs?: number): SelectStatement {
  const slots: readonly Dimension[] =
    widthMs === undefined ? [] : [freezeNode({ kind: 'time', intervalNs: BigInt(widthMs) * NS_PER_MS } as const)];
  return createSelect({
    columns: [createCallColumn('count', 'id', 'spans')],
    from: SPANS,
    ...whereAll(...createSpanConditions(filter, range), createTagEquals('part', 'start')),
    groupBy: {
      dimensions: [...slots, ...LANE_TAGS.map(createTagDimension)],
      ...(widthMs !== undefined && { fill: 'none' as const }),
    },
  });
}

export function readOpenStarts(
  result: ReadableResult
): ReadonlyArray<{ readonly lane: SpanLane; readonly starts: readonly OpenStarts[] }> {
  return listSeries(result).map((series) => ({
    lane: readLane(series),
    starts: listRows(series).map((row) => ({
      slotMs: Number(row.timeNs / NS_PER_MS),
      spans: row.number('spans') ?? 0,
    })),
  }));
}

/**
 * What the open spans of one lane add to its slots: each runs until `nowMs`. When exactly they start within a slot is
 * not known: in the middle of it.
 * @param before how many started before the first slot that is looked at; 0 if that lies behind `nowMs`
 */
export function listOpenSlots(
  before: number,
  starts: readonly OpenStarts[],
  widthMs: number,
  nowMs: number
): readonly LaneSlot[] {
  let running = before;
  const slots: LaneSlot[] = [];
  for (const { slotMs, spans } of starts) {
    const timeMs = Math.min(slotMs + widthMs / 2, nowMs);
    if (timeMs < slotMs) slots.push({ slotMs, starts: spans, net: 0, moment: 0, busyNet: 0, busyMoment: 0 });
    else {
      slots.push(createEnds(slotMs, timeMs, spans, running === 0 ? 1 : 0));
      running += spans;
    }
  }
  const last = createEnds(Math.floor(nowMs / widthMs) * widthMs, nowMs, -running, -1);
  return running === 0 ? slots : [...slots, last];
}

/** Starts of spans and of busy stretches at one time; less than none are ends. */
function createEnds(slotMs: number, timeMs: number, spans: number, stretches: number): LaneSlot {
  const moment = timeMs - findReferenceMs(slotMs);
  return {
    slotMs,
    starts: Math.max(0, spans),
    net: spans,
    moment: spans * moment,
    busyNet: stretches,
    busyMoment: stretches * moment,
  };
}

/** Slots of one lane from several sources: each once, in order. */
export function addUpSlots(all: readonly LaneSlot[]): readonly LaneSlot[] {
  const sums = new Map<number, LaneSlot>();
  for (const slot of all) {
    const known = sums.get(slot.slotMs);
    sums.set(slot.slotMs, known === undefined ? slot : addSlot(known, slot));
  }
  return [...sums.values()].sort((a, b) => a.slotMs - b.slotMs);
}

function addSlot(a: LaneSlot, b: LaneSlot): LaneSlot {
  return {
    slotMs: a.slotMs,
    starts: a.starts + b.starts,
    net: a.net + b.net,
    moment: a.moment + b.moment,
    busyNet: a.busyNet + b.busyNet,
    busyMoment: a.busyMoment + b.busyMoment,
  };
}
