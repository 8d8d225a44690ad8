import type { FieldValue } from './point.js';
import { checkNumber, parseNumber } from './scan-number.js';
import { unescapeName } from './scan-series-key.js';
import { LineError, scanWordEnd, skipWhitespace } from './scan.js';

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

/**
 * Reads `key=value[,key=value…]` from `position`. Throws a LineError. Like InfluxDB, it checks the whole stretch before
 * it reads any field.
 */
export function scanFields(line: string, position: number): ScannedFields {
  const start = skipWhitespace(line, position);
  const end = checkFields(line, start);
  return { ...readFields(line.slice(start, end)), end };
}

/** Finds the end of the fields, or the first fault that InfluxDB would name. */
function checkFields(line: string, start: number): number {
  let quoted = false;
  let equals = 0;
  let commas = 0;
  let i = start;
  while (i < line.length) {
    const char = line[i];
    if (char === '\\' && i + 1 < line.length) {
      i += 2;
    } else if (char === '"' && equals > commas) {
      quoted = !quoted;
      i += 1;
    } else if (quoted) {
      i += 1;
    } else if (char === '=') {
      equals += 1;
      i = checkValue(line, i);
    } else if (char === ' ') {
      break;
    } else {
      commas += char === ',' ? 1 : 0;
      i += 1;
    }
  }
  if (quoted) {
    throw new LineError('unbalanced quotes');
  }
  if (equals === 0 || commas !== equals - 1) {
    throw new LineError('invalid field format');
  }
  return i;
}

/**
 * Checks both sides of the `=` at `equals`. Returns the end of the value or, for a string, the position of its quote.
 */
function checkValue(line: string, equals: number): number {
  const before = line[equals - 1];
  if ((before === ' ' || before === ',') && line[equals - 2] !== '\\') {
    throw new LineError('missing field key');
  }
  const start = equals + 1;
  const first = line[start];
  if (first === undefined || first === ',' || first === ' ') {
    throw new LineError('missing field value');
  }
  if (first === '"') {
    return start;
  }
  const end = scanWordEnd(line, start);
  const word = line.slice(start, end);
  if (/[\d.\-Nn]/.test(first)) {
    checkNumber(word);
  } else if (!BOOLEANS.has(word)) {
    throw new LineError('invalid boolean');
  }
  return end;
}

function readFields(text: string): { fields: ReadonlyMap<string, FieldValue>; longestKeyLength: number } {
  const fields = new Map<string, FieldValue>();
  let longestKeyLength = 0;
  let start = 0;
  while (start < text.length) {
    const equals = findUnescaped(text, '=', start);
    const end = findValueEnd(text, equals + 1);
    longestKeyLength = Math.max(longestKeyLength, equals - start);
    const value = readValue(text.slice(equals + 1, end));
    if (equals === start) {
      throw new LineError('missing field key');
    }
    // InfluxDB checks some escapes one way and reads them another. That leaves a key without a value, which it could
    // not store.
    if (value !== undefined) {
      fields.set(unescapeName(text.slice(start, equals)), value);
    }
    start = end + 1;
  }
  if (fields.size === 0) {
    throw new LineError('missing fields');
  }
  return { fields, longestKeyLength };
}

function readValue(text: string): FieldValue | undefined {
  if (text.startsWith('"')) {
    const inner = text.slice(1, -1);
    return inner.includes('\\') ? inner.replace(/\\(["\\])/g, '$1') : inner;
  }
  return BOOLEANS.get(text) ?? parseNumber(text);
}

function findUnescaped(text: string, char: string, start: number): number {
  let i = start;
  while (i < text.length && (text[i] !== char || text[i - 1] === '\\')) {
    i += 1;
  }
  return i;
}

function findValueEnd(text: string, start: number): number {
  let quoted = false;
  let i = start;
  for (; i < text.length && (quoted || text[i] !== ','); i += 1) {
    if (text[i] === '"') {
      quoted = !quoted;
    } else if (text[i] === '\\' && (text[i + 1] === '"' || text[i + 1] === '\\')) {
      i += 1;
    }
  }
  return i;
}
