import { describeBuckets, findBuckets } from '../../testing/bucket-law.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { storePoints } from '../../testing/stored-points.js';

/** The line of a row, in one of two orders, with a value that is now and then no number. */
function formatRow(i: number): string {
  const loss = i % 7 === 0 ? 'null' : String(Math.sin(i));
  return i % 5 === 0 ? `{"loss": ${loss}, "level": ${i}}\n` : `{"level": ${i}, "loss": ${loss}}\n`;
}

/** A table that is printed in pieces of so many rows. */
async function log(rows: number, piece: number, format = formatRow): Promise<PipelineUnderTest> {
  const test = createPipelineUnderTest();
  for (let start = 0; start < rows; start += piece) {
    const lines = Array.from({ length: Math.min(piece, rows - start) }, (_, i) => format(start + i));
    await test.write('stdout', lines.join(''));
  }
  test.end();
  return test;
}

/** The point of the lowest numbers is always stored. */
function countBuckets(test: PipelineUnderTest): number {
  return describeBuckets(test.stored()).filter((point) => point.includes('"bucket_stat","min"')).length;
}

describe('the buckets of a table', () => {
  it.each([
    [0, 1023],
    [1, 1024],
    [1, 1055],
    [2, 1056],
  ])('are %i for %i rows', async (buckets, rows) => {
    expect(countBuckets(await log(rows, rows))).toBe(buckets);
  });

  it.each([1, 32, 1000, 2500])('are those of its rows, which come %i at once', async (piece) => {
    const stored = (await log(2500, piece)).stored();
    expect(describeBuckets(stored)).toEqual(findBuckets(stored));
  });

  it('count only rows with a number', async () => {
    const format = (i: number): string => (i % 2 === 0 ? '{"a": "text", "b": 1}\n' : '{"a": "text", "b": "none"}\n');
    const stored = (await log(5000, 5000, format)).stored();
    expect(describeBuckets(stored)).toEqual(findBuckets(stored));
    expect(describeBuckets(stored)).toHaveLength(2 + (2500 - 1024 - 4) / 32);
  });

  it('are none for a table of more than 1,000 keys', async () => {
    const format = (keys: number): string =>
      `{${Array.from({ length: keys }, (_, key) => `"k${key}": 1`).join(', ')}}\n`;
    // Only these are parsed: the rows are some megabytes.
    const findBucketLines = async (keys: number): Promise<string[]> =>
      (await log(1024, 1024, () => format(keys)))
        .text()
        .split('\n')
        .filter((written) => written.startsWith('job_metadata_bucket,'));
    expect(describeBuckets(storePoints(await findBucketLines(1000)))).toHaveLength(1);
    expect(await findBucketLines(1001)).toEqual([]);
  });

  it('are none for a table beyond 10,000 columns in all', async () => {
    const test = createPipelineUnderTest();
    const tables = Array.from({ length: 10 }, (_, table) =>
      Array.from({ length: 1000 }, (_, key) => `"t${table}k${key}": 1`)
    );
    await test.write('stdout', tables.map((keys) => `{${keys.join(', ')}}\n`).join(''));
    await test.write('stdout', '{"loss": 1}\n'.repeat(1024));
    expect(describeBuckets(test.stored())).toHaveLength(0);
  });
});
