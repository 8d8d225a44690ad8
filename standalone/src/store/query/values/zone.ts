import { NS_PER_MS, NS_PER_S } from '@joblens/core/numbers/time-units';
import { StatementError } from './statement-error.js';

/** How far a time zone is ahead of UTC at a time, in nanoseconds. */
export type ZoneOffset = (timeNs: bigint) => bigint;

/** Offsets change at multiples of this at most: one look-up serves all times of a step. */
const STEP_NS = 900n * NS_PER_S;
const MAX_CACHED_STEPS = 100_000;

/** The offsets of a zone of the IANA database. Throws a StatementError, in InfluxDB's words, if there is none. */
export function createZoneOffset(timeZone: string): ZoneOffset {
  const format = createFormat(timeZone);
  const known = new Map<bigint, bigint>();
  return (timeNs) => {
    const step = timeNs >= 0n ? timeNs / STEP_NS : -((-timeNs + STEP_NS - 1n) / STEP_NS);
    const cached = known.get(step);
    if (cached !== undefined) return cached;
    const offsetNs = readOffsetNs(format, Number((step * STEP_NS) / NS_PER_MS));
    if (known.size >= MAX_CACHED_STEPS) known.clear();
    known.set(step, offsetNs);
    return offsetNs;
  };
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch (cause) {
    if (cause instanceof RangeError) throw new StatementError(`unable to find time zone ${timeZone}`);
    throw cause;
  }
}

/** `GMT`, `GMT+02:00` or, before the zone's first law, `GMT+00:53:28`. */
function readOffsetNs(format: Intl.DateTimeFormat, timeMs: number): bigint {
  const name = format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /([+-])(\d+)(?::(\d+))?(?::(\d+))?$/.exec(name) ?? [];
  const total = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
  return (sign === '-' ? -total : total) * NS_PER_S;
}

/** `+02:00`, or `Z` where there is no offset (RFC 3339). */
export function formatOffset(offsetNs: bigint): string {
  if (offsetNs === 0n) return 'Z';
  const minutes = Number((offsetNs < 0n ? -offsetNs : offsetNs) / (60n * NS_PER_S));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offsetNs < 0n ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
