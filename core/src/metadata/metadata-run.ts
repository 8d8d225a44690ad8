import type { TableStats } from '../axis/table-stats.js';
import type { ByteOutput } from '../point/byte-output.js';
import { formatSeriesKey } from '../point/line-protocol.js';
import { PointTimes } from '../point/point-times.js';
import { encodeUtf8 } from '../point/utf8.js';
import type { JobSource } from '../schema/measurements.js';
import { MEASUREMENT } from '../schema/measurements.js';
import { sourceTags } from '../schema/source-tags.js';
import type { TextLines } from './char-codes.js';
import type { LineTemplate } from './line-template.js';
import { PrintedTable } from './printed-table.js';
import type { TableLayout } from './table-layout.js';
import { ValueScanner } from './value-scanner.js';

export interface MetadataRunOptions {
  /** Where in the text the first line begins. */
  readonly start: number;
  /** The first line's time; the lines follow each other by 1 µs. */
  readonly firstTimeNs: bigint;
  /** Whether each line is written as a log line too, before its metadata points. */
  readonly withLog: boolean;
  /** Asked once for a run: what the rows of a table are folded into, if anything, and how many may be taken (at least 1). */
  readonly findTable: (series: string) => { readonly stats: TableStats | undefined; readonly maxRows: number };
}

/** Consecutive lines of one table that were read and written. */
export interface MetadataRun {
  readonly series: string;
  readonly lines: number;
  readonly points: number;
  /** Where in the text the next line begins. */
  readonly end: number;
}

/** A longer line takes the way of all others. */
const MAX_LINE_BYTES = 16_384;

/** Writes runs of lines of the few tables that it knows; what is printed otherwise it does not take. */
export class MetadataRunWriter {
  readonly #logHead: Uint8Array;
  readonly #maxTables: number;
  readonly #values = new ValueScanner();
  #tables: readonly PrintedTable[] = [];

  constructor(source: JobSource, maxTables: number) {
    const key = formatSeriesKey(MEASUREMENT.log, sourceTags(source, 'stream', 'stdout'));
    this.#logHead = encodeUtf8(`${key} line="`);
    this.#maxTables = maxTables;
  }

  addTable(layout: TableLayout, template: LineTemplate): void {
    this.#values.reserve(layout.keys.length);
    const table = new PrintedTable(layout, template, this.#logHead);
    this.#tables = [table, ...this.#tables.slice(0, this.#maxTables - 1)];
  }

  /** Appends the points of the lines from `start` on that are of one table. Undefined when the first line is of none that is known. */
  write(lines: TextLines, options: MetadataRunOptions, output: ByteOutput): MetadataRun | undefined {
    let start = options.start;
    let end = -1;
    const table = this.#tables.find((known) => (end = this.#scan(known, lines, start)) >= 0);
    if (table === undefined) {
      return undefined;
    }
    const { series } = table.layout;
    const { stats, maxRows } = options.findTable(series);
    const times = new PointTimes(options.firstTimeNs);
    let count = 0;
    let points = 0;
    while (end >= 0) {
      table.reserve(output, end - start);
      if (options.withLog) {
        table.writeLogLine(lines, this.#values, times, output);
        points += 1;
      }
      points += table.writePoints(lines, this.#values, times, output);
      if (stats !== undefined) {
        table.foldInto(stats, lines, this.#values);
      }
      times.advance();
      count += 1;
      start = end;
      end = count < maxRows ? this.#scan(table, lines, start) : -1;
    }
    return { series, lines: count, points, end: start };
  }

  #scan(table: PrintedTable, lines: TextLines, start: number): number {
    const end = start < lines.text.length ? table.scan(lines, start, this.#values) : -1;
    return end - start <= MAX_LINE_BYTES ? end : -1;
  }
}
