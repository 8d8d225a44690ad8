import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import type { Bucket, BucketFoldState } from './bucket-fold.js';
import {
  BUCKET_FACTOR,
  BUCKETS_AFTER_ROWS,
  createBucketFold,
  foldIntoBuckets,
  formatBucketFold,
  mergeBucketFoldState,
  restoreBucketFold,
} from './bucket-fold.js';

type Row = ReadonlyArray<number | string>;

const MAX_KEYS = 3;

/** A value for each key; where it comes from one number, tables may be long. */
const value = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -9, max: 9 }) },
  { weight: 2, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.constantFrom('null', 'a', '1') }
);
const pieces = fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 60 });

/** Tables of up to 70,000 rows, so with buckets of level 3. A few rows come again, with a number that counts. */
const table = fc
  .record({
    keys: fc.integer({ min: 1, max: MAX_KEYS }),
    pieces,
    rows: fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 2500 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
      { weight: 2, arbitrary: fc.constantFrom(31, 32, 33, 1023, 1024, 1025, 1055, 1056, 1057, 2048, 32_768) }
    ),
  })
  .map((drawn) => ({
    keys: drawn.keys,
    rows: Array.from({ length: drawn.rows }, (_, i): Row => {
      const piece = drawn.pieces[i % drawn.pieces.length] ?? [0, 0, 0];
      const row = piece.slice(0, drawn.keys);
      return row.map((item, key) => (typeof item === 'number' && key === 0 ? item + i : item));
    }),
  }));

function timeOf(i: number): bigint {
  return 1_700_000_000_000_000_000n + BigInt(i) * 1000n;
}

/** The law: looks at all rows of each bucket. */
function findBuckets(keys: number, rows: readonly Row[]): Bucket[] {
  const timed = rows.map((row, i) => ({ row, timeNs: timeOf(i) }));
  const counted = timed.filter(({ row }) => row.some((item) => typeof item === 'number'));
  const buckets: Bucket[] = [];
  for (let level = 1, size = BUCKET_FACTOR; size <= counted.length; level += 1, size *= BUCKET_FACTOR) {
    for (let start = 0; start + size <= counted.length; start += size) {
      if (level === 1 && start < BUCKETS_AFTER_ROWS) continue;
      const part = counted.slice(start, start + size);
      const values = Array.from({ length: keys }, (_, key) => {
        const numbers = part.flatMap(({ row }) => {
          const item = row[key];
          return typeof item === 'number' ? [item + 0] : [];
        });
        if (numbers.length === 0) return [NaN, NaN, NaN, NaN];
        const sorted = [...numbers].sort((a, b) => a - b);
        return [sorted[0], sorted.at(-1), numbers[0], numbers.at(-1)].map((number) => number ?? NaN);
      });
      buckets.push({ level, rows: size, timeNs: part[0]?.timeNs ?? 0n, values: values.flat() });
    }
  }
  return buckets;
}

function byLevel(buckets: readonly Bucket[]): Bucket[] {
  return [...buckets].sort((a, b) => a.level - b.level || Number(a.timeNs - b.timeNs));
}

function foldAll(keys: number, rows: readonly Row[]): Bucket[] {
  const fold = createBucketFold(keys);
  return rows.flatMap((row, i) => foldIntoBuckets(fold, row, timeOf(i)));
}

describe('foldIntoBuckets', () => {
  it('gives what a look at all rows of each bucket gives', () => {
    fc.assert(
      fc.property(table, ({ keys, rows }) => {
        expect(byLevel(foldAll(keys, rows))).toEqual(byLevel(findBuckets(keys, rows)));
      }),
      { numRuns: randomCases(30) }
    );
  });

  it('gives the same when its state is saved and restored at any row, whole or by changes', () => {
    fc.assert(
      fc.property(
        table,
        fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 12 }),
        ({ keys, rows }, stops) => {
          const isRestart = new Map(stops.map(([at, restart]) => [at % (rows.length + 1), restart]));
          let fold = createBucketFold(keys);
          let saved: BucketFoldState = formatBucketFold(fold);
          let savedRows = 0;
          const found = rows.flatMap((row, i) => {
            const restart = isRestart.get(i);
            if (restart !== undefined) {
              const change = JSON.parse(JSON.stringify(formatBucketFold(fold, savedRows))) as BucketFoldState;
              saved = mergeBucketFoldState(saved, change);
              savedRows = fold.rows;
              expect(saved).toEqual(formatBucketFold(fold));
              if (restart) fold = restoreBucketFold(keys, saved);
            }
            return foldIntoBuckets(fold, row, timeOf(i));
          });
          expect(found).toEqual(foldAll(keys, rows));
        }
      ),
      { numRuns: randomCases(30) }
    );
  });

  it('changes only the finest level in most states', () => {
    const fold = createBucketFold(1);
    for (let i = 0; i < 40_000; i += 1) foldIntoBuckets(fold, [i], timeOf(i));
    expect(fold.open).toHaveLength(4);
    expect(formatBucketFold(fold).open).toHaveLength(4);
    foldIntoBuckets(fold, [1], timeOf(40_000));
    expect(formatBucketFold(fold, 40_000).open).toEqual([[String(timeOf(40_000)), 1, 1, 1, 1]]);
  });
});
