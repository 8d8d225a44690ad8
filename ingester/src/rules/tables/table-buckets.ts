import type { MetadataLine } from '@joblens/core/metadata/metadata-reader';
import type { JobSource } from '@joblens/core/schema/measurements';
import {
  type Bucket,
  type BucketFold,
  type BucketFoldState,
  createBucketFold,
  foldIntoBuckets,
  formatBucketFold,
  restoreBucketFold,
} from '@joblens/core/table/bucket-fold';
import { type BucketFormatter, createBucketFormatter, formatBucketSeriesKeys } from '@joblens/core/schema/bucket-point';
import { formatBucketHeads, type RunBuckets } from '../../kernels/metadata-buckets.js';
import type { PointWriter } from '../writing/point-writer.js';

export interface TableBucketsOptions {
  readonly source: JobSource;
  readonly points: PointWriter;
  readonly series: string;
  readonly keys: readonly string[];
  /** The state from before a restart. */
  readonly state?: BucketFoldState;
}

/** The buckets of one table: rows are folded into them, and each that is full is written once. */
export class TableBuckets {
  readonly #options: TableBucketsOptions;
  readonly #fold: BucketFold;
  #formatter: BucketFormatter | undefined;
  #run: RunBuckets | undefined;
  readonly #full: Bucket[] = [];
  #savedRows = 0;

  constructor(options: TableBucketsOptions) {
    const { keys, state } = options;
    this.#options = options;
    this.#fold = state === undefined ? createBucketFold(keys.length) : restoreBucketFold(keys.length, state);
    this.#savedRows = this.#fold.rows;
  }

  addRow(line: MetadataLine, timeNs: bigint): void {
    const values = this.#options.keys.map((key) => line.numberOf(key) ?? '');
    this.#write(foldIntoBuckets(this.#fold, values, timeNs));
  }

  /** The buckets for a run of lines. Call `afterRun` after it. */
  forRun(): RunBuckets {
    const { source, series } = this.#options;
    this.#run ??= {
      fold: this.#fold,
      heads: formatBucketHeads(formatBucketSeriesKeys(source, series, 1)),
      full: this.#full,
    };
    return this.#run;
  }

  afterRun(): void {
    this.#write(this.#full);
    this.#full.length = 0;
  }

  /** `change`: what has changed since the last call. */
  takeState(kind: 'whole' | 'change'): BucketFoldState {
    const state = formatBucketFold(this.#fold, kind === 'whole' ? undefined : this.#savedRows);
    this.#savedRows = this.#fold.rows;
    return state;
  }

  #write(full: readonly Bucket[]): void {
    if (full.length === 0) return;
    const { source, points, series, keys } = this.#options;
    this.#formatter ??= createBucketFormatter(source, { series, keys });
    for (const bucket of full) {
      const formatted = this.#formatter.format(bucket);
      points.addText(formatted.text, formatted.points);
    }
  }
}
