import type { JobSource, MetadataLine, TableStats } from '@joblens/core';
import { createSeriesPoint, createTableStats, formatTableStats, inferXAxis, parseTableStats } from '@joblens/core';
import type { PointWriter } from './point-writer.js';

const REWRITE_INTERVAL_MS = 1000;
/** Bounds the memory of the running statistics. The rows of later tables are stored all the same. */
const MAX_COLUMNS = 100_000;

interface Table {
  readonly series: string;
  readonly stats: TableStats;
  readonly firstTimeNs: bigint;
  writtenRows: number;
  writtenMs: number;
}

/** A table as JSON, enough to continue it after a restart. */
export interface TableState {
  readonly series: string;
  readonly stats: string;
  readonly firstTimeNs: string;
  readonly writtenRows: number;
}

/** Newer states of tables replace older ones. */
export function mergeTableStates(older: readonly TableState[], newer: readonly TableState[]): TableState[] {
  const bySeries = new Map(older.map((table) => [table.series, table]));
  for (const table of newer) bySeries.set(table.series, table);
  return [...bySeries.values()];
}

export interface MetadataTablesOptions {
  readonly source: JobSource;
  readonly nowMs: () => number;
  readonly points: PointWriter;
  /** Called once, when the tables have more columns than have statistics. */
  readonly onFull: (message: string) => void;
  /** Tables from before a restart. */
  readonly tables: readonly TableState[];
}

/** The tables of one job: each metadata line becomes a row, and each table a summary that is rewritten in place. */
export class MetadataTables {
  readonly #options: MetadataTablesOptions;
  readonly #tables = new Map<string, Table>();
  readonly #dirty = new Set<Table>();
  /** Tables that changed since their state was last taken. */
  readonly #unsaved = new Set<Table>();
  #columns = 0;
  #isFull = false;

  constructor(options: MetadataTablesOptions) {
    this.#options = options;
    for (const state of options.tables) this.#restore(state);
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  /** Stores a row, and its table's summary if the table is new or its rows have doubled since the last summary. */
  addRow(line: MetadataLine, timeNs: bigint): void {
    const { text, points } = line.formatPoints(String(timeNs));
    this.#options.points.addText(text, points);
    const table = this.#tables.get(line.series) ?? this.#createTable(line, timeNs);
    if (table === undefined) return;
    line.foldInto(table.stats);
    this.#markChanged(table);
  }

  /** The statistics that take the rows of a known table, and how many rows may come before its summary is due. */
  findForRun(series: string): { readonly stats: TableStats | undefined; readonly maxRows: number } {
    const table = this.#tables.get(series);
    if (table === undefined) return { stats: undefined, maxRows: Infinity };
    return { stats: table.stats, maxRows: Math.max(1, table.writtenRows * 2 - table.stats.rows) };
  }

  /** Call it after rows were folded into the statistics of `findForRun`. */
  afterRun(series: string): void {
    const table = this.#tables.get(series);
    if (table !== undefined) this.#markChanged(table);
  }

  #markChanged(table: Table): void {
    this.#unsaved.add(table);
    this.#dirty.add(table);
    if (table.stats.rows >= table.writtenRows * 2) this.#write(table);
  }

  /** Writes the changed summaries that are due, or all changed summaries if `isEnd`. */
  writeDue(isEnd: boolean): void {
    const dueMs = this.#options.nowMs() - REWRITE_INTERVAL_MS;
    for (const table of this.#dirty) {
      if (isEnd || table.writtenMs <= dueMs) this.#write(table);
    }
  }

  /** `whole`: all tables; `change`: the tables that changed since the last call. */
  takeState(kind: 'whole' | 'change'): TableState[] {
    const states: TableState[] = [];
    for (const table of kind === 'whole' ? this.#tables.values() : this.#unsaved) {
      const { series, stats, firstTimeNs, writtenRows } = table;
      states.push({ series, stats: formatTableStats(stats), firstTimeNs: String(firstTimeNs), writtenRows });
    }
    this.#unsaved.clear();
    return states;
  }

  #restore({ series, stats: statsText, firstTimeNs, writtenRows }: TableState): void {
    const stats = parseTableStats(statsText);
    if (stats === undefined) return;
    this.#columns += stats.columns.size;
    const table = { series, stats, firstTimeNs: BigInt(firstTimeNs), writtenRows, writtenMs: 0 };
    this.#tables.set(series, table);
    // The summary may lack the last rows before the restart.
    if (writtenRows < stats.rows) this.#dirty.add(table);
  }

  #createTable({ series, keys }: MetadataLine, firstTimeNs: bigint): Table | undefined {
    if (this.#columns + keys.length > MAX_COLUMNS) {
      if (!this.#isFull) {
        this.#isFull = true;
        this.#options.onFull(
          `more than ${MAX_COLUMNS} different columns were printed; the rows of further tables are stored without a summary`
        );
      }
      return undefined;
    }
    this.#columns += keys.length;
    const stats = createTableStats();
    const table: Table = { series, stats, firstTimeNs, writtenRows: 0, writtenMs: 0 };
    this.#tables.set(series, table);
    return table;
  }

  #write(table: Table): void {
    const { series, stats, firstTimeNs: timeNs } = table;
    const x = inferXAxis(stats)?.key;
    const keys = [...stats.columns.keys()];
    const summary = { series, keys, stats, x, rows: stats.rows, timeNs };
    this.#options.points.addPoint(createSeriesPoint(this.#options.source, summary));
    this.#unsaved.add(table);
    table.writtenRows = stats.rows;
    table.writtenMs = this.#options.nowMs();
    this.#dirty.delete(table);
  }
}
