import { DAY_NS, HOUR_NS, MINUTE_NS, NS_PER_MS, NS_PER_S, NS_PER_US, WEEK_NS } from '../numbers/time-units.js';
import { parseInfluxTime } from '../point/timestamp.js';
import { freezeNode } from './build.js';
import { shorten, type TokenCursor } from './cursor.js';
import type { Token } from './lexer.js';
import type { TimeLiteral } from './nodes.js';

const UNIT_NS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  u: NS_PER_US,
  µ: NS_PER_US,
  ms: NS_PER_MS,
  s: NS_PER_S,
  m: MINUTE_NS,
  h: HOUR_NS,
  d: DAY_NS,
  w: WEEK_NS,
};

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Nanoseconds of a duration literal (`90m`, `1h30m`); undefined for any other text. */
export function parseDuration(text: string): bigint | undefined {
  if (!/^(?:\d+(?:ns|ms|[uµsmhdw]))+$/.test(text)) return undefined;
  let total = 0n;
  for (const [, digits = '', unit = ''] of text.matchAll(/(\d+)(ns|ms|[uµsmhdw])/gy)) {
    total += BigInt(digits) * (UNIT_NS[unit] ?? 0n);
  }
  return total <= INT64_MAX ? total : undefined;
}

/** The duration at the cursor, with an optional minus. */
export function readDuration(cursor: TokenCursor): bigint {
  const isNegative = cursor.accept('-');
  const token = cursor.expectKind('duration', 'duration');
  const durationNs = durationOf(cursor, token);
  return isNegative ? -durationNs : durationNs;
}

function durationOf(cursor: TokenCursor, token: Token): bigint {
  const durationNs = parseDuration(token.text);
  if (durationNs === undefined) throw cursor.failure('invalid duration', token);
  return durationNs;
}

/**
 * The right side of a comparison with `time`: a time string, an integer or duration since the epoch, or now(); ±
 * durations.
 */
export function readTimeLiteral(cursor: TokenCursor): TimeLiteral {
  if (cursor.accept('(')) {
    const inner = cursor.nest(() => readTimeLiteral(cursor));
    cursor.expect(')');
    return addOffsets(cursor, inner);
  }
  return addOffsets(cursor, readTimeBase(cursor));
}

function readTimeBase(cursor: TokenCursor): TimeLiteral {
  if (cursor.isAtWord('now')) {
    cursor.next();
    cursor.expect('(');
    cursor.expect(')');
    return freezeNode({ kind: 'now', offsetNs: 0n });
  }
  const isNegative = cursor.accept('-');
  const token = cursor.peek();
  const timeNs = isNegative && token.kind === 'string' ? undefined : timeOf(cursor, token);
  if (timeNs === undefined) throw cursor.unexpected(['identifier', 'string', 'number', 'bool']);
  cursor.next();
  return createTime(cursor, token, isNegative ? -timeNs : timeNs);
}

function timeOf(cursor: TokenCursor, token: Token): bigint | undefined {
  if (token.kind === 'integer') return BigInt(token.text);
  if (token.kind === 'duration') return durationOf(cursor, token);
  if (token.kind !== 'string') return undefined;
  const timeNs = parseInfluxTime(token.text);
  if (timeNs === undefined) throw cursor.failure(`invalid time string ${JSON.stringify(shorten(token.text))}`, token);
  if (!/(?:z|[+-]\d\d:\d\d)$/i.test(token.text)) cursor.noteLocalTime(token);
  return timeNs;
}

function createTime(cursor: TokenCursor, token: Token, timeNs: bigint): TimeLiteral {
  if (timeNs < INT64_MIN || timeNs > INT64_MAX)
    throw cursor.failure(`time ${shorten(token.text)} is out of range`, token);
  return freezeNode({ kind: 'time', timeNs });
}

function addOffsets(cursor: TokenCursor, base: TimeLiteral): TimeLiteral {
  let offsetNs = 0n;
  let token = cursor.peek();
  while (cursor.isAt('+') || cursor.isAt('-')) {
    const sign = cursor.next().text === '-' ? -1n : 1n;
    token = cursor.peek();
    offsetNs += sign * readDuration(cursor);
  }
  if (offsetNs === 0n) return base;
  if (base.kind === 'now') return freezeNode({ kind: 'now', offsetNs: base.offsetNs + offsetNs });
  return createTime(cursor, token, base.timeNs + offsetNs);
}
