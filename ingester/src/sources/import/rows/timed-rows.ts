import { createMetadataReader, type MetadataReader } from '@joblens/core/metadata/metadata-reader';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { PrintedRow } from '@joblens/core/table/metadata-row';
import type { ImportRequest } from '../job/importer.js';
import { findTimeKey, readTime } from '../job/read-time.js';

/** Rows without any time are so far apart. */
const STEP_NS = NS_PER_MS;
/** The most rows that may come before the first one with a time. */
const MAX_LEADING_ROWS = 1000;

interface LeadingRow {
  readonly row: PrintedRow;
  readonly bytes: number;
}

/** Finds the times of rows in the rows themselves. Where they have none, rows follow one another from the offset on. */
export class TimedRows {
  readonly #request: ImportRequest;
  readonly #reader: MetadataReader;
  readonly #modifiedMs: number;
  /** Rows before the first one with a time; undefined once it is known whether rows have times. */
  #leading: LeadingRow[] | undefined = [];
  #hasTimes = false;
  #lastNs = 0n;

  /** `modifiedMs`: when the file was changed last, for rows without a time. */
  constructor(request: ImportRequest, modifiedMs: number) {
    this.#request = request;
    this.#reader = createMetadataReader(request.job.source);
    this.#modifiedMs = modifiedMs;
  }

  add(row: PrintedRow, bytes: number): void {
    const { timeKey, offsetNs } = this.#request;
    if (this.#leading === undefined && !this.#hasTimes) {
      this.#store(row, (this.#lastNs += STEP_NS), bytes);
      return;
    }
    const key = findTimeKey(row.row, timeKey, offsetNs);
    if (key !== undefined) this.#addTimed(row, key, bytes);
    else if (this.#leading === undefined) this.#store(row, this.#lastNs, bytes);
    else if (this.#leading.push({ row, bytes }) > MAX_LEADING_ROWS) this.#begin();
  }

  end(): void {
    this.#begin();
  }

  #addTimed(row: PrintedRow, key: string, bytes: number): void {
    const timeNs = readTime(row.row.get(key) ?? '', this.#request.offsetNs) ?? this.#lastNs;
    this.#hasTimes = true;
    this.#lastNs = timeNs;
    for (const early of this.#leading ?? []) this.#store(early.row, timeNs, early.bytes);
    this.#leading = undefined;
    this.#store(omitKey(row, key), timeNs, bytes);
  }

  /** No row has a time. */
  #begin(): void {
    if (this.#leading === undefined) return;
    const { offsetNs, report, source } = this.#request;
    const beginNs = offsetNs ?? BigInt(this.#modifiedMs) * NS_PER_MS;
    this.#lastNs = beginNs - STEP_NS;
    const leading = this.#leading;
    this.#leading = undefined;
    if (leading.length > 0) {
      const begin = new Date(Number(beginNs / NS_PER_MS)).toISOString();
      const why = offsetNs === undefined ? ', when the file was changed last: give --time COLUMN or --offset TIME' : '';
      report.info(`no row of ${source} tells its time: they follow one another, 1 ms apart, from ${begin} on${why}`);
    }
    for (const { row, bytes } of leading) this.add(row, bytes);
  }

  #store(row: PrintedRow, timeNs: bigint, bytes: number): void {
    if (row.row.size === 0) this.#request.leftOut.add('rows with a time and nothing else', 'row 1');
    else this.#request.job.addRow(this.#reader.fromRow(row), timeNs, bytes);
  }
}

/** The time of a row is that of its points, to the digit. */
function omitKey({ row, ...rest }: PrintedRow, omitted: string): PrintedRow {
  return { ...rest, row: new Map([...row].filter(([key]) => key !== omitted)) };
}
