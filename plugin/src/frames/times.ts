import { NS_PER_MS } from '@joblens/core/numbers/time-units';

/** Milliseconds for a time field. */
export function toMs(timeNs: bigint): number {
  return Number(timeNs / NS_PER_MS);
}

/** A dashboard's time in nanoseconds. */
export function toNs(timeMs: number): bigint {
  return BigInt(Math.round(timeMs)) * NS_PER_MS;
}

/** Compares two instants by milliseconds, then by exact nanoseconds where both have them. Negative: `a` is earlier. */
export function compareTimes(aMs: number, aNs: string | undefined, bMs: number, bNs: string | undefined): number {
  if (aMs !== bMs) return aMs - bMs;
  if (aNs === undefined || bNs === undefined || aNs === bNs) return 0;
  return aNs.length === bNs.length ? (aNs < bNs ? -1 : 1) : aNs.length - bNs.length;
}
