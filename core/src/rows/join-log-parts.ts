import type { LogRow } from '../schema/log-point.js';
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

interface OpenLine {
  readonly parts: LogPart[];
}

/**
 * Lines from parts, in the order of the parts (by time, either way). Of a line whose first part is missing, the parts
 * that are there make a line at the time of the first of them.
 */
export function joinLogParts(parts: readonly LogPart[]): LogLine[] {
  const isReversed = isDescending(parts);
  const lines = groupParts(isReversed ? parts.toReversed() : parts);
  const joined = lines.flatMap(({ parts: [head, ...rest] }) => (head === undefined ? [] : [joinLine(head, rest)]));
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

function joinLine(head: LogPart, rest: readonly LogPart[]): LogLine {
  const { part, ansi: headAnsi = '', ...line } = head;
  // Each of the two forms is cut separately. An empty coloured form means that the line has lost its colours.
  const ansi = headAnsi + rest.map((part) => part.ansi ?? '').join('');
  return { ...line, line: head.line + rest.map((part) => part.line).join(''), ...(ansi !== '' && { ansi }) };
}
