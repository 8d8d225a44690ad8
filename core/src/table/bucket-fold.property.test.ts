import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import {
  type Bucket,
  BUCKET_FACTOR,
  type BucketFoldState,
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

/** Blocks of 32 are added one after the other, then their sums: of exact sums it is the mean itself. */
function meanOf(numbers: readonly number[]): number {
  const scale = 2 ** Math.ceil(Math.log2(numbers.length));
  const sum = numbers.reduce((all, number) => all + number / scale, 0);
  return Math.max(Math.min(...numbers), Math.min(Math.max(...numbers), (sum / numbers.length) * scale));
}

/** Whether the means differ by no more than rounding does, compared with the largest number. */
function expectSameBuckets(found: readonly Bucket[], expected: readonly Bucket[]): void {
  const withoutMeans = ({ values, ...bucket }: Bucket) => ({
    ...bucket,
    values: values.filter((_, at) => at % 4 !== 2),
  });
  expect(found.map(withoutMeans)).toEqual(expected.map(withoutMeans));
  found.forEach(({ values }, at) => {
    const wanted = expected[at]?.values ?? [];
    for (let mean = 2; mean < values.length; mean += 4) {
      const size = Math.max(Math.abs(wanted[mean - 2] ?? NaN), Math.abs(wanted[mean - 1] ?? NaN));
      const difference = Math.abs((values[mean] ?? NaN) / 2 - (wanted[mean] ?? NaN) / 2);
      if (Number.isNaN(wanted[mean])) expect(values[mean]).toBeNaN();
      else expect(difference).toBeLessThanOrEqual(size * 1e-13 + 1e-300);
    }
  });
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
        return [sorted[0], sorted.at(-1), meanOf(numbers), numbers.at(-1)].map((number) => number ?? NaN);
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
        expectSameBuckets(byLevel(foldAll(keys, rows)), byLevel(findBuckets(keys, rows)));
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
    expect(formatBucketFold(fold, 40_000).open).toEqual([[String(timeOf(40_000)), 1, 1, 1 / 32, 1, 1]]);
  });

  const meansOf = (rows: readonly Row[], fold = createBucketFold(1)): number[] =>
    rows.flatMap((row, i) => foldIntoBuckets(fold, row, timeOf(i))).flatMap(({ values }) => values[2] ?? []);
  const rowsOf = (count: number, valueOf: (at: number) => number | string): Row[] =>
    Array.from({ length: count }, (_, at) => [valueOf(at)]);

  it.each<[string, (at: number) => number | string, number]>([
    ['of the largest numbers', () => Number.MAX_VALUE, Number.MAX_VALUE],
    ['of numbers whose sum is beyond all', (at) => 2 ** 1023 * (1 + (at % 2) / 2), 2 ** 1023 * 1.25],
    ['of the two ends', (at) => (at % 2 === 0 ? 1 : -1) * Number.MAX_VALUE, 0],
    ['of integers beyond 2^53', (at) => 2 ** 60 + (at % 2) * 2 ** 20, 2 ** 60 + 2 ** 19],
    ['of what counts', (at) => at, 511.5],
    ['of the smallest number', () => Number.MIN_VALUE, Number.MIN_VALUE],
    ['of a zero of either sign', (at) => (at % 2 === 0 ? -0 : 0), 0],
  ])('has the mean %s', (_name, valueOf, mean) => {
    expect(meansOf(rowsOf(1024, valueOf))).toEqual([mean]);
  });

  it('weighs the buckets of a mean by their numbers', () => {
    // A number in the first 32 rows, 31 in each of the others.
    const fold = createBucketFold(2);
    const rows = Array.from({ length: 1024 }, (_, at): Row => {
      return [1, at < 32 ? (at === 0 ? 993 : 'n/a') : at % 32 === 0 ? 'n/a' : 1];
    });
    const [full] = rows.flatMap((row, i) => foldIntoBuckets(fold, row, timeOf(i)));
    expect(full?.values.slice(4)).toEqual([1, 993, (993 + 31 * 31) / (1 + 31 * 31), 1]);
  });

  it('knows no mean of a bucket that an older Joblens began, and goes on', () => {
    const old: BucketFoldState = {
      rows: 1030,
      open: [
        ['5', 1, 9, 4, 2, null, null, null, null],
        ['0', 0, 9, 0, 9, 1, 1, 1, 1],
      ],
    };
    const fold = restoreBucketFold(2, JSON.parse(JSON.stringify(old)) as BucketFoldState);
    const found = Array.from({ length: 26 + 32 }, (_, i) => foldIntoBuckets(fold, [i, 7], timeOf(i))).flat();
    expect(found.map(({ values }) => values)).toEqual([
      [0, 25, NaN, 25, 7, 7, 7, 7],
      [26, 57, 41.5, 57, 7, 7, 7, 7],
    ]);
    const restored = restoreBucketFold(2, JSON.parse(JSON.stringify(formatBucketFold(fold))) as BucketFoldState);
    expect(restored).toEqual(fold);
  });
});
