import { HOUR_NS, MINUTE_NS, NS_PER_MS, NS_PER_S, NS_PER_US } from '../numbers/time-units.js';

/** The unit of the times in a write request or an answer. */
export type Precision = 'ns' | 'us' | 'ms' | 's' | 'm' | 'h';

const NS_PER_UNIT: Readonly<Record<Precision, bigint>> = {
  ns: 1n,
  us: NS_PER_US,
  ms: NS_PER_MS,
  s: NS_PER_S,
  m: MINUTE_NS,
  h: HOUR_NS,
};

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?$/;

/** Nanoseconds in one unit of a precision. */
export function nsPerUnit(precision: Precision): bigint {
  return NS_PER_UNIT[precision];
}

/**
 * The `precision` or `epoch` parameter of a request as InfluxDB 1.x and 2.x spell it (`n`, `ns`, `u`, `us`, `µ`, …).
 */
export function parsePrecision(text: string): Precision | undefined {
  switch (text) {
    case 'n':
    case 'ns':
      return 'ns';
    case 'u':
    case 'us':
    case 'µ':
    case 'µs':
      return 'us';
    case 'ms':
    case 's':
    case 'm':
    case 'h':
      return text;
    default:
      return undefined;
  }
}

/** A time as InfluxDB prints it: Go's RFC3339Nano in UTC, trailing zeros of the fraction trimmed. */
export function formatRfc3339Nano(timeNs: bigint): string {
  const seconds = floorDivide(timeNs, NS_PER_S);
  const fraction = timeNs - seconds * NS_PER_S;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, -'.000Z'.length);
  if (fraction === 0n) {
    return `${whole}Z`;
  }
  return `${whole}.${String(fraction)
    .padStart(9, '0')
    .replace(/(?<!0)0+$/, '')}Z`;
}

/**
 * Nanoseconds since the epoch of an RFC 3339 time with any zone, or undefined. Digits beyond the nanosecond are cut, as
 * Go does.
 */
export function parseRfc3339Nano(text: string): bigint | undefined {
  return parsePlainUtc(text) ?? parseAnyRfc3339(text);
}

/** The form that InfluxDB prints, thirty times as fast: an answer has a time in each row. Undefined for any other. */
function parsePlainUtc(text: string): bigint | undefined {
  const end = text.length - 1;
  const [month, day] = [readTwo(text, 5), readTwo(text, 8)];
  const [hour, minute, second] = [readTwo(text, 11), readTwo(text, 14), readTwo(text, 17)];
  const year = readTwo(text, 0) * 100 + readTwo(text, 2);
  const isPlain = PLAIN_SEPARATORS.every(([at, code]) => text.charCodeAt(at) === code) && text.charCodeAt(end) === Z;
  // Days from 29 on need a look at the month; Date.UTC takes years below 100 for others.
  const isReal =
    year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour < 24 && minute < 60 && second < 60;
  const fractionNs = readFractionNs(text, end);
  if (!isPlain || !isReal || Number.isNaN(year + fractionNs)) {
    return undefined;
  }
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  return BigInt(seconds) * NS_PER_S + BigInt(fractionNs);
}

const [ZERO, POINT, Z] = [0x30, 0x2e, 0x5a];
const [DASH, COLON, T] = [0x2d, 0x3a, 0x54];
/** Place and code of each sign between the numbers of `YYYY-MM-DDThh:mm:ss`. */
const PLAIN_SEPARATORS = [
  [4, DASH],
  [7, DASH],
  [10, T],
  [13, COLON],
  [16, COLON],
] as const;

/** Two digits as a number, NaN for anything else. */
function readTwo(text: string, at: number): number {
  return readDigit(text, at) * 10 + readDigit(text, at + 1);
}

function readDigit(text: string, at: number): number {
  const digit = text.charCodeAt(at) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : NaN;
}

/** The fraction of a second behind a point, up to nine digits; NaN for anything else. */
function readFractionNs(text: string, end: number): number {
  if (end === 19) {
    return 0;
  }
  let fraction = text.charCodeAt(19) === POINT && end > 20 && end <= 29 ? 0 : NaN;
  for (let at = 20; at < 29; at += 1) {
    fraction = fraction * 10 + (at < end ? readDigit(text, at) : 0);
  }
  return fraction;
}

function parseAnyRfc3339(text: string): bigint | undefined {
  const match = RFC3339.exec(text);
  if (match === null) {
    return undefined;
  }
  const local = readDateTime(match);
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (local === undefined || offsetHours > 24 || offsetMinutes > 59) {
    return undefined;
  }
  const offsetNs = BigInt((offsetHours * 60 + offsetMinutes) * 60) * NS_PER_S;
  return match[8] === '-' ? local + offsetNs : local - offsetNs;
}

/** A time literal of InfluxQL: RFC 3339, `YYYY-MM-DD HH:MM:SS[.fraction]` or `YYYY-MM-DD`, the latter two in UTC. */
export function parseInfluxTime(text: string): bigint | undefined {
  const match = DATE_TIME.exec(text);
  return match === null ? parseRfc3339Nano(text) : readDateTime(match);
}

/** Division that rounds down: the instant's second, also before 1970. */
export function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

function readDateTime(match: RegExpExecArray): bigint | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part || 0));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const isReal =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  if (!isReal) {
    return undefined;
  }
  const fractionNs = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return BigInt(date.getTime()) * NS_PER_MS + fractionNs;
}
