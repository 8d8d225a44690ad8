import type { LogLineFormatter, Stream } from '@joblens/core';
import type { Clock } from '../clock/clock.js';
import type { TakenLines } from '../kernels/line-kernel.js';
import type { LineRange } from '../kernels/line-range.js';
import type { LoadedLines } from '../kernels/loaded-lines.js';
import { CandidateLines } from './candidate-lines.js';
import type { MetadataKinds } from './metadata-kinds.js';
import type { MetadataTables } from './metadata-tables.js';
import type { PointWriter } from './point-writer.js';

const ROW_STEP_NS = 1000n;
const EMPTY = new Uint8Array(0);

export interface LineWriterOptions {
  readonly stream: Stream;
  readonly formatter: LogLineFormatter;
  readonly clock: Clock;
  readonly points: PointWriter;
  readonly tables: MetadataTables;
  readonly kinds: MetadataKinds;
}

/** Lines that were written, and the time of the last of them. */
export interface WrittenLines extends TakenLines {
  readonly lastNs: bigint;
}

/** Writes many whole lines of one stream at once, none of which needs a row. */
export class LineWriter {
  readonly #options: LineWriterOptions;
  /** The beginning of each log line's point. */
  readonly #head: Buffer;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#head = Buffer.from(options.formatter.lineHead);
  }

  /** Writes lines of output of the range, as many as need no row; undefined when the first one does. */
  writeOutput(lines: LoadedLines, range: LineRange & { readonly finalEnd: number }): WrittenLines | undefined {
    const { clock, points } = this.#options;
    const firstNs = clock.nextNs();
    const written = lines.writeOutput(range.start, range.finalEnd, this.#head, firstNs, range.end);
    if (written === undefined) return undefined;
    const { lines: count, lastStart, end } = written;
    points.addBytes(written.points, written.pointCount);
    return { lines: count, lastStart, end, lastNs: this.#passTime(firstNs, count) };
  }

  /**
   * Writes one line that looks like metadata, without its LF, and says whether it is. `withLog`: also as a log line.
   */
  writeOne(line: string, withLog: boolean): { readonly timeNs: bigint; readonly isMetadata: boolean } {
    const { clock, points, tables, kinds, stream, formatter } = this.#options;
    const timeNs = clock.nextNs();
    const metadata = stream === 'stdout' ? kinds.read(line) : undefined;
    if (withLog) points.addText(formatter.format(line, 'output', String(timeNs)), 1);
    if (metadata !== undefined) tables.addRow(metadata, timeNs);
    return { timeNs, isMetadata: metadata !== undefined };
  }

  /** The lines of this stream that may be metadata, besides those that begin like JSON. */
  findCandidates(lines: LoadedLines): CandidateLines {
    const { stream, kinds } = this.#options;
    return new CandidateLines(lines.bytes, stream === 'stdout' ? () => kinds.needles() : () => []);
  }

  /** Writes the metadata lines of the range that are printed alike; undefined when the first is of no known table. */
  writeMetadata(lines: LoadedLines, range: LineRange, withLog: boolean): WrittenLines | undefined {
    const { clock, points, tables, kinds, stream } = this.#options;
    if (stream !== 'stdout') return undefined;
    const firstTimeNs = clock.nextNs();
    const head = this.#head;
    return kinds.printedTables.find((table) => {
      if (!lines.hasAt(range.start, table.template.literals[0] ?? EMPTY)) return undefined;
      const { series } = table.layout;
      const { stats, buckets, maxRows: maxLines } = tables.findForRun(table.layout);
      const written = lines.writeMetadata(range, { table, stats, buckets, maxLines, firstTimeNs, withLog, head });
      if (written === undefined) return undefined;
      const { lines: count, lastStart, end } = written;
      points.addBytes(written.points, written.pointCount);
      tables.afterRun(series);
      return { lines: count, lastStart, end, lastNs: this.#passTime(firstTimeNs, count) };
    });
  }

  #passTime(firstNs: bigint, lines: number): bigint {
    const lastNs = firstNs + ROW_STEP_NS * BigInt(lines - 1);
    this.#options.clock.reserve(lastNs);
    return lastNs;
  }
}
