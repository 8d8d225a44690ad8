import type { FieldValue } from './point.js';
import { scanNumber } from './scan-number.js';
import { unescapeName } from './scan-series-key.js';
import { LineError, skipWhitespace } from './scan.js';

export interface ScannedFields {
  readonly fields: ReadonlyMap<string, FieldValue>;
  /** Length of the longest field key as written. */
  readonly longestKeyLength: number;
  /** Position of the space after the fields, or the line's end. */
  readonly end: number;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['t', 'T', 'true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['f', 'F', 'false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

/** Reads `key=value[,key=value…]` from `position`. Throws a LineError. */
export function scanFields(line: string, position: number): ScannedFields {
  const fields = new Map<string, FieldValue>();
  let longestKeyLength = 0;
  let start = skipWhitespace(line, position);
  if (start >= line.length) {
    throw new LineError('missing fields');
  }
  for (;;) {
    const equals = scanFieldKeyEnd(line, start);
    const key = line.slice(start, equals);
    longestKeyLength = Math.max(longestKeyLength, key.length);
    const { value, end } = scanFieldValue(line, equals + 1);
    fields.set(unescapeName(key), value);
    if (line[end] !== ',') {
      return { fields, longestKeyLength, end };
    }
    start = end + 1;
  }
}

function scanFieldKeyEnd(line: string, start: number): number {
  let i = start;
  for (; i < line.length; i += 1) {
    const char = line[i];
    if (char === '\\') {
      i += 1;
    } else if (char === '=') {
      if (i === start) {
        throw new LineError('missing field key');
      }
      return i;
    } else if (char === ',' || char === ' ') {
      break;
    }
  }
  throw new LineError('invalid field format');
}

function scanFieldValue(line: string, start: number): { value: FieldValue; end: number } {
  const first = line[start];
  if (first === undefined || first === ',' || first === ' ') {
    throw new LineError('missing field value');
  }
  if (first === '"') {
    return scanString(line, start);
  }
  if ((first >= '0' && first <= '9') || first === '.' || first === '-' || first === 'N' || first === 'n') {
    return scanNumber(line, start);
  }
  const end = scanWordEnd(line, start);
  const value = BOOLEANS.get(line.slice(start, end));
  if (value === undefined) {
    throw new LineError('invalid boolean');
  }
  return { value, end };
}

/** A string ends at its quote; what stands between that and the next comma or space InfluxDB calls a bad format too. */
function scanString(line: string, start: number): { value: string; end: number } {
  let i = start + 1;
  let escaped = false;
  for (; i < line.length && line[i] !== '"'; i += 1) {
    if (line[i] === '\\') {
      escaped = true;
      i += 1;
    }
  }
  if (i >= line.length) {
    throw new LineError('unbalanced quotes');
  }
  const end = i + 1;
  if (end < line.length && line[end] !== ',' && line[end] !== ' ') {
    throw new LineError('invalid field format');
  }
  const text = line.slice(start + 1, i);
  return { value: escaped ? text.replace(/\\(["\\])/g, '$1') : text, end };
}

export function scanWordEnd(line: string, start: number): number {
  let i = start;
  while (i < line.length && line[i] !== ',' && line[i] !== ' ') {
    i += 1;
  }
  return i;
}
