import type { JobSource, MetadataRow, Point, TableStats } from '@joblens/core';
import {
  createMetadataPoints,
  createSeriesName,
  createSeriesPoint,
  createTableStats,
  foldRow,
  inferXAxis,
} from '@joblens/core';

const REWRITE_INTERVAL_MS = 1000;
/** Bounds the memory of the running statistics; rows of later tables are stored all the same. */
const MAX_COLUMNS = 100_000;

interface Table {
  readonly series: string;
  readonly stats: TableStats;
  readonly firstTimeNs: bigint;
  writtenRows: number;
  writtenMs: number;
}

export interface MetadataTablesOptions {
  readonly source: JobSource;
  readonly nowMs: () => number;
  readonly emit: (points: readonly Point[]) => void;
  /** Told once, when the tables have more columns than are followed. */
  readonly onFull: (message: string) => void;
}

/** The tables of one job: each metadata line becomes a row, and each table a summary that is rewritten in place. */
export class MetadataTables {
  readonly #options: MetadataTablesOptions;
  readonly #tables = new Map<string, Table>();
  readonly #dirty = new Set<Table>();
  #columns = 0;
  #isFull = false;

  constructor(options: MetadataTablesOptions) {
    this.#options = options;
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  /** Stores a row; its table's summary too when the table is new or its rows have doubled since. */
  addRow(row: MetadataRow, timeNs: bigint): void {
    const series = createSeriesName(row.keys());
    this.#options.emit(createMetadataPoints(this.#options.source, series, row, timeNs));
    const table = this.#tables.get(series) ?? this.#createTable(series, row, timeNs);
    if (table === undefined) return;
    foldRow(table.stats, row);
    this.#dirty.add(table);
    if (table.stats.rows >= table.writtenRows * 2) this.#write(table);
  }

  /** Writes the summaries that changed and are due; with `isEnd` all that changed. */
  writeDue(isEnd: boolean): void {
    const dueMs = this.#options.nowMs() - REWRITE_INTERVAL_MS;
    for (const table of this.#dirty) {
      if (isEnd || table.writtenMs <= dueMs) this.#write(table);
    }
  }

  #createTable(series: string, row: MetadataRow, firstTimeNs: bigint): Table | undefined {
    if (this.#columns + row.size > MAX_COLUMNS) {
      if (!this.#isFull) {
        this.#isFull = true;
        this.#options.onFull(
          `more than ${MAX_COLUMNS} different columns were printed; the rows of further tables are stored without a summary`
        );
      }
      return undefined;
    }
    this.#columns += row.size;
    const table: Table = { series, stats: createTableStats(), firstTimeNs, writtenRows: 0, writtenMs: 0 };
    this.#tables.set(series, table);
    return table;
  }

  #write(table: Table): void {
    const { series, stats, firstTimeNs: timeNs } = table;
    const x = inferXAxis(stats)?.key;
    const keys = [...stats.columns.keys()];
    this.#options.emit([createSeriesPoint(this.#options.source, { series, keys, stats, x, rows: stats.rows, timeNs })]);
    table.writtenRows = stats.rows;
    table.writtenMs = this.#options.nowMs();
    this.#dirty.delete(table);
  }
}
