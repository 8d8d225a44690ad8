import type { FieldValue, Point } from '../point/point.js';
import { formatFieldValue, formatSeriesKey } from '../point/line-protocol.js';
import { cutUtf8, utf8Length } from '../point/utf8.js';
import { type JobSource, type LogKind, MEASUREMENT, type Stream } from './measurements.js';
import { sourceTags } from './source-tags.js';

/** The longest string that every InfluxDB stores in one field (line protocol reference: 64 KB). */
export const MAX_STRING_BYTES = 65536;

export interface LogRow {
  readonly stream: Stream;
  /** Plain text, without escape sequences and newline. */
  readonly line: string;
  /** The line with its SGR colours; '' removes the colours of an earlier state of the same line. */
  readonly ansi?: string;
  readonly kind: LogKind;
  readonly timeNs: bigint;
}

/**
 * The `job_log` points of one rendered line. Usually there is one. If the line or its coloured form takes more than 64
 * KiB of UTF-8, there are several, 1 ns apart; the later ones have a float field `part` 1, 2, …. Joining `line` and
 * `ansi` of the parts gives the whole again.
 */
export function createLogPoints(source: JobSource, row: LogRow): Point[] {
  const tags = sourceTags(source, 'stream', row.stream);
  if (fits(row.line) && (row.ansi === undefined || fits(row.ansi))) {
    return [
      { measurement: MEASUREMENT.log, tags, fields: logFields(row.line, row.ansi, row.kind), timeNs: row.timeNs },
    ];
  }
  const lines = splitText(row.line);
  const coloured = row.ansi === undefined ? [] : splitText(row.ansi);
  const points: Point[] = [];
  for (let part = 0; part < Math.max(lines.length, coloured.length); part += 1) {
    const ansi = row.ansi === undefined ? undefined : (coloured[part] ?? '');
    const fields = logFields(lines[part] ?? '', ansi, row.kind);
    if (part > 0) {
      fields.set('part', part);
    }
    points.push({ measurement: MEASUREMENT.log, tags, fields, timeNs: row.timeNs + BigInt(part) });
  }
  return points;
}

function logFields(line: string, ansi: string | undefined, kind: LogKind): Map<string, FieldValue> {
  const fields = new Map<string, FieldValue>();
  fields.set('line', line);
  if (ansi !== undefined) {
    fields.set('ansi', ansi);
  }
  fields.set('kind', kind);
  return fields;
}

/**
 * Writes log lines of one stream as line protocol; each point ends with a newline. The result is that of formatPoint
 * and createLogPoints, for lines that take one point (at most 64 KiB of UTF-8, also with colours).
 */
export interface LogLineFormatter {
  /** `timeText` is the time in nanoseconds, in decimal. */
  format(line: string, kind: LogKind, timeText: string): string;
  /** A line that has, or had, SGR colours. `ansi` is the line with them, or '' to remove them. */
  formatAnsi(line: string, ansi: string, kind: LogKind, timeText: string): string;
  /** The beginning of the point of every line without colours, up to the quote before the line. */
  readonly lineHead: string;
}

export function createLogLineFormatter(source: JobSource, stream: Stream): LogLineFormatter {
  const key = formatSeriesKey(MEASUREMENT.log, sourceTags(source, 'stream', stream));
  return {
    lineHead: `${key} line="`,
    format: (line, kind, timeText) => `${key} line=${formatFieldValue(line)},kind="${kind}" ${timeText}\n`,
    formatAnsi: (line, ansi, kind, timeText) =>
      `${key} line=${formatFieldValue(line)},ansi=${formatFieldValue(ansi)},kind="${kind}" ${timeText}\n`,
  };
}

function fits(text: string): boolean {
  return text.length * 3 <= MAX_STRING_BYTES || utf8Length(text) <= MAX_STRING_BYTES;
}

/** Cuts a text into parts that each fit into a field. */
export function splitText(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = cutUtf8(text, start, MAX_STRING_BYTES);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
