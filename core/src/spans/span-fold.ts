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

const LEVEL_WIDTHS_MS = SPAN_LEVELS.map(findLevelWidthMs);

/** The most stretches of a lane to remember: a span that comes later may lie over older ones. */
const MAX_STRETCHES = 32;

interface Lane {
  readonly category: string;
  readonly worker: string;
  /** By width, then by the beginning of the slot. */
  readonly slots: ReadonlyArray<Map<number, SlotSums>>;
  /** When something ran, the newest ones, apart and in order. */
  stretches: ReadonlyArray<readonly [fromMs: number, toMs: number]>;
}

/**
 * Folds spans into slots of some widths, those of the levels by default. Each span changes at most two slots of each
 * width, however long it is. What is taken is added to what was taken before.
 */
export class SpanFold {
  readonly #widthsMs: readonly number[];
  readonly #lanes = new Map<string, Lane>();
  #size = 0;

  constructor(widthsMs: readonly number[] = LEVEL_WIDTHS_MS) {
    this.#widthsMs = widthsMs;
  }

  /** How many slots `take` would give. */
  get size(): number {
    return this.#size;
  }

  add(span: FinishedSpan): void {
    const { startMs } = span;
    const finishMs = Math.max(startMs, span.finishMs);
    const lane = this.#findLane(span);
    this.#change(lane, startMs, (sums, moment) => {
      sums.starts += 1;
      sums.net += 1;
      sums.moment += moment;
    });
    this.#change(lane, finishMs, (sums, moment) => {
      sums.net -= 1;
      sums.moment -= moment;
    });
    for (const [fromMs, toMs] of cover(lane, startMs, finishMs)) {
      this.#change(lane, fromMs, (sums, moment) => {
        sums.busyNet += 1;
        sums.busyMoment += moment;
      });
      this.#change(lane, toMs, (sums, moment) => {
        sums.busyNet -= 1;
        sums.busyMoment -= moment;
      });
    }
  }

  /** Hands over the slots since the last call. */
  take(): FoldedSlot[] {
    const taken: FoldedSlot[] = [];
    for (const { category, worker, slots } of this.#lanes.values()) {
      slots.forEach((sumsOf, width) => {
        for (const [slotMs, sums] of sumsOf) taken.push({ category, worker, width, slotMs, ...sums });
        sumsOf.clear();
      });
    }
    this.#size = 0;
    return taken;
  }

  #findLane({ category = '', worker = '' }: FinishedSpan): Lane {
    const key = JSON.stringify([category, worker]);
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = { category, worker, slots: this.#widthsMs.map(() => new Map<number, SlotSums>()), stretches: [] };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  #change({ slots }: Lane, timeMs: number, change: (sums: SlotSums, moment: number) => void): void {
    const moment = timeMs - findReferenceMs(timeMs);
    this.#widthsMs.forEach((widthMs, width) => {
      const slotMs = Math.floor(timeMs / widthMs) * widthMs;
      const sumsOf = slots[width];
      let sums = sumsOf?.get(slotMs);
      if (sums === undefined) {
        sums = { starts: 0, net: 0, moment: 0, busyNet: 0, busyMoment: 0 };
        sumsOf?.set(slotMs, sums);
        this.#size += 1;
      }
      change(sums, moment);
    });
  }
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
