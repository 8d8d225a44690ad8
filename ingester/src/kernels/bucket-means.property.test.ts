import { createMetadataReader } from '@joblens/core/metadata/metadata-reader';
import { createBucketFormatter, formatBucketSeriesKeys } from '@joblens/core/schema/bucket-point';
import {
  type BucketFold,
  BUCKETS_AFTER_ROWS,
  createBucketFold,
  foldIntoBuckets,
} from '@joblens/core/table/bucket-fold';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { openLineKernel } from './line-kernel.js';
import { LoadedLines } from './loaded-lines.js';
import { formatBucketHeads } from './metadata-buckets.js';
import { TableTree } from './table-tree.js';

const SOURCE = { job: 'run[lr=3e-4].1', user: 'ann' };
const TABLE = { series: 'a', keys: ['a'] };
const START_NS = 1_700_000_000_000_000_000n;
const ROWS = 32;

/** The fold of a table that has just become long enough for buckets. */
function openFold(): BucketFold {
  return { ...createBucketFold(1), rows: BUCKETS_AFTER_ROWS };
}

/** The points of the bucket of so many rows, as the kernel writes them. */
function writeByKernel(numbers: readonly string[]): string {
  const lines = numbers.map((number) => `{"a": ${number}}\n`);
  const tables = new TableTree();
  const reader = createMetadataReader(SOURCE, tables);
  for (let i = 0; i < 2; i += 1) reader.read('{"a": 1}', { nonfinite: 'log' });
  const loaded = new LoadedLines(Buffer.from(lines.join('')), openLineKernel());
  const heads = formatBucketHeads(formatBucketSeriesKeys(SOURCE, TABLE.series, 1));
  const buckets = { fold: openFold(), heads, full: [] };
  const fold = { stats: undefined, columns: [], buckets, placesOf: () => undefined };
  const run = { tables, openFold: () => fold, firstTimeNs: START_NS, withLog: false, head: Buffer.alloc(0) };
  const written = loaded.writeMetadata({ start: 0, end: loaded.bytes.length }, run);
  expect([written?.lines, buckets.full]).toEqual([numbers.length, []]);
  return written?.points.toString().replace(/^job_metadata,.*\n/gm, '') ?? '';
}

/** The same by the law, with the numbers as they were printed. */
function writeByLaw(numbers: readonly string[]): string {
  const fold = openFold();
  const full = numbers.flatMap((number, i) => foldIntoBuckets(fold, [Number(number)], START_NS + BigInt(i) * 1000n));
  return full.map((bucket) => createBucketFormatter(SOURCE, TABLE).format(bucket).text).join('');
}

const fraction = fc.double({ noNaN: true, min: -1, max: 1 });

describe('the mean of a bucket in WebAssembly', () => {
  it.each([
    ['numbers near 0 and far from it', fc.tuple(fraction, fc.integer({ min: -40, max: 15 }))],
    ['numbers of like size', fc.tuple(fraction, fc.constant(0))],
    ['tiny numbers', fc.tuple(fraction, fc.integer({ min: -42, max: -38 }))],
    ['integers', fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 0, max: 12 }))],
  ])('is printed as ECMAScript prints it: %s', (_what, scaled) => {
    const number = scaled.map(([factor, power]) => String(Number(`${factor.toFixed(15)}e${power}`)));
    fc.assert(
      fc.property(fc.array(number, { minLength: ROWS, maxLength: ROWS }), (numbers) => {
        expect(writeByKernel(numbers)).toBe(writeByLaw(numbers));
      }),
      { numRuns: randomCases(200) }
    );
  });
});
