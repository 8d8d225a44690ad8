import type { ColumnStats, PrintedTable } from '@joblens/core';
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

/** What the lines of one table share, as the kernel reads it. */
export interface MetadataTemplate {
  readonly table: PrintedTable;
  readonly bytes: Uint8Array;
}

export interface MetadataRunOptions {
  readonly start: number;
  readonly end: number;
  readonly maxLines: number;
  /** 0 where there is to be no log line. */
  readonly headBytes: number;
  /** What the values are folded into, if anything. */
  readonly columns: readonly ColumnStats[] | undefined;
}

const MAX_INT32 = 2 ** 31 - 1;

/** Metadata lines of one table at a time; where the lines come from, their times and where the points go is LineKernel's. */
export class MetadataKernel {
  readonly #exports: MetadataExports;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #template: MetadataTemplate | undefined;

  constructor(exports: MetadataExports) {
    const { buffer } = exports.memory;
    this.#exports = exports;
    this.#bytes = Buffer.from(buffer);
    this.#view = new DataView(buffer);
    putPowersOfFive(this.#view, exports.POWERS_AT.value, exports.SMALLEST_POWER.value);
  }

  /** Undefined for a table too large for it. */
  createTemplate(table: PrintedTable): MetadataTemplate | undefined {
    const { TEMPLATE_AT, TEMPLATE_BYTES, MAX_VALUES } = this.#exports;
    const place = { address: TEMPLATE_AT.value, bytes: TEMPLATE_BYTES.value, values: MAX_VALUES.value };
    const bytes = formatTemplate(table, place);
    return bytes && { table, bytes };
  }

  /** Writes lines for as long as they are printed as the template says, folds their values, and returns how many lines that are. */
  write(template: MetadataTemplate, { start, end, maxLines, headBytes, columns }: MetadataRunOptions): number {
    const { writeMetadata, COLUMNS_AT } = this.#exports;
    this.#setTemplate(template);
    if (columns !== undefined) putColumns(this.#view, COLUMNS_AT.value, columns);
    const lines = writeMetadata(start, end, Math.min(maxLines, MAX_INT32), headBytes);
    if (columns !== undefined && lines > 0) {
      takeColumns(this.#view, COLUMNS_AT.value, columns, lines, (from, to) => this.#readText(from, to));
    }
    return lines;
  }

  #setTemplate(template: MetadataTemplate): void {
    if (this.#template === template) return;
    this.#bytes.set(template.bytes, this.#exports.TEMPLATE_AT.value);
    this.#template = template;
  }

  #readText(start: number, end: number): string {
    const { value } = this.#exports.INPUT_AT;
    return this.#bytes.toString('utf8', value + start, value + end);
  }
}
