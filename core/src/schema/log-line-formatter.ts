import { formatFieldValue, formatSeriesKey } from '../point/line-protocol.js';
import { PointTimes } from '../point/point-times.js';
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
  /** Lines of kind `output`, each ended by LF, at times 1 µs apart from the first. Throws a TypeError for a time before 1970. */
  formatLines(text: string, firstTimeNs: bigint): string;
}

export function createLogLineFormatter(source: JobSource, stream: Stream): LogLineFormatter {
  const key = formatSeriesKey(MEASUREMENT.log, sourceTags(source, 'stream', stream));
  const lineHead = `${key} line="`;
  return {
    format: (line, kind, timeText) => `${key} line=${formatFieldValue(line)},kind="${kind}" ${timeText}\n`,
    formatAnsi: (line, ansi, kind, timeText) =>
      `${key} line=${formatFieldValue(line)},ansi=${formatFieldValue(ansi)},kind="${kind}" ${timeText}\n`,
    formatLines: (text, firstTimeNs) => formatLines(lineHead, escapeString(text), new PointTimes(firstTimeNs)),
  };
}

/** Concatenation is twice as fast as joining an array or writing bytes one by one, the step to bytes included. */
function formatLines(head: string, escaped: string, times: PointTimes): string {
  let points = '';
  let start = 0;
  for (let end = escaped.indexOf('\n'); end >= 0; end = escaped.indexOf('\n', start)) {
    points += head + escaped.slice(start, end) + '",kind="output" ' + times.text + '\n';
    times.advance();
    start = end + 1;
  }
  return points;
}

/** Escaping adds no newline, so many lines are escaped at once; each pass costs next to nothing where there is nothing to escape. */
function escapeString(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
