import { findLevelWidthMs, findReferenceMs, SPAN_LEVELS } from './span-levels.js';

/** A span that has finished, in ms since the epoch. */
export interface FinishedSpan {
  readonly category?: string | undefined;
  readonly worker?: string | undefined;
  readonly startMs: number;
  readonly finishMs: number;
}

/** What is added up of the spans that start or end in a slot. Of busy stretches, each instant counts once. */
export interface SlotSums {
  /** Starts. */
  starts: number;
  /** Starts less ends. */
  net: number;
  /** When they start less when they end, in ms from findReferenceMs. */
  moment: number;
  /** The same of stretches in which something runs. */
  busyNet: number;
  busyMoment: number;
}

export interface FoldedSlot extends SlotSums {
  readonly category: string;
  readonly worker: string;
  /** Its place among the widths. */
  readonly width: number;
  readonly slotMs: number;
}

const LEVEL_WIDTHS_MS = SPAN_LEVELS.map(findLevelWidthMs) as [number, ...number[]];

/** The most stretches of a lane to remember: a span that comes later may lie over older ones. */
const MAX_STRETCHES = 32;

interface Lane {
  readonly category: string;
  readonly worker: string;
  /** Slots of the narrowest width, by their beginning. */
  readonly slots: Map<number, SlotSums>;
  /** When something ran, the newest ones, apart and in order. */
  stretches: ReadonlyArray<readonly [fromMs: number, toMs: number]>;
}

/**
 * Folds spans into slots of some widths, those of the levels by default; each is a multiple of the one before. A span
 * changes few slots of a width, however long it is. What is taken is added to what was taken before.
 */
export class SpanFold {
  readonly #widthsMs: readonly number[];
  readonly #narrowestMs: number;
  readonly #lanes = new Map<string, Lane>();
  #size = 0;

  constructor(widthsMs: readonly [number, ...number[]] = LEVEL_WIDTHS_MS) {
    this.#widthsMs = widthsMs;
    this.#narrowestMs = widthsMs[0];
  }

  /** How many slots of the narrowest width wait. */
  get size(): number {
    return this.#size;
  }

  add(span: FinishedSpan): void {
    const { startMs } = span;
    const finishMs = Math.max(startMs, span.finishMs);
    const lane = this.#findLane(span);
    const start = this.#findSums(lane, startMs);
    start.starts += 1;
    start.net += 1;
    start.moment += findMoment(startMs);
    const finish = this.#findSums(lane, finishMs);
    finish.net -= 1;
    finish.moment -= findMoment(finishMs);
    for (const [fromMs, toMs] of cover(lane, startMs, finishMs)) {
      const from = this.#findSums(lane, fromMs);
      from.busyNet += 1;
      from.busyMoment += findMoment(fromMs);
      const to = this.#findSums(lane, toMs);
      to.busyNet -= 1;
      to.busyMoment -= findMoment(toMs);
    }
  }

  /** Hands over the slots since the last call. */
  take(): FoldedSlot[] {
    const taken: FoldedSlot[] = [];
    for (const { category, worker, slots } of this.#lanes.values()) {
      let sumsOf: ReadonlyMap<number, SlotSums> = slots;
      this.#widthsMs.forEach((widthMs, width) => {
        if (width > 0) sumsOf = widen(sumsOf, widthMs);
        for (const [slotMs, sums] of sumsOf) taken.push({ category, worker, width, slotMs, ...sums });
      });
      slots.clear();
    }
    this.#size = 0;
    return taken;
  }

  #findLane({ category = '', worker = '' }: FinishedSpan): Lane {
    const key = JSON.stringify([category, worker]);
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = { category, worker, slots: new Map<number, SlotSums>(), stretches: [] };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  #findSums({ slots }: Lane, timeMs: number): SlotSums {
    const slotMs = Math.floor(timeMs / this.#narrowestMs) * this.#narrowestMs;
    const known = slots.get(slotMs);
    if (known !== undefined) return known;
    const sums = createSums();
    slots.set(slotMs, sums);
    this.#size += 1;
    return sums;
  }
}

function createSums(): SlotSums {
  return { starts: 0, net: 0, moment: 0, busyNet: 0, busyMoment: 0 };
}

function findMoment(timeMs: number): number {
  return timeMs - findReferenceMs(timeMs);
}

/** Adds slots up to wider ones. */
function widen(slots: ReadonlyMap<number, SlotSums>, widthMs: number): ReadonlyMap<number, SlotSums> {
  const wider = new Map<number, SlotSums>();
  for (const [slotMs, { starts, net, moment, busyNet, busyMoment }] of slots) {
    const widerMs = Math.floor(slotMs / widthMs) * widthMs;
    const sums = wider.get(widerMs) ?? createSums();
    wider.set(widerMs, sums);
    sums.starts += starts;
    sums.net += net;
    sums.moment += moment;
    sums.busyNet += busyNet;
    sums.busyMoment += busyMoment;
  }
  return wider;
}

/** Adds a stretch to those of a lane, and returns the parts of it in which nothing ran so far. */
function cover(lane: Lane, fromMs: number, toMs: number): ReadonlyArray<readonly [fromMs: number, toMs: number]> {
  const parts: Array<readonly [number, number]> = [];
  const apart = lane.stretches.filter(([from, to]) => to < fromMs || from > toMs);
  const touched = lane.stretches.filter(([from, to]) => to >= fromMs && from <= toMs);
  let doneMs = fromMs;
  for (const [from, to] of touched) {
    if (from > doneMs) parts.push([doneMs, from]);
    doneMs = Math.max(doneMs, to);
  }
  if (toMs > doneMs) parts.push([doneMs, toMs]);
  const whole = [Math.min(fromMs, touched[0]?.[0] ?? fromMs), Math.max(toMs, touched.at(-1)?.[1] ?? toMs)] as const;
  lane.stretches = [...apart, whole].sort(([a], [b]) => a - b).slice(-MAX_STRETCHES);
  return parts;
}
