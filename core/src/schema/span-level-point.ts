import { NS_PER_MS } from '../numbers/time-units.js';
import type { Point } from '../point/point.js';
import type { FoldedSlot } from '../spans/span-fold.js';
import { type JobSource, MEASUREMENT } from './measurements.js';
import { encodeTagValue } from './name-transport.js';
import { jobTags } from './source-tags.js';
import { listLaneTags } from './span-point.js';

/** The tag that says how wide the slots are. */
export const SPAN_LEVEL_TAG = 'span_level';

/** The fields of a slot: all are sums. */
export const SLOT_FIELDS = {
  starts: 'starts',
  net: 'net',
  moment: 'moment',
  busyNet: 'busy_net',
  busyMoment: 'busy_moment',
} as const;

/** A slot of the finest level, which every place lies in. */
const PLACES = 64_000_000n;

/**
 * The `job_span_level` point of a part of a slot, within the slot. `place`: any number that no other part of this slot
 * has; written again with the same place, it is the same point.
 */
export function createSpanLevelPoint(source: JobSource, slot: FoldedSlot, place: bigint): Point {
  const tags = new Map([...jobTags(source), ...listLaneTags(slot)]);
  if (source.task !== undefined) tags.set('task', encodeTagValue(source.task));
  tags.set(SPAN_LEVEL_TAG, String(slot.width + 1));
  const fields = new Map<string, number>([[SLOT_FIELDS.net, slot.net]]);
  for (const part of ['starts', 'moment', 'busyNet', 'busyMoment'] as const) {
    // A sum without it is the same.
    if (slot[part] !== 0) fields.set(SLOT_FIELDS[part], slot[part]);
  }
  return {
    ...{ measurement: MEASUREMENT.spanLevel, tags, fields },
    timeNs: BigInt(slot.slotMs) * NS_PER_MS + (place % PLACES),
  };
}
