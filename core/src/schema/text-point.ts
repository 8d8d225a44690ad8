import type { Point } from '../point/point.js';
import { splitText } from './log-point.js';
import { type JobSource, MEASUREMENT } from './measurements.js';
import { encodeTagValue } from './name-transport.js';
import { jobTags } from './source-tags.js';

/**
 * The `job_text` points of one line of a text that belongs to a job. Usually there is one. A line of over 64 KiB of
 * UTF-8 has several, 1 ns apart; the later ones have a float field `part` 1, 2, ….
 */
export function createTextPoints(source: JobSource, name: string, line: string, timeNs: bigint): Point[] {
  const tags = new Map([...jobTags(source), ['name', encodeTagValue(name)] as const]);
  const parts = line === '' ? [''] : splitText(line);
  return parts.map((text, part) => ({
    measurement: MEASUREMENT.text,
    tags,
    fields: new Map<string, string | number>([['line', text], ...(part === 0 ? [] : ([['part', part]] as const))]),
    timeNs: timeNs + BigInt(part),
  }));
}

/** The lines of a text whose every line ends with a newline, which the last one need not. */
export function splitTextLines(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
