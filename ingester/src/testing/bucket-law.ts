import type { Point } from '@joblens/core/point/point';
import { BUCKET_STATS } from '@joblens/core/table/bucket-fold';

const FACTOR = 32;
/** Rows that have no bucket of level 1. */
const FIRST_ROWS = 1024;

/** A bucket's point as text, with its fields in no order. */
export function describeBuckets(points: readonly Point[]): string[] {
  return points
    .filter(({ measurement }) => measurement === 'job_metadata_bucket')
    .map(({ tags, fields, timeNs }) => describe(new Map(tags), new Map(fields), timeNs))
    .sort();
}

/** The buckets that the stored rows should have, found by looking at all rows of each. */
export function findBuckets(points: readonly Point[]): string[] {
  const tables = new Map<string, Point[]>();
  for (const point of points.filter(({ measurement }) => measurement === 'job_metadata')) {
    const name = JSON.stringify([...point.tags].sort());
    tables.set(name, [...(tables.get(name) ?? []), point]);
  }
  return [...tables.values()].flatMap(findTableBuckets).sort();
}

function findTableBuckets(rows: readonly Point[]): string[] {
  const buckets: string[] = [];
  for (let level = 1, size = FACTOR; size <= rows.length; level += 1, size *= FACTOR) {
    for (let start = level === 1 ? FIRST_ROWS : 0; start + size <= rows.length; start += size) {
      const part = rows.slice(start, start + size);
      const [{ tags, timeNs } = { tags: new Map<string, string>(), timeNs: 0n }] = part;
      const keys = new Set(part.flatMap(({ fields }) => [...fields.keys()]));
      BUCKET_STATS.forEach((stat, s) => {
        const fields = new Map<string, unknown>(stat === 'min' ? [['bucket_rows', size]] : []);
        for (const key of keys) {
          const [min = NaN, max = NaN, mean, last] = summarise(
            part.map((row) => row.fields.get(key)).map((value) => (value === undefined ? NaN : Number(value)))
          );
          // A statistic that another one says is not stored.
          const stored = [min, max === min ? undefined : max, mean === (min + max) / 2 ? undefined : mean];
          const value = [...stored, last === max ? undefined : last][s];
          if (value !== undefined) fields.set(key, value);
        }
        const bucketTags = new Map([...tags, ['bucket_level', String(level)], ['bucket_stat', stat]] as const);
        if (fields.size > 0) buckets.push(describe(bucketTags, fields, timeNs));
      });
    }
  }
  return buckets;
}

/** In the order of BUCKET_STATS; NaN for a row without a number. */
function summarise(cells: readonly number[]): Array<number | undefined> {
  const numbers = cells.filter((cell) => !Number.isNaN(cell));
  const sorted = [...numbers].sort((a, b) => a - b);
  return [sorted[0], sorted.at(-1), meanOf(cells, numbers.length), numbers.at(-1)];
}

/** As it is folded: 32 rows after 32 rows, then the parts of 32 such sums, and so on. */
function meanOf(cells: readonly number[], count: number): number {
  let sums = cells.map((cell) => (Number.isNaN(cell) ? 0 : cell));
  let scale = 1;
  while (sums.length > 1) {
    const parts = sums;
    scale *= FACTOR;
    sums = Array.from({ length: Math.ceil(parts.length / FACTOR) }, (_, at) =>
      parts.slice(at * FACTOR, (at + 1) * FACTOR).reduce((sum, part) => sum + part / FACTOR, 0)
    );
  }
  return ((sums[0] ?? NaN) / count) * scale;
}

function describe(tags: ReadonlyMap<string, string>, fields: ReadonlyMap<string, unknown>, timeNs: bigint): string {
  return JSON.stringify([[...tags].sort(), [...fields].sort(), String(timeNs)]);
}
