import type { LogLineFormatter } from '@joblens/core/schema/log-point';
import type { Stream } from '@joblens/core/schema/measurements';
import { type Clock, ROW_STEP_NS } from '../../clock/clock.js';
import type { TakenLines } from '../../kernels/line-kernel.js';
import type { LineRange } from '../../kernels/line-range.js';
import type { LoadedLines } from '../../kernels/loaded-lines.js';
import type { MetadataRun } from '../../kernels/metadata-kernel.js';
import { CandidateLines } from './candidate-lines.js';
import type { MetadataKinds } from '../tables/metadata-kinds.js';
import type { MetadataTables } from '../tables/metadata-tables.js';
import type { PointWriter } from '../writing/point-writer.js';

const BRACE = 0x7b;

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

/** A line without its LF, and its coloured form if it has colours. */
interface OneLine {
  readonly text: string;
  readonly ansi: string | undefined;
}

/** Writes many whole lines of one stream at once, none of which needs a row. */
export class LineWriter {
  readonly #options: LineWriterOptions;
  /** The beginning of each log line's point. */
  readonly #head: Buffer;
  readonly #openFold: MetadataRun['openFold'];

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#head = Buffer.from(options.formatter.lineHead);
    this.#openFold = (layout) => options.tables.openFold(layout);
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
  writeOne({ text, ansi }: OneLine, withLog: boolean): { readonly timeNs: bigint; readonly isMetadata: boolean } {
    const { clock, points, tables, kinds, stream, formatter } = this.#options;
    const timeNs = clock.nextNs();
    const metadata = kinds.read(text, stream);
    const time = String(timeNs);
    if (withLog) {
      points.addText(
        ansi === undefined ? formatter.format(text, 'output', time) : formatter.formatAnsi(text, ansi, 'output', time),
        1
      );
    }
    if (metadata !== undefined) tables.addRow(metadata, timeNs);
    return { timeNs, isMetadata: metadata !== undefined };
  }

  /** The lines of this stream that may be metadata, besides those that begin like JSON. */
  findCandidates(lines: LoadedLines): CandidateLines {
    const { stream, kinds } = this.#options;
    return new CandidateLines(lines.bytes, () => kinds.needles(stream));
  }

  /** Whether a line with these bytes may be metadata. */
  mayHoldMetadata(bytes: Buffer): boolean {
    const { stream, kinds } = this.#options;
    const needles = kinds.needles(stream);
    return needles === undefined || bytes.includes(BRACE) || needles.some((needle) => bytes.includes(needle));
  }

  /** Writes metadata lines of the range that are printed like known ones; undefined when the first is not. */
  writeMetadata(lines: LoadedLines, range: LineRange, withLog: boolean): WrittenLines | undefined {
    const { clock, points, tables, kinds, stream } = this.#options;
    if (stream !== 'stdout') return undefined;
    const firstTimeNs = clock.nextNs();
    const run = { tables: kinds.printedTables, openFold: this.#openFold, firstTimeNs, withLog, head: this.#head };
    const written = lines.writeMetadata(range, run);
    if (written === undefined) return undefined;
    const { lines: count, lastStart, end } = written;
    points.addBytes(written.points, written.pointCount);
    tables.afterRun();
    return { lines: count, lastStart, end, lastNs: this.#passTime(firstTimeNs, count) };
  }

  #passTime(firstNs: bigint, lines: number): bigint {
    const lastNs = firstNs + ROW_STEP_NS * BigInt(lines - 1);
    this.#options.clock.reserve(lastNs);
    return lastNs;
  }
}
