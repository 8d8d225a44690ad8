import { formatFieldValue, formatSeriesKey } from '../point/line-protocol.js';
import type { JobSource, LogKind, Stream } from './measurements.js';
import { MEASUREMENT } from './measurements.js';
import { sourceTags } from './source-tags.js';

/**
 * Writes log lines of one stream as line protocol, each point ended by a newline: what formatPoint makes of createLogPoints,
 * for lines that take one point (at most 64 KiB of UTF-8, as their coloured forms).
 */
export interface LogLineFormatter {
  /** `timeText` is the time in nanoseconds, in decimal. */
  format(line: string, kind: LogKind, timeText: string): string;
  /** A line that has, or had, SGR colours: `ansi` is the line with them, or '' to take them away. */
  formatAnsi(line: string, ansi: string, kind: LogKind, timeText: string): string;
  /** What the point of each line without colours begins with, up to the quote before the line. */
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
