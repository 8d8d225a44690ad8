import { isAscii } from 'node:buffer';
import type { LogLineFormatter, MetadataReader, NonfiniteOption, Stream } from '@joblens/core';
import type { Clock } from '../clock/clock.js';
import type { TakenLines } from '../lines/line-kernel.js';
import type { LoadedLines } from '../lines/loaded-lines.js';
import type { MetadataTables } from './metadata-tables.js';
import type { PointWriter } from './point-writer.js';

const ROW_STEP_NS = 1000n;
const LF = 0x0a;

export interface LineWriterOptions {
  readonly stream: Stream;
  readonly formatter: LogLineFormatter;
  readonly clock: Clock;
  readonly points: PointWriter;
  readonly tables: MetadataTables;
  readonly reader: MetadataReader;
  readonly nonfinite: () => NonfiniteOption;
}

/** Lines that were written, the last of them at this time. */
export interface WrittenLines extends TakenLines {
  readonly lastNs: bigint;
}

/** Writes whole lines of one stream that need no row of their own, many at once. */
export class LineWriter {
  readonly #options: LineWriterOptions;
  /** What each point of a log line begins with. */
  readonly #head: Buffer;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#head = Buffer.from(options.formatter.lineHead);
  }

  /** Writes lines of output from `start` on, as many as need no closer look; undefined when already the first one does. */
  writeOutput(lines: LoadedLines, start: number): WrittenLines | undefined {
    const { clock, points } = this.#options;
    const firstNs = clock.nextNs();
    const written = lines.writeOutput(start, this.#head, firstNs);
    if (written === undefined) return undefined;
    points.addBytes(written.points, written.lines);
    return { ...written, lastNs: this.#passTime(firstNs, written.lines) };
  }

  /** One line that looks like metadata, without its LF; says whether it is. `withLog`: it is written as a log line too. */
  writeOne(line: string, withLog: boolean): { readonly timeNs: bigint; readonly isMetadata: boolean } {
    const { clock, points, tables, reader, nonfinite, stream, formatter } = this.#options;
    const timeNs = clock.nextNs();
    const metadata = stream === 'stdout' ? reader.read(line, { nonfinite: nonfinite() }) : undefined;
    if (withLog) points.addText(formatter.format(line, 'output', String(timeNs)), 1);
    if (metadata !== undefined) tables.addRow(metadata, timeNs);
    return { timeNs, isMetadata: metadata !== undefined };
  }

  /** The metadata lines from `start` on, up to `end`, that are printed alike; undefined when already the first is of no kind that was seen before. */
  writeMetadata({ bytes }: LoadedLines, start: number, end: number, withLog: boolean): WrittenLines | undefined {
    const { clock, points, tables, reader, stream } = this.#options;
    if (stream !== 'stdout' || !isAscii(bytes)) return undefined;
    const lines = { text: bytes.toString('latin1', 0, end), codes: bytes };
    const firstTimeNs = clock.nextNs();
    const run = points.addWith((output) =>
      reader.writeRun(lines, { start, firstTimeNs, withLog, findTable: (series) => tables.findForRun(series) }, output)
    );
    if (run === undefined) return undefined;
    const lastNs = this.#passTime(firstTimeNs, run.lines);
    tables.afterRun(run.series);
    const lastStart = run.end < 2 ? 0 : bytes.lastIndexOf(LF, run.end - 2) + 1;
    return { lines: run.lines, lastNs, lastStart, end: run.end };
  }

  #passTime(firstNs: bigint, lines: number): bigint {
    const lastNs = firstNs + ROW_STEP_NS * BigInt(lines - 1);
    this.#options.clock.reserve(lastNs);
    return lastNs;
  }
}
