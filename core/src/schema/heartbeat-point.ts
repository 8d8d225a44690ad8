import { DAY_MS, NS_PER_MS } from '../numbers/time-units.js';
import type { Point } from '../point/point.js';
import { hashFnv1a64 } from './fnv-hash.js';
import { type JobSource, MEASUREMENT } from './measurements.js';
import { encodeTagValue } from './name-transport.js';

/**
 * The grids of time on which a living job leaves heartbeats, each with the length of its slots, the shortest first. A
 * list of jobs reads the grid that suits its range: the finest for an hour, the coarsest for a month.
 */
export const HEARTBEAT_GRIDS = [
  { grid: '10m', slotMs: 600_000 },
  { grid: '2h', slotMs: 7_200_000 },
  { grid: '1d', slotMs: DAY_MS },
] as const;

export type HeartbeatGrid = (typeof HEARTBEAT_GRIDS)[number];

/** What a heartbeat says of its job, as far as its mode allows. */
export interface Heartbeat {
  readonly state?: string | undefined;
  readonly startedMs?: number | undefined;
  /** How much of the job is done, 0 to 1, and how long it still takes: as of when the heartbeat was written. */
  readonly progress?: number | undefined;
  readonly remainingS?: number | undefined;
  /** How large the job is, in all. */
  readonly nodes?: number | undefined;
  readonly cpus?: number | undefined;
  readonly gpus?: number | undefined;
  /** Whom it is charged to. */
  readonly account?: string | undefined;
  /** That `run` logs its output, and which `watch` follows its files (`formatJobWriter`): none hides the other. */
  readonly writer?: string | undefined;
  readonly watcher?: string | undefined;
}

/** Field of the heartbeat for each part. */
export const HEARTBEAT_FIELDS = {
  state: 'state',
  startedMs: 'started',
  progress: 'progress',
  remainingS: 'remaining_s',
  nodes: 'nodes',
  cpus: 'cpus',
  gpus: 'gpus',
  account: 'account',
  writer: 'writer',
  watcher: 'watcher',
} as const satisfies Record<keyof Heartbeat, string>;

/** A heartbeat's time is less than this after the beginning of its slot. */
export const HEARTBEAT_SPREAD_NS = 1n << 32n;

export function findSlotStartMs(timeMs: number, { slotMs }: HeartbeatGrid): number {
  return Math.floor(timeMs / slotMs) * slotMs;
}

/**
 * The time of a job's heartbeat in the slot that begins at `slotStartMs`. `job` is not a tag there, so that heartbeats
 * have few series however many jobs there are. Thus their times must tell the jobs apart: a hash spreads them over the
 * first 4.3 s of the slot. Two of 10,000 jobs of a user meet in one slot in a hundred, and then not in the next one.
 */
export function findHeartbeatNs({ job }: JobSource, slotStartMs: number): bigint {
  const hash = hashFnv1a64(`${job} ${slotStartMs}`);
  // The upper half depends on all bits of the lower one, not the other way round.
  return BigInt(slotStartMs) * NS_PER_MS + BigInt(`0x${hash.slice(0, 8)}`);
}

/**
 * The point that says that the job lived in that slot. It is the same point whoever writes it, and whenever. Where a
 * store may keep either of two versions of a point, a newer one is `laterNs` behind it.
 */
export function createHeartbeatPoint(
  source: JobSource,
  { grid }: HeartbeatGrid,
  slotStartMs: number,
  heartbeat: Heartbeat,
  laterNs = 0n
): Point {
  const tags = [['grid', grid] as const, ['user', encodeTagValue(source.user)] as const];
  const fields = new Map<string, string | number>([['job', encodeTagValue(source.job)]]);
  for (const part of Object.keys(HEARTBEAT_FIELDS) as Array<keyof Heartbeat>) {
    const value = heartbeat[part];
    if (value !== undefined) fields.set(HEARTBEAT_FIELDS[part], value);
  }
  const timeNs = findHeartbeatNs(source, slotStartMs) + laterNs;
  const lastNs = BigInt(slotStartMs) * NS_PER_MS + HEARTBEAT_SPREAD_NS - 1n;
  return {
    measurement: MEASUREMENT.heartbeat,
    tags: new Map(tags),
    fields,
    timeNs: timeNs < lastNs ? timeNs : lastNs,
  };
}
