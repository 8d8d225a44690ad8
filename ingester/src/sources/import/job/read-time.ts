import { err, ok } from '@joblens/core/result/result';
import { parseRfc3339Nano } from '@joblens/core/point/timestamp';
import type { ValueType } from '../../../config/value-types.js';

const NS_DIGITS = 9;
/** `1700000000.25`, `1.7e9`: what JSON and CSV have for a number. */
const DECIMAL = /^([+-]?)(\d{1,20})(?:\.(\d*))?$/;
/** As Python, pandas and spreadsheets print a time: a space or a T, a comma or a point, without an offset UTC. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9})\d*)?)? ?(Z|UTC|[+-]\d\d:?\d\d)?$/i;
/** Year 1973 in seconds: a smaller number counts from some other moment. */
const FIRST_DIGITS = 9;
const MAX_NS = 9_000_000_000_000_000_000n;

/** Nanoseconds of a decimal number of seconds; undefined for any other text. */
function parseSeconds(text: string): bigint | undefined {
  return parseScaled(text, NS_DIGITS);
}

function parseScaled(text: string, digits: number): bigint | undefined {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const scaled = BigInt(whole) * 10n ** BigInt(digits) + BigInt(`0${fraction.slice(0, digits).padEnd(digits, '0')}`);
  return sign === '-' ? -scaled : scaled;
}

/** By how many digits it has, a number since the epoch counts seconds, milliseconds, microseconds or nanoseconds. */
function findScale(wholeDigits: number): number {
  if (wholeDigits <= 11) return NS_DIGITS;
  if (wholeDigits <= 14) return 6;
  return wholeDigits <= 17 ? 3 : 0;
}

/**
 * The time that a value of a row tells, in nanoseconds since the epoch; undefined where it tells none. A number that is
 * too small for a time since the epoch is seconds of another clock, which counts with an offset alone.
 */
export function readTime(value: string | number, offsetNs: bigint | undefined): bigint | undefined {
  const text = typeof value === 'number' ? printNumber(value) : value.trim();
  const [, sign, whole] = DECIMAL.exec(text) ?? [];
  if (whole !== undefined) {
    const isOfEpoch = sign !== '-' && whole.replace(/^0+/, '').length >= FIRST_DIGITS;
    if (!isOfEpoch && offsetNs === undefined) return undefined;
    const timeNs = parseScaled(text, isOfEpoch ? findScale(whole.length) : NS_DIGITS);
    return timeNs === undefined ? undefined : bound(timeNs + (offsetNs ?? 0n));
  }
  const timeNs = readDateTime(text);
  return timeNs === undefined ? undefined : bound(timeNs + (offsetNs ?? 0n));
}

/** A double of a time in seconds is exact to a microsecond at best, and prints digits that mean nothing. */
function printNumber(value: number): string {
  return Number.isInteger(value) ? String(BigInt(value)) : value.toFixed(6);
}

function bound(timeNs: bigint): bigint | undefined {
  return timeNs >= -MAX_NS && timeNs <= MAX_NS ? timeNs : undefined;
}

function readDateTime(text: string): bigint | undefined {
  const [, day, clock = '00:00:00', fraction = '', zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (day === undefined) return undefined;
  const seconds = clock.length === 5 ? `${clock}:00` : clock;
  const offset = /^(?:Z|UTC)$/i.test(zone) ? 'Z' : zone.replace(/^(.\d\d):?/, '$1:');
  return parseRfc3339Nano(`${day}T${seconds}${fraction === '' ? '' : `.${fraction}`}${offset}`);
}

/** Names under which rows have their time, in this order: of the programs' own, and of loggers'. */
const TIME_NAMES: readonly string[] = [
  ...['time', 'timestamp', '_timestamp', '@timestamp', 'wall_time', 'walltime', 'datetime', 'date', 'ts', 'created_at'],
  ...['_time', 'logged_at', 'asctime'],
];

/** The key of a row that tells its time: that of the user, or one that is named so and has a time. */
export function findTimeKey(
  row: ReadonlyMap<string, string | number>,
  timeKey: string | undefined,
  offsetNs: bigint | undefined
): string | undefined {
  const has = (key: string): boolean => readTime(row.get(key) ?? '', offsetNs) !== undefined;
  if (timeKey !== undefined) return has(timeKey) ? timeKey : undefined;
  const byName = new Map([...row.keys()].reverse().map((key) => [key.toLowerCase(), key]));
  return TIME_NAMES.map((name) => byName.get(name)).find((key) => key !== undefined && has(key));
}

/** `--offset`: seconds, or a point in time as the seconds until it; in nanoseconds. */
export const clockOffset: ValueType<bigint> = {
  parse: (text) => {
    const offsetNs = parseSeconds(text.trim()) ?? readDateTime(text.trim());
    return offsetNs !== undefined && bound(offsetNs) !== undefined
      ? ok(offsetNs)
      : err('a number of seconds, or a time such as 2026-11-23T14:30:00Z');
  },
};
