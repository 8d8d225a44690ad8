import { countRowsToLook, followX } from '@joblens/core/axis/followed-x';
import type { PrintedTable } from '@joblens/core/metadata/metadata-reader';
import type { ColumnStats } from '@joblens/core/table/column-stats';
import type { TableStats } from '@joblens/core/table/table-stats';
import type { LineRange } from './line-range.js';
import { LINES_LAYOUT } from './lines-module.js';
import { measureBuckets, putBuckets, readFullBucket, readOpenBucket, type RunBuckets } from './metadata-buckets.js';
import { putColumns, readColumns } from './metadata-columns.js';
import { putPowersOfFive } from './powers-of-five.js';
import type { TableTree } from './table-tree.js';

const { INPUT_AT, TREE_AT, TABLE_FOLD, TABLE_COLUMNS, FOLDS_AT, FOLDS_BYTES, FOLD_COLUMNS, COLUMN_BYTES } =
  LINES_LAYOUT;
const { FOLD_ROWS, FOLD_COUNT, FOLD_BUCKET_ROWS, FOLD_X, FOLD_LOOK_ROWS } = LINES_LAYOUT;
const { FULL_AT, FULL_FOLD, FULL_VALUES, FULL_VALUE_BYTES } = LINES_LAYOUT;

/** Tells the kernel to fold nothing into buckets. */
const NO_BUCKETS = -1;
/** Tells it that there is no X, and that nobody looks for one. */
const [NO_X, NEVER] = [-1, 0];
/** The kernel takes it for nothing. */
const NOWHERE = 0;
const DOUBLE_BYTES = 8;

/** The exports of ingester/assembly/lines for metadata. */
export interface MetadataExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly writeMetadata: (start: number, end: number, headBytes: number) => number;
  readonly metadataPoints: { readonly value: number };
  readonly fullBuckets: { readonly value: number };
}

/**
 * What takes the rows of a table. All of it is in the order of the table's keys, those of its first row. X is followed.
 */
export interface RowFold {
  /** The statistics, and those of each column, if the table has any. */
  readonly stats: TableStats | undefined;
  readonly columns: readonly ColumnStats[];
  readonly buckets: RunBuckets | undefined;
  /** The place in the table's keys of each key of such lines; undefined if nothing is folded. */
  readonly placesOf: (layout: PrintedTable['layout']) => readonly number[] | undefined;
}

/** A run of metadata lines. */
export interface MetadataRun {
  readonly tables: TableTree;
  /** What takes the rows of lines that are printed so; undefined if nothing does. Called once for each such table. */
  readonly openFold: (layout: PrintedTable['layout']) => RowFold | undefined;
  readonly firstTimeNs: bigint;
  /**
   * Whether each line is also written as a log line, before its metadata points; and the beginning of that log line, up
   * to the quote before the line.
   */
  readonly withLog: boolean;
  readonly head: Uint8Array;
}

/** A fold in the kernel's memory. */
interface OpenFold {
  readonly fold: RowFold;
  readonly at: number;
  /** Number of columns. */
  readonly count: number;
}

/** The metadata lines of LineKernel: describes their tables to the kernel. */
export class MetadataKernel {
  readonly #exports: MetadataExports;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #tree: TableTree | undefined;
  #treeVersion = 0;
  #run: MetadataRun | undefined;
  /** The folds of this run, by the names of their tables: lines with the same keys in another order share one. */
  readonly #folds = new Map<string, OpenFold>();
  readonly #byAddress = new Map<number, OpenFold>();
  #foldsEnd = 0;
  /** The addresses of the tables that have one. */
  readonly #opened: number[] = [];

