import type { SlotSums } from './span-fold.js';
import { findReferenceMs } from './span-levels.js';

/** The sums of one slot of a lane. */
export interface LaneSlot extends SlotSums {
  readonly slotMs: number;
}

/** What runs in a slot, or in several in which nothing starts or ends. */
export interface SlotShare {
  readonly startMs: number;
  readonly endMs: number;
  /** The share of it in which something runs, 0 to 1. */
  readonly busy: number;
  /** How many run at once, on average. */
  readonly running: number;
  /** How many run in it at some time. */
  readonly count: number;
}

interface SlotRange {
  readonly widthMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** How many run when the first slot begins, and how many busy stretches go on: the sums of all slots before. */
  readonly net: number;
  readonly busyNet: number;
}

/** Tells what runs in a range from the slots of a lane, in order, each once. Where nothing runs, there is nothing. */
export function listSlotShares(slots: readonly LaneSlot[], range: SlotRange): SlotShare[] {
  const { widthMs, fromMs, toMs } = range;
  let { net, busyNet } = range;
  let doneMs = fromMs;
  const shares: SlotShare[] = [];
  const add = (startMs: number, endMs: number, share: Pick<SlotShare, 'busy' | 'running' | 'count'>): void => {
    if (share.count > 0 && endMs > startMs && endMs > fromMs && startMs <= toMs)
      shares.push({ startMs, endMs, ...share });
  };
  const goOn = (endMs: number): void =>
    add(doneMs, endMs, { busy: toShare(busyNet), running: Math.max(0, net), count: Math.max(0, net) });
  for (const slot of slots) {
    const { slotMs } = slot;
    goOn(Math.min(slotMs, toMs));
    const endMs = slotMs + widthMs;
    const lengthMs = endMs - findReferenceMs(slotMs);
    const running = net + (slot.net * lengthMs - slot.moment) / widthMs;
    const busy = busyNet + (slot.busyNet * lengthMs - slot.busyMoment) / widthMs;
    add(slotMs, endMs, { busy: toShare(busy), running: Math.max(0, running), count: net + slot.starts });
    net += slot.net;
    busyNet += slot.busyNet;
    doneMs = Math.max(doneMs, endMs);
  }
  goOn(toMs);
  return shares;
}

function toShare(busy: number): number {
  return Math.min(1, Math.max(0, busy));
}
