/** The unit of the times in a write request or an answer. */
export type Precision = 'ns' | 'us' | 'ms' | 's' | 'm' | 'h';

const NS_PER_UNIT: Readonly<Record<Precision, bigint>> = {
  ns: 1n,
  us: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const NS_PER_MS = 1_000_000n;
const NS_PER_S = 1_000_000_000n;

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
  return `${whole}.${String(fraction).padStart(9, '0').replace(/0+$/, '')}Z`;
}

/**
 * Nanoseconds since the epoch of an RFC 3339 time with any zone, or undefined. Digits beyond the nanosecond are cut, as
 * Go does.
 */
export function parseRfc3339Nano(text: string): bigint | undefined {
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
