import {
  createColumn,
  createMeasurement,
  createSelect,
  createTagEquals,
  createTimeComparison,
} from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { findSlotStartMs, HEARTBEAT_GRIDS, type HeartbeatGrid } from '../../schema/heartbeat-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { type FindRequest, type FoundJob, listFoundSigns } from '../heartbeats/find-jobs.js';
import type { ReadableResult } from '../reading/result-rows.js';
import { createTagCondition, whereAll } from '../reading/selection.js';

/** A slot of a grid: its heartbeats tell which jobs lived then. */
export interface WalkSlot {
  readonly grid: HeartbeatGrid;
  readonly fromNs: bigint;
  /** Exclusive. */
  readonly beforeNs: bigint;
  /** Whether who lived in it counts as living at the end of the range. */
  readonly isLast?: true;
}

/** Adjacent slots of one grid, newest first, which one statement asks for. */
export type WalkSlice = readonly WalkSlot[];

/** What one answer tells. */
export interface WalkedSlice {
  /** The slots that were read whole, each with its jobs. */
  readonly walked: ReadonlyArray<readonly [WalkSlot, readonly FoundJob[]]>;
  /** Whether the answer ends before the slice does. */
  readonly isLimited: boolean;
}

/** The most heartbeats of one answer. */
export const MAX_WALKED_ROWS = 20_000;
/** The most heartbeats that come soon enough for a person who waits. */
const WANTED_ROWS = 10_000;
/** Which jobs live, two slots tell: the heartbeat of the newest may still come. */
const LIVING_SLOTS = 2;
const [FINEST] = HEARTBEAT_GRIDS;

const slotNs = ({ slotMs }: HeartbeatGrid): bigint => BigInt(slotMs) * NS_PER_MS;
const floorTo = (timeNs: bigint, grid: HeartbeatGrid): bigint =>
  BigInt(findSlotStartMs(Number(timeNs / NS_PER_MS), grid)) * NS_PER_MS;

/**
 * The slots that cover a range, newest first: those of the finest grid that tell which jobs live at its end, then as
 * few as there can be, coarse ones in the middle and fine ones at the ends. So a walk finds the jobs of the range
 * alone, to ten minutes, and reads few heartbeats of each.
 */
export function listWalkSlots({ fromNs, toNs }: Pick<FindRequest, 'fromNs' | 'toNs'>): WalkSlot[] {
  // Nothing is older than 1970, and a walk to before it would not end.
  const firstNs = floorTo(fromNs < 0n ? 0n : fromNs, FINEST);
  const endNs = floorTo(toNs, FINEST) + slotNs(FINEST);
  const slots: WalkSlot[] = [];
  for (let atNs = endNs; atNs > firstNs;) {
    const isLast = slots.length < LIVING_SLOTS;
    const slotOf = (grid: HeartbeatGrid): bigint => floorTo(atNs - 1n, grid);
    const fits = (grid: HeartbeatGrid): boolean => slotOf(grid) >= firstNs && slotOf(grid) + slotNs(grid) === atNs;
    const grid = (isLast ? undefined : HEARTBEAT_GRIDS.toReversed().find(fits)) ?? FINEST;
    const fromSlotNs = slotOf(grid);
    slots.push({ grid, fromNs: fromSlotNs, beforeNs: atNs, ...(isLast && { isLast }) });
    atNs = fromSlotNs;
  }
  return slots;
}

/** The next slice of these slots: as many as have about `WANTED_ROWS` heartbeats, going by those of a slot before. */
export function takeWalkSlice(slots: readonly WalkSlot[], rowsOfSlot: number): WalkSlice {
  const [first] = slots;
  if (first === undefined) return [];
  const most = Math.max(1, Math.floor(WANTED_ROWS / Math.max(1, rowsOfSlot)));
  const isNext = (slot: WalkSlot, at: number): boolean =>
    at === 0 || (slot.grid === first.grid && slot.isLast === first.isLast && slot.beforeNs === slots[at - 1]?.fromNs);
  const end = slots.findIndex((slot, at) => !isNext(slot, at));
  return slots.slice(0, Math.min(most, end === -1 ? slots.length : end));
}

/**
 * Asks for the heartbeats of a slice, newest first. The answer may end within it; a slot that alone is too long for it
 * is asked for `whole`.
 */
export function walkQuery(slice: WalkSlice, user: FindRequest['user'], isWhole = false): SelectStatement {
  const [newest, oldest] = [slice[0], slice.at(-1)];
  if (newest === undefined || oldest === undefined) throw new RangeError('A slice has at least one slot');
  return createSelect({
    columns: ['job', 'user', 'state', 'started'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.heartbeat)],
    ...whereAll(
      createTagEquals('grid', newest.grid.grid),
      createTagCondition('user', user),
      createTimeComparison('>=', oldest.fromNs),
      createTimeComparison('<', newest.beforeNs)
    ),
    orderBy: 'DESC',
    ...(!isWhole && { limit: MAX_WALKED_ROWS }),
  });
}

/** The jobs in the answer to walkQuery, slot by slot. */
export function readWalkSlice(slice: WalkSlice, result: ReadableResult, isWhole = false): WalkedSlice {
  const signs = listFoundSigns(result);
  const isLimited = !isWhole && signs.length >= MAX_WALKED_ROWS;
  const endNs = isLimited ? (signs.at(-1)?.fromNs ?? 0n) : -1n;
  const bySlot = new Map<bigint, FoundJob[]>(slice.map(({ fromNs }) => [fromNs, []]));
  const [newest] = slice;
  if (newest !== undefined) for (const sign of signs) bySlot.get(floorTo(sign.fromNs, newest.grid))?.push(sign);
  const walked = slice
    .filter(({ fromNs }) => fromNs > endNs)
    .map((slot) => [slot, bySlot.get(slot.fromNs) ?? []] as const);
  return { walked, isLimited };
}
