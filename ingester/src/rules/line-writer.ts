import type { LogLineFormatter, MetadataReader, NonfiniteOption, Stream, TextLines } from '@joblens/core';
import type { Clock } from '../clock/clock.js';
import type { MetadataTables } from './metadata-tables.js';
import type { PointWriter } from './point-writer.js';

const ROW_STEP_NS = 1000n;

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
export interface WrittenLines {
  readonly lastNs: bigint;
  /** Where in the text the next line begins. */
  readonly end: number;
  readonly lines: number;
}

/** Writes whole lines of one stream that need no row of their own, many at once. */
export class LineWriter {
  readonly #options: LineWriterOptions;
  /** What stands around each line: the names of job and user. */
  readonly #isHeadAscii: boolean;

  constructor(options: LineWriterOptions) {
    this.#options = options;

    this.#isHeadAscii = /^[\0-\x7f]*$/.test(options.formatter.format('', 'output', '0'));
  }

  /** Lines of output, each ended by LF, that are at most 16 KiB long; returns the time of the last. */
  writeOutput(text: string, lines: number, isAscii: boolean): bigint {
    const { clock, points, formatter } = this.#options;
    const firstNs = clock.nextNs();
    points.addText(formatter.formatLines(text, firstNs), lines, isAscii && this.#isHeadAscii);
    return this.#passTime(firstNs, lines);
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

  /** The metadata lines from `start` on that are printed alike; undefined when already the first is of no kind that was seen before. */
  writeMetadata(lines: TextLines, start: number, withLog: boolean): WrittenLines | undefined {
    const { clock, points, tables, reader, stream } = this.#options;
    if (stream !== 'stdout') return undefined;
    const firstTimeNs = clock.nextNs();
    const run = points.addWith((output) =>
      reader.writeRun(lines, { start, firstTimeNs, withLog, findTable: (series) => tables.findForRun(series) }, output)
    );
    if (run === undefined) return undefined;
    const lastNs = this.#passTime(firstTimeNs, run.lines);
    tables.afterRun(run.series);
    return { lastNs, end: run.end, lines: run.lines };
  }

  #passTime(firstNs: bigint, lines: number): bigint {
    const lastNs = firstNs + ROW_STEP_NS * BigInt(lines - 1);
    this.#options.clock.reserve(lastNs);
    return lastNs;
  }
}
