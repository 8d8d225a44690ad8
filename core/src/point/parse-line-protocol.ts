import { scanFields } from './scan-fields.js';
import { scanSeriesKey } from './scan-series-key.js';
import { LineError, skipWhitespace } from './scan.js';
import { MAX_TIME_NS, MIN_TIME_NS } from './line-protocol.js';
import type { Point } from './point.js';
import { floorDivide, nsPerUnit, type Precision } from './timestamp.js';
import { utf8Length } from './utf8.js';

/** The longest series key with a field key that InfluxDB 1.x stores, in bytes (models.MaxKeyLength). */
const MAX_KEY_BYTES = 65535;
/** The separator between series key and field key in TSM files. */
const KEY_SEPARATOR_BYTES = 4;

export interface LineProtocolOptions {
  readonly precision: Precision;
  /**
   * The time of a line that has none. Either one time for all, cut to the precision, as InfluxDB does; or a function
   * that is asked at each such line.
   */
  readonly defaultTimeNs: bigint | (() => bigint);
}

export interface LineProtocolError {
  /** Number of the line where the bad point begins, from 1. */
  readonly lineNumber: number;
  readonly line: string;
  /** InfluxDB's own words: `unable to parse '…': missing fields`. */
  readonly message: string;
  /** The same without the line: `missing fields`. */
  readonly reason: string;
}

export interface ParsedLineProtocol {
  readonly points: readonly Point[];
  readonly errors: readonly LineProtocolError[];
}

/**
 * The points of a write request's body, and an error for each line that is not a point. The other lines count all the
 * same. Semantics and wording of InfluxDB 1.x (models/points.go): white space, comments, escapes, newlines inside
 * strings.
 */
export function parseLineProtocol(text: string, options: LineProtocolOptions): ParsedLineProtocol {
  const points: Point[] = [];
  const errors: LineProtocolError[] = [];
  for (const part of scanLineProtocol(text, options)) {
    if (part.kind === 'point') points.push(part.point);
    else errors.push(part.error);
  }
  return { points, errors };
}

export type LineProtocolPart =
  | { readonly kind: 'point'; readonly lineNumber: number; readonly point: Point }
  | { readonly kind: 'error'; readonly error: LineProtocolError };

/** The same line by line, for texts with more points than memory holds. */
export function* scanLineProtocol(text: string, options: LineProtocolOptions): Generator<LineProtocolPart> {
  let position = 0;
  let lineNumber = 1;
  while (position < text.length) {
    const end = scanLineEnd(text, position);
    const start = skipWhitespace(text, position);
    if (start < end && text[start] !== '#') {
      // A line can end with a newline only if that is escaped; InfluxDB removes it again.
      const line = text.slice(start, text[end - 1] === '\n' ? end - 1 : end);
      try {
        yield { kind: 'point', lineNumber, point: parsePoint(line, options) };
      } catch (error) {
        if (!(error instanceof LineError)) {
          throw error;
        }
        const reason = error.message;
        yield { kind: 'error', error: { lineNumber, line, message: `unable to parse '${line}': ${reason}`, reason } };
      }
    }
    lineNumber += countNewlines(text, position, end) + 1;
    position = end + 1;
  }
}

/** Where the line that begins at `position` ends: the first newline outside a string and not after a backslash. */
function scanLineEnd(text: string, position: number): number {
  let inFields = false;
  let quoted = false;
  let equals = 0;
  let commas = 0;
  let i = position;
  for (; i < text.length; i += 1) {
    const char = text[i];
    if (char === '\\') {
      i += 1;
    } else if (char === '\n' && !quoted) {
      break;
    } else if (char === ' ') {
      inFields = true;
    } else if (inFields && char === '"' && equals > commas) {
      quoted = !quoted;
    } else if (inFields && !quoted) {
      equals += char === '=' ? 1 : 0;
      commas += char === ',' ? 1 : 0;
    }
  }
  return Math.min(i, text.length);
}

function parsePoint(line: string, options: LineProtocolOptions): Point {
  const { measurement, tags, end: keyEnd } = scanSeriesKey(line);
  const keyBytes = boundedUtf8Length(line, 0, keyEnd);
  if (keyBytes > MAX_KEY_BYTES) {
    throw new LineError(`max key length exceeded: ${keyBytes} > ${MAX_KEY_BYTES}`);
  }
  const { fields, longestKeyLength, end: fieldsEnd } = scanFields(line, keyEnd);
  const totalBytes = keyBytes + KEY_SEPARATOR_BYTES + longestKeyLength;
  if (totalBytes > MAX_KEY_BYTES) {
    throw new LineError(`max key length exceeded: ${totalBytes} > ${MAX_KEY_BYTES}`);
  }
  return { measurement, tags, fields, timeNs: scanTime(line, fieldsEnd, options) };
}

function scanTime(line: string, position: number, { precision, defaultTimeNs }: LineProtocolOptions): bigint {
  const start = skipWhitespace(line, position);
  let end = start;
  while (end < line.length && line[end] !== ' ') {
    const char = line.charAt(end);
    if ((char < '0' || char > '9') && !(char === '-' && end === start)) {
      throw new LineError('bad timestamp');
    }
    end += 1;
  }
  const unitNs = nsPerUnit(precision);
  if (start === end) {
    return typeof defaultTimeNs === 'bigint' ? floorDivide(defaultTimeNs, unitNs) * unitNs : defaultTimeNs();
  }
  const digits = line.slice(start, end);
  if (digits === '-') {
    throw new LineError('strconv.ParseInt: parsing "-": invalid syntax');
  }
  const count = BigInt(digits);
  if (BigInt.asIntN(64, count) !== count) {
    throw new LineError(`strconv.ParseInt: parsing "${digits}": value out of range`);
  }
  const timeNs = count * unitNs;
  if (timeNs < MIN_TIME_NS || timeNs > MAX_TIME_NS) {
    throw new LineError(`time outside range ${String(MIN_TIME_NS)} - ${String(MAX_TIME_NS)}`);
  }
  if (/[^ ]/.test(line.slice(end))) {
    throw new LineError('point is invalid');
  }
  return timeNs;
}

/** Number of bytes of a stretch; exact only if it can come near the limit. */
function boundedUtf8Length(text: string, start: number, end: number): number {
  return (end - start) * 3 <= MAX_KEY_BYTES / 2 ? end - start : utf8Length(text.slice(start, end));
}

function countNewlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let i = text.indexOf('\n', start); i >= 0 && i < end; i = text.indexOf('\n', i + 1)) {
    count += 1;
  }
  return count;
}