  constructor(exports: MetadataExports) {
    const { buffer } = exports.memory;
    this.#exports = exports;
    this.#bytes = Buffer.from(buffer);
    this.#view = new DataView(buffer);
    putPowersOfFive(this.#view);
  }

  /** Writes and folds lines of the input; returns how many. */
  write({ start, end }: LineRange, run: MetadataRun): number {
    if (run.tables.isEmpty) return 0;
    this.#setTree(run.tables);
    this.#run = run;
    this.#foldsEnd = FOLDS_AT;
    try {
      const lines = this.#exports.writeMetadata(start, end, run.withLog ? run.head.length : 0);
      this.#readFolds(run.firstTimeNs);
      return lines;
    } finally {
      this.#closeFolds();
    }
  }

  /** The kernel asks for what takes the rows of the table at this address, and gets the address of that. */
  openFold(table: number): number {
    const layout = this.#run?.tables.layoutAt(table);
    if (layout === undefined) return NOWHERE;
    const open = this.#folds.get(layout.series) ?? this.#putFold(layout);
    if (open === undefined) return NOWHERE;
    open.fold.placesOf(layout)?.forEach((place, i) => this.#view.setInt32(table + TABLE_COLUMNS + 4 * i, place, true));
    this.#view.setUint32(table + TABLE_FOLD, open.at, true);
    this.#opened.push(table);
    return open.at;
  }

  #putFold(layout: PrintedTable['layout']): OpenFold | undefined {
    const fold = this.#run?.openFold(layout);
    if (fold === undefined) return undefined;
    const { stats, columns, buckets } = fold;
    const [view, at, count] = [this.#view, this.#foldsEnd, layout.keys.length];
    const bucketsAt = alignDouble(at + FOLD_COLUMNS + count * COLUMN_BYTES);
    const end = alignDouble(bucketsAt + (buckets === undefined ? 0 : measureBuckets(buckets, count)));
    if (end > FOLDS_AT + FOLDS_BYTES) return undefined;
    view.setInt32(at + FOLD_COUNT, count, true);
    view.setInt32(at + FOLD_BUCKET_ROWS, NO_BUCKETS, true);
    putStats(view, at, stats, columns);
    if (buckets !== undefined) putBuckets(this.#bytes, view, at, bucketsAt, { buckets, count });
    const open = { fold, at, count };
    this.#folds.set(layout.series, open);
    this.#byAddress.set(at, open);
    this.#foldsEnd = end;
    return open;
  }

  /** The kernel asks for it where rows of a fold have come after which X is looked at: the others go on as they are. */
  lookAtX(at: number): void {
    const open = this.#byAddress.get(at);
    if (open?.fold.stats === undefined) return;
    this.#readStats(open, open.fold.stats);
    followX(open.fold.stats);
    putStats(this.#view, at, open.fold.stats, open.fold.columns);
  }

  #setTree(tree: TableTree): void {
    if (this.#tree === tree && this.#treeVersion === tree.version) return;
    this.#bytes.set(tree.bytes, TREE_AT);
    this.#tree = tree;
    this.#treeVersion = tree.version;
  }

  #readFolds(firstTimeNs: bigint): void {
    this.#readFullBuckets(firstTimeNs);
    const view = this.#view;
    for (const open of this.#folds.values()) {
      const { fold, at } = open;
      if (fold.buckets !== undefined) readOpenBucket(view, at, fold.buckets, firstTimeNs);
      if (fold.stats !== undefined) this.#readStats(open, fold.stats);
    }
  }

  #readStats({ fold, at }: OpenFold, stats: TableStats): void {
    const rows = this.#view.getInt32(at + FOLD_ROWS, true);
    const counts = { rows, rowsBefore: stats.rows };
    stats.rows += rows;
    readColumns(this.#view, at + FOLD_COLUMNS, fold.columns, counts, (from, to) => this.#readText(from, to));
  }

  #readFullBuckets(firstTimeNs: bigint): void {
    const full = this.#exports.fullBuckets.value;
    if (full === 0) return;
    for (let [i, at] = [0, FULL_AT as number]; i < full; i += 1) {
      const open = this.#byAddress.get(this.#view.getUint32(at + FULL_FOLD, true));
      if (open?.fold.buckets === undefined) return;
      readFullBucket(this.#view, at, open.fold.buckets, firstTimeNs);
      at += FULL_VALUES + open.count * FULL_VALUE_BYTES;
    }
  }

  #closeFolds(): void {
    for (const table of this.#opened) this.#view.setUint32(table + TABLE_FOLD, NOWHERE, true);
    this.#opened.length = 0;
    this.#folds.clear();
    this.#byAddress.clear();
    this.#run = undefined;
  }

  #readText(start: number, end: number): string {
    const text = this.#bytes.toString('utf8', INPUT_AT + start, INPUT_AT + end);
    // The kernel takes no other escapes.
    return text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text;
  }
}

/** Puts the statistics of a fold: its rows are counted from here on. */
function putStats(view: DataView, at: number, stats: TableStats | undefined, columns: readonly ColumnStats[]): void {
  view.setInt32(at + FOLD_ROWS, 0, true);
  view.setInt32(at + FOLD_X, stats === undefined ? NO_X : findFollowed(stats, columns), true);
  view.setInt32(at + FOLD_LOOK_ROWS, stats === undefined ? NEVER : countRowsToLook(stats.rows), true);
  putColumns(view, at + FOLD_COLUMNS, columns);
}

/** The place of the column of X; -1 for none. */
function findFollowed(stats: TableStats, columns: readonly ColumnStats[]): number {
  const column = stats.x === undefined ? undefined : stats.columns.get(stats.x);
  return column === undefined ? NO_X : columns.indexOf(column);
}

function alignDouble(address: number): number {
  return Math.ceil(address / DOUBLE_BYTES) * DOUBLE_BYTES;
}
