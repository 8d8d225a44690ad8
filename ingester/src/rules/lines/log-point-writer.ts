import type { Point } from '@joblens/core/point/point';
import { createLogPoints, type LogLineFormatter } from '@joblens/core/schema/log-point';
import type { JobSource, Stream } from '@joblens/core/schema/measurements';
import type { Clock } from '../../clock/clock.js';
import type { PointWriter } from '../writing/point-writer.js';
import type { StoredLine } from './stream-context.js';

interface LogPointWriterOptions {
  readonly source: JobSource;
  readonly clock: Pick<Clock, 'reserve'>;
  readonly points: PointWriter;
  readonly formatters: Readonly<Record<Stream, LogLineFormatter>>;
}

/** A text of at most this many UTF-16 units takes one point, whatever its characters. */
const MAX_SHORT_UNITS = 16_384;

/** Writes lines of the log as points; a long one as several, each with its part. */
export class LogPointWriter {
  readonly #options: LogPointWriterOptions;

  constructor(options: LogPointWriterOptions) {
    this.#options = options;
  }

  /** Returns the number of points. */
  write({ firstPart, ...row }: StoredLine): number {
    const { source, clock, points, formatters } = this.#options;
    if (firstPart === 0 && row.line.length <= MAX_SHORT_UNITS && (row.ansi?.length ?? 0) <= MAX_SHORT_UNITS) {
      const { stream, line, ansi, kind, timeNs } = row;
      const formatter = formatters[stream];
      const time = String(timeNs);
      points.addText(
        ansi === undefined ? formatter.format(line, kind, time) : formatter.formatAnsi(line, ansi, kind, time),
        1
      );
      clock.reserve(timeNs + 1n);
      return 1;
    }
    const parts = createLogPoints(source, row);
    clock.reserve(row.timeNs + BigInt(parts.length));
    parts.forEach((point, i) => points.addPoint(firstPart === 0 ? point : withPart(point, firstPart + i)));
    return parts.length;
  }
}

/** A point of a later piece of a long line. */
function withPart(point: Point, part: number): Point {
  return { ...point, fields: new Map([...point.fields, ['part', part]]) };
}
