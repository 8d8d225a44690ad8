import { LineError } from './scan.js';
import { compareCodePoints } from './utf8.js';

export interface ScannedSeriesKey {
  readonly measurement: string;
  /** Sorted by key, as InfluxDB keeps them. */
  readonly tags: ReadonlyMap<string, string>;
  /** Position of the space that ends the key. */
  readonly end: number;
}

const NO_TAGS: ReadonlyMap<string, string> = new Map();

/** Reads `measurement[,tag=value…]` from the start of a line. Throws a LineError. */
export function scanSeriesKey(line: string): ScannedSeriesKey {
  if (line === '' || line[0] === ',') {
    throw new LineError('missing measurement');
  }
  const nameEnd = scanMeasurementEnd(line);
  const measurement = unescapeName(line.slice(0, nameEnd));
  if (line[nameEnd] === ' ') {
    return { measurement, tags: NO_TAGS, end: nameEnd };
  }
  const tags: Array<readonly [string, string]> = [];
  let position = nameEnd;
  while (line[position] === ',') {
    const equals = scanTagKeyEnd(line, position + 1);
    const end = scanTagValueEnd(line, equals + 1);
    tags.push([unescapeTag(line.slice(position + 1, equals)), unescapeTag(line.slice(equals + 1, end))]);
    position = end;
  }
  return { measurement, tags: sortTags(tags), end: position };
}

/** Measurements and field keys drop the backslash before a quote too, tags do not (InfluxDB 1.x, pkg/escape). */
export function unescapeName(text: string): string {
  return text.includes('\\') ? text.replace(/\\([,= "])/g, '$1') : text;
}

function unescapeTag(text: string): string {
  return text.includes('\\') ? text.replace(/\\([,= ])/g, '$1') : text;
}

function sortTags(tags: Array<readonly [string, string]>): ReadonlyMap<string, string> {
  tags.sort((a, b) => compareCodePoints(a[0], b[0]));
  const sorted = new Map(tags);
  if (sorted.size < tags.length) {
    throw new LineError('duplicate tags');
  }
  return sorted;
}

function scanMeasurementEnd(line: string): number {
  for (let i = 1; i < line.length; i += 1) {
    if ((line[i] === ',' || line[i] === ' ') && line[i - 1] !== '\\') {
      return i;
    }
  }
  throw new LineError('missing fields');
}

function scanTagKeyEnd(line: string, start: number): number {
  const first = line[start];
  if (first === undefined || first === ' ' || first === ',' || first === '=') {
    throw new LineError('missing tag key');
  }
  for (let i = start + 1; i < line.length; i += 1) {
    const char = line[i];
    if ((char === '=' || char === ' ' || char === ',') && line[i - 1] !== '\\') {
      if (char === '=') {
        return i;
      }
      break;
    }
  }
  throw new LineError('missing tag value');
}

function scanTagValueEnd(line: string, start: number): number {
  const first = line[start];
  if (first === undefined || first === ' ' || first === ',') {
    throw new LineError('missing tag value');
  }
  for (let i = start + 1; i < line.length; i += 1) {
    const char = line[i];
    if ((char === '=' || char === ' ' || char === ',') && line[i - 1] !== '\\') {
      if (char === '=') {
        throw new LineError('invalid tag format');
      }
      return i;
    }
  }
  throw new LineError('missing fields');
}
