import { isTooDeepJson } from '../json/bounded-json.js';
import { toWellFormed } from '../point/utf8.js';
import { flattenObject } from './flatten.js';
import type { MetadataRow, NonfiniteOption, PrintedRow } from '../table/metadata-row.js';
import { findStringEnd, isExact, type PrintedValue, readPrintedJson } from '../json/printed-json.js';

export interface MetadataOptions {
  readonly nonfinite: NonfiniteOption;
}

/** Most rows have no JSON texts and no nested objects. */
const NO_KEYS: ReadonlySet<string> = new Set();
const NO_PATHS: PrintedRow['paths'] = new Map();

/**
 * The row of a line that is one valid JSON object and nothing else (no space around it). Undefined for a log line, and
 * for `{}`, which has nothing to store. Rules: MetadataRow, flattenObject.
 */
export function parsePrintedRow(line: string, options: MetadataOptions): PrintedRow | undefined {
  if (!looksLikeObject(line)) {
    return undefined;
  }
  const printed = parseObject(line, options);
  if (printed === undefined || printed.row.size === 0) {
    return undefined;
  }
  // In a line decoded from bytes, only an escape can make a lone surrogate.
  return line.includes('\\u') ? toWellFormedRow(printed) : printed;
}

/** The row of parsePrintedRow alone. */
export function parseMetadataLine(line: string, options: MetadataOptions): MetadataRow | undefined {
  return parsePrintedRow(line, options)?.row;
}

/**
 * Looks at the first `{`, its next character and the last `}`, because an error of JSON.parse costs more than all the
 * rest.
 */
function looksLikeObject(line: string): boolean {
  if (line.charCodeAt(0) !== 0x7b || line.charCodeAt(line.length - 1) !== 0x7d) {
    return false;
  }
  let i = 1;
  while (line.charCodeAt(i) === 0x20 || line.charCodeAt(i) === 0x09) {
    i += 1;
  }
  return line.charCodeAt(i) === 0x22;
}

function parseObject(line: string, { nonfinite }: MetadataOptions): PrintedRow | undefined {
  const parsed = parseJsonObject(line);
  if (parsed !== undefined) {
    return readFlatObject(parsed) ?? readAsPrinted(line);
  }
  if (nonfinite === 'log' || !/NaN|Infinity/.test(line)) {
    return undefined;
  }
  return parseJsonObject(replaceNonfinite(line)) === undefined ? undefined : readAsPrinted(line);
}

function parseJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/**
 * The row of a common line: only numbers and strings, no key that JSON.parse moves, no number that it changes. Else
 * undefined.
 */
function readFlatObject(object: Record<string, unknown>): PrintedRow | undefined {
  const row = new Map<string, number | string>();
  let jsonKeys: Set<string> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (row.size === 0 && isDigit(key.charCodeAt(0))) {
      return undefined;
    }
    if (typeof value === 'string' || (typeof value === 'number' && isExact(value))) {
      row.set(key, value);
    } else if (value === null || typeof value === 'boolean') {
      row.set(key, String(value));
      (jsonKeys ??= new Set()).add(key);
    } else {
      return undefined;
    }
  }
  return { row, jsonKeys: jsonKeys ?? NO_KEYS, paths: NO_PATHS };
}

function readAsPrinted(line: string): PrintedRow | undefined {
  // Such a line stays a log line.
  if (isTooDeepJson(line)) {
    return undefined;
  }
  return flattenObject(readPrintedJson(line) as ReadonlyMap<string, PrintedValue>);
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** The line with a number for each bare NaN and Infinity, so that JSON.parse tells whether there is another fault. */
function replaceNonfinite(line: string): string {
  let text = '';
  let position = 0;
  while (position < line.length) {
    const quote = line.indexOf('"', position);
    const bareEnd = quote < 0 ? line.length : quote;
    // The spaces keep `1NaN` and `-NaN` invalid.
    text += line.slice(position, bareEnd).replace(/-?\bInfinity\b|\bNaN\b/g, ' 0 ');
    position = quote < 0 ? line.length : findStringEnd(line, quote);
    text += line.slice(bareEnd, position);
  }
  return text;
}

function toWellFormedRow({ row, jsonKeys, paths }: PrintedRow): PrintedRow {
  const wellFormed = new Map<string, number | string>();
  for (const [key, value] of row) {
    wellFormed.set(toWellFormed(key), typeof value === 'string' ? toWellFormed(value) : value);
  }
  return {
    row: wellFormed,
    jsonKeys: new Set([...(jsonKeys ?? [])].map(toWellFormed)),
    paths: new Map([...paths].map(([key, path]) => [toWellFormed(key), path.map(toWellFormed)])),
  };
}
