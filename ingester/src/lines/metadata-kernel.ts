import type { PrintedTable, TableStats } from '@joblens/core';
import type { LineRange } from './line-range.js';
import { putColumns, takeColumns } from './metadata-columns.js';
import { formatTemplate } from './metadata-template.js';
import { putPowersOfFive } from './powers-of-five.js';

interface Global {
  readonly value: number;
}

/** The part of ingester/assembly/lines that knows metadata. */
export interface MetadataExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly INPUT_AT: Global;
  readonly TEMPLATE_AT: Global;
  readonly TEMPLATE_BYTES: Global;
  readonly COLUMNS_AT: Global;
  readonly MAX_VALUES: Global;
  readonly POWERS_AT: Global;
  readonly SMALLEST_POWER: Global;
  readonly writeMetadata: (start: number, end: number, maxLines: number, headBytes: number) => number;
  readonly metadataPoints: Global;
}

/** A run of metadata lines of one table. */
export interface MetadataRun {
  readonly table: PrintedTable;
  /** At least 1. */
  readonly maxLines: number;
  readonly firstTimeNs: bigint;
  /** Whether each line is written as a log line too, before its metadata points; what that begins with, up to the quote before the line. */
  readonly withLog: boolean;
  readonly head: Uint8Array;
  /** What the values are folded into, if anything. */
  readonly stats: TableStats | undefined;
}

const MAX_INT32 = 2 ** 31 - 1;

/** The metadata lines of LineKernel: what it must know of their tables. */
export class MetadataKernel {
  readonly #exports: MetadataExports;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #columnsAt: number;
  /** What is to be put in the memory for a table; undefined for one that is too large. */
  readonly #templates = new WeakMap<PrintedTable, Uint8Array | undefined>();
  #table: PrintedTable | undefined;

  constructor(exports: MetadataExports) {
    const { buffer } = exports.memory;
    this.#exports = exports;
    this.#bytes = Buffer.from(buffer);
    this.#view = new DataView(buffer);
    this.#columnsAt = exports.COLUMNS_AT.value;
    putPowersOfFive(this.#view, exports.POWERS_AT.value, exports.SMALLEST_POWER.value);
  }

  /** Writes and folds lines of the input, and returns how many. */
  write({ start, end }: LineRange, { table, maxLines, withLog, head, stats }: MetadataRun): number {
    if (!this.#setTable(table)) return 0;
    const columns = stats && table.layout.columnsOf(stats);
    if (columns !== undefined) putColumns(this.#view, this.#columnsAt, columns);
    const headBytes = withLog ? head.length : 0;
    const lines = this.#exports.writeMetadata(start, end, Math.min(maxLines, MAX_INT32), headBytes);
    if (stats === undefined || columns === undefined || lines === 0) return lines;
    stats.rows += lines;
    takeColumns(this.#view, this.#columnsAt, columns, lines, (from, to) => this.#readText(from, to));
    return lines;
  }

  #setTable(table: PrintedTable): boolean {
    if (this.#table === table) return true;
    const template = this.#findTemplate(table);
    if (template === undefined) return false;
    this.#bytes.set(template, this.#exports.TEMPLATE_AT.value);
    this.#table = table;
    return true;
  }

  #findTemplate(table: PrintedTable): Uint8Array | undefined {
    if (!this.#templates.has(table)) {
      const { TEMPLATE_AT, TEMPLATE_BYTES, MAX_VALUES } = this.#exports;
      const place = { address: TEMPLATE_AT.value, bytes: TEMPLATE_BYTES.value, values: MAX_VALUES.value };
      this.#templates.set(table, formatTemplate(table, place));
    }
    return this.#templates.get(table);
  }

  #readText(start: number, end: number): string {
    const { value } = this.#exports.INPUT_AT;
    return this.#bytes.toString('utf8', value + start, value + end);
  }
}
