import type { PrintedTable, TableStats } from '@joblens/core';
import type { LineRange } from './line-range.js';
import { LINES_LAYOUT } from './lines-module.js';
import type { BucketExports, RunBuckets } from './metadata-buckets.js';
import { countSkippedBuckets, putOpenBucket, readBuckets } from './metadata-buckets.js';
import { putColumns, readColumns } from './metadata-columns.js';
import { formatTemplate } from './metadata-template.js';
import { putPowersOfFive } from './powers-of-five.js';

/** The exports of ingester/assembly/lines for metadata. */
export interface MetadataExports extends BucketExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly writeMetadata: (
    start: number,
    end: number,
    maxLines: number,
    headBytes: number,
    rowsInBucket: number,
    bucketsToSkip: number
  ) => number;
  readonly metadataPoints: { readonly value: number };
}

/** A run of metadata lines of one table. */
export interface MetadataRun {
  readonly table: PrintedTable;
  /** At least 1. */
  readonly maxLines: number;
  readonly firstTimeNs: bigint;
  /**
   * Whether each line is also written as a log line, before its metadata points; and the beginning of that log line, up
   * to the quote before the line.
   */
  readonly withLog: boolean;
  readonly head: Uint8Array;
  /** The statistics that take the values, if the table has any. */
  readonly stats: TableStats | undefined;
  /** The buckets that take the numbers, if the table has any. */
  readonly buckets: RunBuckets | undefined;
}

/** Tells the kernel to fold nothing into buckets. */
const NO_BUCKETS = -1;

const MAX_INT32 = 2 ** 31 - 1;

/** The metadata lines of LineKernel: describes their tables to the kernel. */
export class MetadataKernel {
  readonly #exports: MetadataExports;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  /** The template of each table, as bytes for the kernel; undefined for a table that is too large. */
  readonly #templates = new WeakMap<PrintedTable, Uint8Array | undefined>();
  #table: PrintedTable | undefined;

  constructor(exports: MetadataExports) {
    const { buffer } = exports.memory;
    this.#exports = exports;
    this.#bytes = Buffer.from(buffer);
    this.#view = new DataView(buffer);
    putPowersOfFive(this.#view);
  }

  /** Writes and folds lines of the input; returns how many. */
  write({ start, end }: LineRange, run: MetadataRun): number {
    const { table, maxLines, withLog, head, stats, buckets } = run;
    if (!this.#setTable(table)) return 0;
    const columns = stats && table.layout.columnsOf(stats);
    if (columns !== undefined) putColumns(this.#view, columns);
    const headBytes = withLog ? head.length : 0;
    const rowsInBucket = buckets === undefined ? NO_BUCKETS : putOpenBucket(this.#view, buckets);
    const skipped = buckets === undefined ? 0 : countSkippedBuckets(buckets);
    if (buckets !== undefined) this.#bytes.set(buckets.heads, LINES_LAYOUT.BUCKET_HEADS_AT);
    const most = Math.min(maxLines, MAX_INT32);
    const lines = this.#exports.writeMetadata(start, end, most, headBytes, rowsInBucket, skipped);
    if (buckets !== undefined) readBuckets(this.#view, this.#exports, buckets, run.firstTimeNs);
    if (stats === undefined || columns === undefined || lines === 0) return lines;
    stats.rows += lines;
    readColumns(this.#view, columns, lines, (from, to) => this.#readText(from, to));
    return lines;
  }

  #setTable(table: PrintedTable): boolean {
    if (this.#table === table) return true;
    const template = this.#findTemplate(table);
    if (template === undefined) return false;
    this.#bytes.set(template, LINES_LAYOUT.TEMPLATE_AT);
    this.#table = table;
    return true;
  }

  #findTemplate(table: PrintedTable): Uint8Array | undefined {
    if (!this.#templates.has(table)) this.#templates.set(table, formatTemplate(table));
    return this.#templates.get(table);
  }

  #readText(start: number, end: number): string {
    const { INPUT_AT } = LINES_LAYOUT;
    return this.#bytes.toString('utf8', INPUT_AT + start, INPUT_AT + end);
  }
}
