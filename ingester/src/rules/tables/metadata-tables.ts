import {
  createMetadataReader,
  type MetadataLine,
  type MetadataReader,
  type PrintedTable,
} from '@joblens/core/metadata/metadata-reader';
import type { JobSource } from '@joblens/core/schema/measurements';
import { findNonfiniteMetrics, type NonfiniteMetric } from '@joblens/core/signals/nonfinite-metric';
import { type BucketFoldState, mergeBucketFoldState } from '@joblens/core/table/bucket-fold';
import type { ColumnStats } from '@joblens/core/table/column-stats';
import type { KeyPaths } from '@joblens/core/table/metadata-row';
import {
  createTableStats,
  foldLate,
  formatTableStats,
  parseTableStats,
  type TableStats,
} from '@joblens/core/table/table-stats';
import { followX } from '@joblens/core/axis/followed-x';
import { inferXAxis } from '@joblens/core/axis/x-axis';
import { createRowFormatter } from '@joblens/core/metadata/row-json';
import { createSeriesPoint, SUMMARIES_SPREAD_NS } from '@joblens/core/schema/metadata-point';
import { formatKeyPaths, parseKeyPaths } from '@joblens/core/table/key-paths';
import type { RowFold } from '../../kernels/metadata-kernel.js';
import type { PointWriter } from '../writing/point-writer.js';
import type { Rewrites } from '../writing/rewrites.js';
import { TableBuckets } from './table-buckets.js';

const REWRITE_INTERVAL_MS = 1000;
/** By how many times a table grows until its next summary, and by how many where the last one is this new. */
const [GROWTH, FAST_GROWTH, FAST_MS] = [2, 8, 100];
/** Where each summary is a new point, the next one waits until the table is older by this part of its age. */
const AGE_PART = 16;
/** Each table is a few series of the store, which everybody shares. */
export const DEFAULT_MAX_TABLES = 1000;
/** The key of the table that takes the rows of all further ones, each as JSON. */
const ROW_KEY = 'row';
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
  /** The key paths of its first row. */
  readonly paths: KeyPaths;
  readonly firstTimeNs: bigint;
  /** That of the newest summary. */
  summaryNs: bigint;
  readonly openedMs: number;
  writtenRows: number;
  writtenMs: number;
  /** For a table with runs of lines: its columns in their order, and where the keys of lines are in it. */
  columns?: readonly ColumnStats[];
  placesOf?: RowFold['placesOf'];
}

/** A table as JSON, enough to continue it after a restart. */
export interface TableState {
  readonly series: string;
  readonly stats: string;
  readonly firstTimeNs: string;
  readonly writtenRows: number;
  /** Left out where it is `firstTimeNs`. */
  readonly summaryNs?: string;
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
  readonly monotonicMs: () => number;
  readonly points: PointWriter;
  readonly rewrites: Rewrites;
  /** Summaries are written by `writeDue` at the end alone: they change no more then. */
  readonly summarizesAtEnd?: true;
  /** How many tables the job may have, besides the one for the rows of all others. */
  readonly maxTables: number;
  /** Called once when there are too many tables, and once when they have more columns than have statistics. */
  readonly onFull: (message: string) => void;
  /** Called for each value that is not finite, of a key that was finite before. */
  readonly onNonfinite: (metric: NonfiniteMetric, timeNs: bigint) => void;
  /** Tables from before a restart. */
  readonly tables: readonly TableState[];
}

type TableLayout = PrintedTable['layout'];

/** Takes the rows of a table without statistics. */
const NO_FOLD = { stats: undefined, columns: [], buckets: undefined, placesOf: () => undefined };

/** The tables of one job: each metadata line becomes a row, and each table a summary that is rewritten in place. */
export class MetadataTables {
  readonly #options: MetadataTablesOptions;
  readonly #tables = new Map<string, Table>();
  readonly #dirty = new Set<Table>();
  /** Tables that changed since their state was last taken. */
  readonly #unsaved = new Set<Table>();
  /** Tables that a run of lines is folded into. */
  readonly #open: Table[] = [];
  #columns = 0;
  #bucketColumns = 0;
  #isFull = false;
  /** Tables without statistics. */
  readonly #bare = new Set<string>();
  readonly #rowReader: MetadataReader;
  #hasSaidTables = false;

