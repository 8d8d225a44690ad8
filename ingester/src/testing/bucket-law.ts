import type { Point } from '@joblens/core';
import { BUCKET_STATS } from '@joblens/core';

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
          const [min, max, first, last] = summarise(part.flatMap((row) => row.fields.get(key) ?? []).map(Number));
          // A statistic that another one says is not stored.
          const stored = [min, max === min ? undefined : max, first === min ? undefined : first];
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

/** In the order of BUCKET_STATS. */
function summarise(numbers: readonly number[]): Array<number | undefined> {
  const sorted = [...numbers].sort((a, b) => a - b);
  return [sorted[0], sorted.at(-1), numbers[0], numbers.at(-1)];
}

function describe(tags: ReadonlyMap<string, string>, fields: ReadonlyMap<string, unknown>, timeNs: bigint): string {
  return JSON.stringify([[...tags].sort(), [...fields].sort(), String(timeNs)]);
}
