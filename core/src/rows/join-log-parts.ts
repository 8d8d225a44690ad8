import { utf8Length } from '../point/utf8.js';
import type { LogRow } from '../schema/log-point.js';
import { MAX_STRING_BYTES } from '../schema/log-point.js';
import type { JobSource } from '../schema/measurements.js';
import { isDescending } from './newest-first.js';

/**
 * One logged line. Its time identifies it within job, user, stream and task: a line that still changes comes again with
 * the same time.
 */
export interface LogLine extends LogRow, JobSource {}

/**
 * A stored row of the log: a line, or for lines over 64 KiB one of its parts (0, 1, 2, …), each 1 ns after the one
 * before.
 */
export interface LogPart extends LogLine {
  readonly part: number;
}

/**
 * A text at least this long may continue in a part that is not on the page: a cut is at most 3 bytes below the limit.
 */
const SHORTEST_CUT_BYTES = MAX_STRING_BYTES - 3;

interface OpenLine {
  readonly parts: LogPart[];
}

/**
 * Lines from parts, in the order of the parts (by time, either way). With `limit` (the number of requested rows), a
 * line that the far edge of the page cuts is left out, unless it is the only one.
 */
export function joinLogParts(parts: readonly LogPart[], limit?: number): LogLine[] {
  const isReversed = isDescending(parts);
  const rising = isReversed ? parts.toReversed() : parts;
  const lines = groupParts(rising);
  const isFull = limit !== undefined && parts.length >= limit;
  const isCut = isReversed ? isHeadless : isPerhapsUnfinished;
  const edge = isReversed ? lines[0] : lines.at(-1);
  const whole =
    isFull && edge !== undefined && lines.length > 1 && isCut(edge) ? lines.filter((line) => line !== edge) : lines;
  const joined = whole.flatMap(({ parts: [head, ...rest] }) => (head === undefined ? [] : [joinLine(head, rest)]));
  return isReversed ? joined.reverse() : joined;
}

function groupParts(rising: readonly LogPart[]): OpenLine[] {
  const lines: OpenLine[] = [];
  const openByWriter = new Map<string, OpenLine>();
  for (const part of rising) {
    const writer = JSON.stringify([part.job, part.user, part.stream, part.task ?? '']);
    const open = openByWriter.get(writer);
    const before = open?.parts.at(-1);
    if (open !== undefined && before !== undefined && isNextPart(before, part)) {
      open.parts.push(part);
      continue;
    }
    const line = { parts: [part] };
    lines.push(line);
    openByWriter.set(writer, line);
  }
  return lines;
}

function isNextPart(before: LogPart, part: LogPart): boolean {
  return part.part > 0 && part.part === before.part + 1 && part.timeNs === before.timeNs + 1n;
}

function isHeadless(line: OpenLine): boolean {
  return (line.parts[0]?.part ?? 0) > 0;
}

function isPerhapsUnfinished(line: OpenLine): boolean {
  const last = line.parts.at(-1);
  return last !== undefined && [last.line, last.ansi ?? ''].some((text) => utf8Length(text) >= SHORTEST_CUT_BYTES);
}

function joinLine(head: LogPart, rest: readonly LogPart[]): LogLine {
  const { part, ansi: headAnsi = '', ...line } = head;
  // Each of the two forms is cut separately. An empty coloured form means that the line has lost its colours.
  const ansi = headAnsi + rest.map((part) => part.ansi ?? '').join('');
  return { ...line, line: head.line + rest.map((part) => part.line).join(''), ...(ansi !== '' && { ansi }) };
}