  constructor(options: MetadataTablesOptions) {
    this.#options = options;
    this.#rowReader = createMetadataReader(options.source);
    for (const state of options.tables) this.#restore(state);
    // It was said before the restart.
    this.#hasSaidTables = this.#tables.size > options.maxTables;
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  /** Stores a row, and its table's summary if the table is new or has grown much since the last summary. */
  addRow(printed: MetadataLine, timeNs: bigint): void {
    const line = this.#hasRoomFor(printed.series) ? printed : this.#toWholeRow(printed);
    const { text, points } = line.formatPoints(String(timeNs));
    this.#options.points.addText(text, points);
    const table = this.#tables.get(line.series) ?? this.#createTable(line, timeNs);
    if (table === undefined) return;
    for (const metric of findNonfiniteMetrics(line.toRow(), table.stats)) this.#options.onNonfinite(metric, timeNs);
    line.foldInto(table.stats);
    table.buckets?.addRow(line, timeNs);
    this.#markChanged(table);
  }

  /** Stores a row that is older than some of its table, which it has not had yet. No bucket holds it. */
  addLateRow(line: MetadataLine, timeNs: bigint): void {
    const table = this.#tables.get(line.series);
    if (table === undefined) {
      this.addRow(line, timeNs);
      return;
    }
    const { text, points } = line.formatPoints(String(timeNs));
    this.#options.points.addText(text, points);
    foldLate(table.stats, () => line.foldInto(table.stats));
    this.#markChanged(table);
  }

  /** Whether rows of this table are stored as such. */
  #hasRoomFor(series: string): boolean {
    if (this.#tables.has(series) || this.#bare.has(series) || series === ROW_KEY) return true;
    return this.#tables.size + this.#bare.size < this.#options.maxTables;
  }

  /** The row as text, for the one table of all that have no room. */
  #toWholeRow(line: MetadataLine): MetadataLine {
    const { keys, paths } = line;
    if (!this.#hasSaidTables) {
      this.#hasSaidTables = true;
      const { maxTables } = this.#options;
      this.#options.onFull(
        `more than ${maxTables} different sets of keys were printed; the rows of further ones are stored whole, as text, in the table ${ROW_KEY}`
      );
    }
    const form = Array.from(paths, ([key, path]) => [key, { path, texts: 'both' }] as const);
    const text = createRowFormatter(keys, [...keys.filter((key) => !paths.has(key)).map(toForm), ...form])([
      ...line.toRow().values(),
    ]);
    return this.#rowReader.toLine('', new Map([[ROW_KEY, text]]));
  }

  /**
   * What takes the rows of lines that are printed alike. Call `afterRun` once they are folded.
   * Nothing does where there is no room for their table.
   */
  openFold(layout: TableLayout): RowFold | undefined {
    if (!this.#hasRoomFor(layout.series)) return undefined;
    const table = this.#tables.get(layout.series);
    if (table === undefined) return NO_FOLD;
    this.#open.push(table);
    const { stats, buckets } = table;
    table.columns ??= [...stats.columns.values()];
    table.placesOf ??= createPlaceFinder(stats);
    return { stats, columns: table.columns, placesOf: table.placesOf, buckets: buckets?.forRun() };
  }

  /** Call it after rows were folded into what `openFold` found. */
  afterRun(): void {
    for (const table of this.#open) {
      table.buckets?.afterRun();
      this.#markChanged(table);
    }
    this.#open.length = 0;
  }

  #markChanged(table: Table): void {
    followX(table.stats);
    this.#unsaved.add(table);
    this.#dirty.add(table);
    if (this.#options.summarizesAtEnd === true) return;
    if (this.#hasGrown(table) && this.#mayWrite(table)) this.#write(table);
  }

  /** Writes the changed summaries that are due, or all changed summaries if `isEnd`. */
  writeDue(isEnd: boolean): void {
    const { monotonicMs, rewrites } = this.#options;
    const nowMs = monotonicMs();
    for (const table of this.#dirty) {
      const ageMs = rewrites() === true ? 0 : nowMs - table.openedMs;
      if (
        isEnd ||
        (this.#mayWrite(table) && table.writtenMs + Math.max(REWRITE_INTERVAL_MS, ageMs / AGE_PART) <= nowMs)
      )
        this.#write(table);
    }
  }

  /** `whole`: all tables; `change`: the tables that changed since the last call. */
  takeState(kind: 'whole' | 'change'): TableState[] {
    const states: TableState[] = [];
    for (const table of kind === 'whole' ? this.#tables.values() : this.#unsaved) {
      const { series, stats, paths, firstTimeNs, summaryNs, writtenRows } = table;
      const buckets = table.buckets?.takeState(kind);
      states.push({
        ...{ series, stats: formatTableStats(stats), firstTimeNs: String(firstTimeNs), writtenRows },
        ...(summaryNs === firstTimeNs ? {} : { summaryNs: String(summaryNs) }),
        ...(paths.size === 0 ? {} : { paths: formatKeyPaths(paths) }),
        ...(buckets === undefined ? {} : { buckets }),
      });
    }
    this.#unsaved.clear();
    return states;
  }

  #restore(state: TableState): void {
    const { series, firstTimeNs, summaryNs = firstTimeNs, writtenRows, buckets: bucketState } = state;
    const stats = parseTableStats(state.stats);
    if (stats === undefined) return;
    this.#columns += stats.columns.size;
    // A table that began without buckets has none: they would not cover its first rows.
    const buckets =
      bucketState === undefined ? undefined : this.#createBuckets(series, [...stats.columns.keys()], bucketState);
    const paths = parseKeyPaths(state.paths ?? '');
    const times = {
      firstTimeNs: BigInt(firstTimeNs),
      summaryNs: BigInt(summaryNs),
      openedMs: this.#options.monotonicMs(),
    };
    const table = { series, stats, buckets, paths, ...times, writtenRows, writtenMs: 0 };
    this.#tables.set(series, table);
    // The summary may lack the last rows before the restart.
    if (writtenRows < stats.rows) this.#dirty.add(table);
  }

  #createTable({ series, keys, paths }: MetadataLine, firstTimeNs: bigint): Table | undefined {
    if (this.#columns + keys.length > MAX_COLUMNS && series !== ROW_KEY) {
      this.#bare.add(series);
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
    const times = { firstTimeNs, summaryNs: firstTimeNs, openedMs: this.#options.monotonicMs() };
    const table: Table = { series, stats, buckets, paths, ...times, writtenRows: 0, writtenMs: 0 };
    this.#tables.set(series, table);
    return table;
  }

  #createBuckets(series: string, keys: readonly string[], state?: BucketFoldState): TableBuckets | undefined {
    if (keys.length > MAX_BUCKET_KEYS || this.#bucketColumns + keys.length > MAX_BUCKET_COLUMNS) return undefined;
    this.#bucketColumns += keys.length;
    const { source, points } = this.#options;
    return new TableBuckets({ source, points, series, keys, ...(state === undefined ? {} : { state }) });
  }

  /** Whether it is known how a summary is written of which there is one already. */
  #mayWrite({ writtenRows }: Table): boolean {
    return writtenRows === 0 || this.#options.rewrites() !== undefined;
  }

  /** Whether a summary is due before its time; many tables that grow at once are not worth one at each doubling. */
  #hasGrown({ stats, writtenRows, writtenMs }: Table): boolean {
    if (stats.rows < writtenRows * GROWTH) return false;
    return stats.rows >= writtenRows * FAST_GROWTH || this.#options.monotonicMs() >= writtenMs + FAST_MS;
  }

  #write(table: Table): void {
    const { series, stats, paths } = table;
    const { summaryNs, firstTimeNs } = table;
    const isNewPoint = table.writtenRows > 0 && this.#options.rewrites() === false;
    if (isNewPoint && summaryNs + 1n < firstTimeNs + SUMMARIES_SPREAD_NS) table.summaryNs += 1n;
    const x = inferXAxis(stats)?.key;
    const keys = [...stats.columns.keys()];
    const summary = { series, keys, stats, x, rows: stats.rows, paths, timeNs: table.summaryNs };
    this.#options.points.addPoint(createSeriesPoint(this.#options.source, summary));
    this.#unsaved.add(table);
    table.writtenRows = stats.rows;
    table.writtenMs = this.#options.monotonicMs();
    this.#dirty.delete(table);
  }
}

/** A key whose texts may be JSON or strings. */
function toForm(key: string): readonly [string, { readonly texts: 'both' }] {
  return [key, { texts: 'both' }];
}

/** Finds the places of the keys of each layout among the columns, which come in the order of the first row. */
function createPlaceFinder({ columns }: TableStats): RowFold['placesOf'] {
  const placeOf = new Map([...columns.keys()].map((key, i) => [key, i]));
  const known = new WeakMap<TableLayout, readonly number[]>();
  return (layout) => {
    const places = known.get(layout) ?? layout.keys.map((key) => placeOf.get(key) ?? 0);
    known.set(layout, places);
    return places;
  };
}
