import { formatFieldKey, formatFieldValue, formatSeriesKey } from '../point/line-protocol.js';
import type { Point } from '../point/point.js';
import { type Bucket, BUCKET_STATS } from '../table/bucket-fold.js';
import { encodeFieldKey } from './field-name.js';
import { type JobSource, MEASUREMENT } from './measurements.js';
import { bucketTags } from './source-tags.js';

/** The field that says how many rows a bucket has. */
export const BUCKET_ROWS_FIELD = 'bucket_rows';
const STATS = BUCKET_STATS.length;

/** A table whose rows are folded into buckets. */
export interface BucketTable {
  /** The table's name (createSeriesName). */
  readonly series: string;
  /** Its keys, in the order of `Bucket.values`. */
  readonly keys: readonly string[];
}

/**
 * The statistics of one key, in the order of BUCKET_STATS, from those that are stored: the highest number is not if it
 * is the lowest too, nor the mean if it is in the middle between both, nor the last if it is the highest. That saves
 * three of four for a key that rarely changes, and two for one that rises evenly. Buckets of an older Joblens have no
 * mean: the middle is taken for it.
 */
export function completeBucketStats(min = NaN, max = min, mean = middleOf(min, max), last = max): readonly number[] {
  return [min, max, mean, last];
}

/** The mean that is not stored. The sum of both may be beyond all numbers. */
function middleOf(min: number, max: number): number {
  return min / 2 + max / 2;
}

/**
 * The `job_metadata_bucket` points of a bucket, at the time of its first row: one for each of BUCKET_STATS, with a
 * float field for each key with a number in the bucket, unless completeBucketStats knows it. That of `min` also has
 * `bucket_rows`. There is no point without fields.
 */
export function createBucketPoints(source: JobSource, { series, keys }: BucketTable, bucket: Bucket): Point[] {
  return BUCKET_STATS.flatMap((stat, s) => {
    const fields = new Map<string, number>();
    keys.forEach((key, i) => {
      const value = storedValue(bucket.values, i * STATS, s);
      if (value !== undefined) {
        fields.set(encodeFieldKey(key), value);
      }
    });
    if (stat === 'min') {
      fields.set(BUCKET_ROWS_FIELD, bucket.rows);
    }
    const tags = bucketTags(source, series, bucket.level, stat);
    return fields.size === 0 ? [] : [{ measurement: MEASUREMENT.metadataBucket, tags, fields, timeNs: bucket.timeNs }];
  });
}

/** The statistic `stat` of the key whose values begin at `at`; undefined if it is not stored. */
function storedValue(values: readonly number[], at: number, stat: number): number | undefined {
  const value = values[at + stat] ?? NaN;
  return Number.isNaN(value) || value === unstoredValue(values, at, stat) ? undefined : value;
}

/** What completeBucketStats takes for a statistic that is not stored. */
function unstoredValue(values: readonly number[], at: number, stat: number): number | undefined {
  const [min = NaN, max = NaN] = [values[at], values[at + 1]];
  switch (BUCKET_STATS[stat]) {
    case 'max':
      return min;
    case 'mean':
      return middleOf(min, max);
    case 'last':
      return max;
    default:
      return undefined;
  }
}

/** The beginnings of the points of one level's buckets, up to the space before their fields, one for each statistic. */
export function formatBucketSeriesKeys(source: JobSource, series: string, level: number): string[] {
  return BUCKET_STATS.map((stat) =>
    formatSeriesKey(MEASUREMENT.metadataBucket, bucketTags(source, series, level, stat))
  );
}

/** Writes the buckets of one table as line protocol. The result is that of formatPoint and createBucketPoints. */
export interface BucketFormatter {
  /** Each point ends with a newline. */
  format(bucket: Bucket): { readonly text: string; readonly points: number };
}

export function createBucketFormatter(source: JobSource, { series, keys }: BucketTable): BucketFormatter {
  const fieldHeads = keys.map((key) => formatFieldKey(encodeFieldKey(key)));
  const seriesKeys: string[][] = [];

  function formatFields({ values, rows }: Bucket, stat: number): string {
    let text = '';
    for (let i = 0; i < fieldHeads.length; i += 1) {
      const value = storedValue(values, i * STATS, stat);
      if (value !== undefined) {
        text += `,${fieldHeads[i] ?? ''}${formatFieldValue(value)}`;
      }
    }
    if (BUCKET_STATS[stat] === 'min') {
      text += `,${BUCKET_ROWS_FIELD}=${String(rows)}`;
    }
    return text.slice(1);
  }

  return {
    format(bucket) {
      const end = ` ${String(bucket.timeNs)}\n`;
      let [text, points] = ['', 0];
      (seriesKeys[bucket.level] ??= formatBucketSeriesKeys(source, series, bucket.level)).forEach((seriesKey, stat) => {
        const fields = formatFields(bucket, stat);
        if (fields !== '') {
          text += `${seriesKey} ${fields}${end}`;
          points += 1;
        }
      });
      return { text, points };
    },
  };
}
