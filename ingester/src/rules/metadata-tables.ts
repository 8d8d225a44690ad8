import type {
  BucketFoldState,
  JobSource,
  KeyPaths,
  MetadataLine,
  NonfiniteMetric,
  PrintedTable,
  TableStats,
} from '@joblens/core';
import {
  createSeriesPoint,
  createTableStats,
  findNonfiniteMetrics,
  formatKeyPaths,
  formatTableStats,
  inferXAxis,
  mergeBucketFoldState,
  parseKeyPaths,
  parseTableStats,
} from '@joblens/core';
import type { RunBuckets } from '../kernels/metadata-buckets.js';
import type { PointWriter } from './point-writer.js';
import { TableBuckets } from './table-buckets.js';

const REWRITE_INTERVAL_MS = 1000;
/** Bounds the memory of the running statistics. The rows of later tables are stored all the same. */
const MAX_COLUMNS = 100_000;
/**
 * Bounds the memory of the buckets, and what they add to each record: wider tables have none, nor have tables beyond so
 * many columns in all. A graph of such a table is computed from its rows.
 */
const MAX_BUCKET_KEYS = 1000;
const MAX_BUCKET_COLUMNS = 10_000;

interface Table {
  readonly series: string;
  readonly stats: TableStats;
  readonly buckets: TableBuckets | undefined;
  /** Those of its first row. */
  readonly paths: KeyPaths;
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
  /** Left out if no key was nested. */
  readonly paths?: string;
  /** Only what has changed, in a change of the state. */
  readonly buckets?: BucketFoldState;
}

/** Newer states of tables replace older ones. */
export function mergeTableStates(older: readonly TableState[], newer: readonly TableState[]): TableState[] {
  const bySeries = new Map(older.map((table) => [table.series, table]));
  for (const table of newer) bySeries.set(table.series, mergeTableState(bySeries.get(table.series), table));
  return [...bySeries.values()];
}

function mergeTableState(older: TableState | undefined, newer: TableState): TableState {
  if (older?.buckets === undefined || newer.buckets === undefined) return newer;
  return { ...newer, buckets: mergeBucketFoldState(older.buckets, newer.buckets) };
}

export interface MetadataTablesOptions {
  readonly source: JobSource;
  readonly nowMs: () => number;
  readonly points: PointWriter;
  /** Called once, when the tables have more columns than have statistics. */
  readonly onFull: (message: string) => void;
  /** Called for each value that is not finite, of a key that was finite before. */
  readonly onNonfinite: (metric: NonfiniteMetric, timeNs: bigint) => void;
  /** Tables from before a restart. */
  readonly tables: readonly TableState[];
}

/** The folds of a table for a run of its rows. */
interface TableForRun {
  readonly stats: TableStats | undefined;
  readonly buckets: RunBuckets | undefined;
  readonly maxRows: number;
}

/** The tables of one job: each metadata line becomes a row, and each table a summary that is rewritten in place. */
export class MetadataTables {
  readonly #options: MetadataTablesOptions;
  readonly #tables = new Map<string, Table>();
  readonly #dirty = new Set<Table>();
  /** Tables that changed since their state was last taken. */
  readonly #unsaved = new Set<Table>();
  #columns = 0;
  #bucketColumns = 0;
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
    for (const metric of findNonfiniteMetrics(line.toRow(), table.stats)) this.#options.onNonfinite(metric, timeNs);
    line.foldInto(table.stats);
    table.buckets?.addRow(line, timeNs);
    this.#markChanged(table);
  }

  /** What takes the rows of a known table, and how many rows may come before its summary is due. */
  findForRun(layout: PrintedTable['layout']): TableForRun {
    const table = this.#tables.get(layout.series);
    if (table === undefined) return { stats: undefined, buckets: undefined, maxRows: Infinity };
    const { stats, buckets, writtenRows } = table;
    return { stats, buckets: buckets?.forRun(layout), maxRows: Math.max(1, writtenRows * 2 - stats.rows) };
  }

  /** Call it after rows were folded into what `findForRun` found. */
  afterRun(series: string): void {
    const table = this.#tables.get(series);
    if (table === undefined) return;
    table.buckets?.afterRun();
    this.#markChanged(table);
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
      const { series, stats, paths, firstTimeNs, writtenRows } = table;
      const buckets = table.buckets?.takeState(kind);
      states.push({
        ...{ series, stats: formatTableStats(stats), firstTimeNs: String(firstTimeNs), writtenRows },
        ...(paths.size === 0 ? {} : { paths: formatKeyPaths(paths) }),
        ...(buckets === undefined ? {} : { buckets }),
      });
    }
    this.#unsaved.clear();
    return states;
  }

  #restore(state: TableState): void {
    const { series, firstTimeNs, writtenRows, buckets: bucketState } = state;
    const stats = parseTableStats(state.stats);
    if (stats === undefined) return;
    this.#columns += stats.columns.size;
    // A table that began without buckets has none: they would not cover its first rows.
    const buckets =
      bucketState === undefined ? undefined : this.#createBuckets(series, [...stats.columns.keys()], bucketState);
    const paths = parseKeyPaths(state.paths ?? '');
    const table = { series, stats, buckets, paths, firstTimeNs: BigInt(firstTimeNs), writtenRows, writtenMs: 0 };
    this.#tables.set(series, table);
    // The summary may lack the last rows before the restart.
    if (writtenRows < stats.rows) this.#dirty.add(table);
  }

  #createTable({ series, keys, paths }: MetadataLine, firstTimeNs: bigint): Table | undefined {
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
    const buckets = this.#createBuckets(series, keys);
    const table: Table = { series, stats, buckets, paths, firstTimeNs, writtenRows: 0, writtenMs: 0 };
    this.#tables.set(series, table);
    return table;
  }

  #createBuckets(series: string, keys: readonly string[], state?: BucketFoldState): TableBuckets | undefined {
    if (keys.length > MAX_BUCKET_KEYS || this.#bucketColumns + keys.length > MAX_BUCKET_COLUMNS) return undefined;
    this.#bucketColumns += keys.length;
    const { source, points } = this.#options;
    return new TableBuckets({ source, points, series, keys, ...(state === undefined ? {} : { state }) });
  }

  #write(table: Table): void {
    const { series, stats, paths, firstTimeNs: timeNs } = table;
    const x = inferXAxis(stats)?.key;
    const keys = [...stats.columns.keys()];
    const summary = { series, keys, stats, x, rows: stats.rows, paths, timeNs };
    this.#options.points.addPoint(createSeriesPoint(this.#options.source, summary));
    this.#unsaved.add(table);
    table.writtenRows = stats.rows;
    table.writtenMs = this.#options.nowMs();
    this.#dirty.delete(table);
  }
}
