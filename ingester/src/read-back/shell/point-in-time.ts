import { DAY_MS, HOUR_MS, MINUTE_MS, NS_PER_MS, SECOND_MS, WEEK_MS } from '@joblens/core/numbers/time-units';
import { err, ok, type Result } from '@joblens/core/result/result';
import { parseRfc3339Nano } from '@joblens/core/point/timestamp';
import { LONGEST_DURATION_MS, type ValueType } from '../../config/value-types.js';

/** A time as a user writes it, which may count from now: nanoseconds since the epoch, given now in milliseconds. */
export type PointInTime = (nowMs: number) => bigint;

const UNIT_MS: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: WEEK_MS },
};
/** 200 years. */
const LONGEST_AGO_MS = 200 * 365.25 * DAY_MS;
/** What is stored lies between these: a store counts nanoseconds since 1970 in 64 bits. A walk needs room behind it. */
const [OLDEST_NS, NEWEST_NS] = [0n, BigInt(Date.UTC(2262, 0)) * NS_PER_MS];
const AGO = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/**
 * For help texts and docs: `2h`, `1d12h` (that long ago), `now`, `today`, `yesterday` (their first moment), `14:30`
 * (today), and ISO 8601 (`2026-11-23`, `2026-11-23T14:30:00Z`). Without an offset, times are local.
 */
export const pointInTime: ValueType<PointInTime> = {
  parse: (text) => {
    const time = parseTime(text.trim());
    if (time !== undefined) return ok((nowMs) => limit(time(nowMs)));
    return err('a time such as 2h (ago), yesterday, 14:30 or 2026-11-23T14:30');
  },
};

/** A length of time: `90s`, `15m`, `1d12h`; in milliseconds, above 0. */
export const lengthMs: ValueType<number> = {
  isDuration: true,
  parse: (text) => {
    const ms = AGO.test(text) ? sumOf(text) : 0;
    return ms >= 1 && ms <= LONGEST_DURATION_MS ? ok(Math.round(ms)) : err('a length of time such as 15m, 1h or 1d');
  },
};

function parseTime(text: string): PointInTime | undefined {
  if (AGO.test(text) && sumOf(text) <= LONGEST_AGO_MS) return (nowMs) => convertMs(nowMs - sumOf(text));
  switch (text.toLowerCase()) {
    case 'now':
      return convertMs;
    case 'today':
      return (nowMs) => convertMs(findMidnight(nowMs, 0));
    case 'yesterday':
      return (nowMs) => convertMs(findMidnight(nowMs, -1));
  }
  if (/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text)) return (nowMs) => convertMs(findTimeOfDay(nowMs, text));
  return parseDateTime(text);
}

/** The nearest time at which something may be stored. */
function limit(timeNs: bigint): bigint {
  if (timeNs < OLDEST_NS) return OLDEST_NS;
  return timeNs > NEWEST_NS ? NEWEST_NS : timeNs;
}

function convertMs(timeMs: number): bigint {
  return BigInt(Math.round(timeMs)) * NS_PER_MS;
}

function sumOf(text: string): number {
  const parts = [...text.matchAll(/(?<![\d.])([\d.]+)([a-z]+)/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNIT_MS[unit] ?? 0), 0);
}

/** Days have 23 to 25 hours where clocks change, so the calendar counts them. */
function findMidnight(nowMs: number, days: number): number {
  const now = new Date(nowMs);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime();
}

function findTimeOfDay(nowMs: number, text: string): number {
  const now = new Date(nowMs);
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate(), hours, minutes, seconds).getTime();
}

function parseDateTime(text: string): PointInTime | undefined {
  const [, day, minute = '00:00', second = ':00', offset] = DATE_TIME.exec(text) ?? [];
  if (day === undefined) return undefined;
  const [wholeSecond = '', fraction = ''] = second.split('.');
  const wholeMs = Date.parse(`${day}T${minute}${wholeSecond}${offset?.toUpperCase() ?? ''}`);
  // JavaScript takes the 30th of February for a day in March.
  if (Number.isNaN(wholeMs) || parseRfc3339Nano(`${day}T${minute}${wholeSecond}Z`) === undefined) return undefined;
  const timeNs = BigInt(wholeMs) * NS_PER_MS + BigInt(fraction.padEnd(9, '0'));
  return () => timeNs;
}

/**
 * The range that a user asked for, both ends inclusive; by default, it begins so long before its end. It is open where
 * the user gives no end.
 */
export function findRange(
  { after, before }: { readonly after: PointInTime | undefined; readonly before: PointInTime | undefined },
  nowMs: number,
  defaultMs: number
): Result<{ readonly fromNs: bigint; readonly toNs: bigint; readonly isOpen: boolean }, string> {
  const toNs = before?.(nowMs) ?? convertMs(nowMs);
  const fromNs = after?.(nowMs) ?? limit(toNs - BigInt(defaultMs) * NS_PER_MS);
  if (fromNs > toNs) return err('--after is later than --before: nothing can lie between them');
  return ok({ fromNs, toNs, isOpen: before === undefined });
}
