import fc from 'fast-check';
import { formatPoint } from '../point/line-protocol.js';
import { type Bucket, BUCKET_STATS } from '../table/bucket-fold.js';
import { completeBucketStats, createBucketFormatter, createBucketPoints } from './bucket-point.js';
import { RESERVED_KEYS } from './field-name.js';

const SOURCE = { job: 'alpha/1', user: 'ann' };

describe('createBucketPoints', () => {
  it('writes a point for each statistic, without keys that have no number', () => {
    const bucket = { level: 2, rows: 1024, timeNs: 5n, values: [-1, 9, 3, 4.5, NaN, NaN, NaN, NaN] };
    const table = { series: 'a,b', keys: ['a', 'b'] };
    expect(createBucketPoints({ ...SOURCE, task: '3' }, table, bucket).map(formatPoint)).toEqual(
      ['min a=-1,bucket_rows=1024', 'max a=9', 'mean a=3', 'last a=4.5'].map((each) => {
        const [stat = '', fields = ''] = each.split(' ');
        const tags = `bucket_level=2,bucket_stat=${stat},job=alpha/1,series=a\\,b,task=3,user=ann`;
        return `job_metadata_bucket,${tags} ${fields} 5`;
      })
    );
  });

  it('writes no statistic that another one says', () => {
    const constant = [1, 1, 1, 1];
    const rising = [1, 9, 5, 9];
    const falling = [1, 9, 6, 1];
    const even = [1, 9, 5, 1];
    const values = [constant, rising, falling, even].flat();
    const table = { series: 'a,b,c,d', keys: ['a', 'b', 'c', 'd'] };
    const points = createBucketPoints(SOURCE, table, { level: 1, rows: 32, timeNs: 5n, values });
    expect(points.map(({ tags, fields }) => [tags.get('bucket_stat'), [...fields.keys()].join()])).toEqual([
      ['min', 'a,b,c,d,bucket_rows'],
      ['max', 'b,c,d'],
      ['mean', 'c'],
      ['last', 'c,d'],
    ]);
  });

  it('loses no statistic', () => {
    const stats = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 }).map((numbers) => {
      const sorted = [...numbers].sort((a, b) => a - b);
      const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
      return [sorted[0], sorted.at(-1), mean, numbers.at(-1)].map((number) => number ?? NaN);
    });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant([NaN, NaN, NaN, NaN]), stats), { minLength: 1, maxLength: 4 }),
        (all) => {
          const keys = all.map((_, i) => `k${i}`);
          const bucket = { level: 1, rows: 32, timeNs: 5n, values: all.flat() };
          const points = createBucketPoints(SOURCE, { series: 's', keys }, bucket);
          const read = keys.flatMap((key) => {
            const [min, max, mean, last] = BUCKET_STATS.map((stat) => {
              const value = points.find(({ tags }) => tags.get('bucket_stat') === stat)?.fields.get(key);
              return typeof value === 'number' ? value : undefined;
            });
            return completeBucketStats(min, max, mean, last);
          });
          expect(read).toEqual(bucket.values);
        }
      )
    );
  });

  it('has a mean of two numbers whose sum is beyond all numbers', () => {
    expect(completeBucketStats(1e308, 1.5e308)).toEqual([1e308, 1.5e308, 1.25e308, 1.5e308]);
    expect(completeBucketStats()).toEqual([NaN, NaN, NaN, NaN]);
  });

  it.each(['level', 'stat', 'rows', 'bucket'])('leaves the key %s as it is', (key) => {
    const bucket = { level: 1, rows: 32, timeNs: 5n, values: [1, 1, 1, 1] };
    const [point] = createBucketPoints(SOURCE, { series: key, keys: [key] }, bucket);
    expect([...(point?.fields ?? [])]).toEqual([
      [key, 1],
      ['bucket_rows', 32],
    ]);
  });

  it.each(RESERVED_KEYS)('keeps its own %s apart from a key of that name', (key) => {
    const bucket = { level: 1, rows: 32, timeNs: 5n, values: [1, 1, 1, 1] };
    const [point] = createBucketPoints(SOURCE, { series: key, keys: [key] }, bucket);
    expect([...(point?.fields ?? [])]).toEqual([
      [`${key}_`, 1],
      ['bucket_rows', 32],
    ]);
  });
});

describe('createBucketFormatter', () => {
  const name = fc.oneof(fc.constantFrom('loss', 'a b', 'x,y=z', '_', '\n', ''), fc.string({ unit: 'binary' }));
  const number = fc.oneof(
    fc.constant(NaN),
    fc.integer({ min: 0, max: 2 }),
    fc.double({ noNaN: true, noDefaultInfinity: true })
  );
  const bucket = (keys: number): fc.Arbitrary<Bucket> =>
    fc.record({
      level: fc.integer({ min: 1, max: 6 }),
      rows: fc.constantFrom(32, 1024, 32_768),
      timeNs: fc.bigInt({ min: 0n, max: 1_800_000_000_000_000_000n }),
      values: fc.array(number, { minLength: 4 * keys, maxLength: 4 * keys }),
    });

  it('writes buckets as formatPoint writes their points', () => {
    const drawn = fc
      .uniqueArray(name, { minLength: 1, maxLength: 4 })
      .chain((keys) => fc.tuple(fc.constant(keys), fc.array(bucket(keys.length), { maxLength: 5 })));
    fc.assert(
      fc.property(drawn, fc.option(name, { nil: undefined }), name, ([keys, buckets], task, job) => {
        const source = task === undefined ? { job, user: 'ann' } : { job, user: 'ann', task };
        const table = { series: keys.join(','), keys };
        const formatter = createBucketFormatter(source, table);
        for (const each of buckets) {
          const points = createBucketPoints(source, table, each);
          const text = points.map((point) => `${formatPoint(point)}\n`).join('');
          expect(formatter.format(each)).toEqual({ text, points: points.length });
        }
      })
    );
  });
});
