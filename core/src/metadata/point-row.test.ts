import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { parseLineProtocol } from '../point/parse-line-protocol.js';
import { createSeriesName, readSeriesOrigin } from '../schema/series-name.js';
import { DEFAULT_JOB_TAGS, type PointRow, readPointRow } from './point-row.js';

function read(line: string, jobTags = DEFAULT_JOB_TAGS): PointRow | undefined {
  const { points, errors } = parseLineProtocol(line, { precision: 'ns', defaultTimeNs: 1n });
  expect(errors).toEqual([]);
  const [point] = points;
  return point && readPointRow(point, { jobTags, user: 'ann' });
}

const readObject = (line: string): unknown => Object.fromEntries(read(line)?.row ?? []);

describe('a point of another program as a row of its job', () => {
  it.each([
    ['training_loss,job_id=7 iteration=1,value=0.45', { iteration: 1, training_loss: 0.45 }],
    ['m,job=7 a=1i,b=t,c=F,d="a \\"b\\"",e=-2.5', { a: 1, b: 1, c: 0, d: 'a "b"', e: -2.5 }],
    ['m,job=7,user=bob,host=n\\ 1 value=2', { m: 2, host: 'n 1' }],
    ['m,job=7,job_id=8 x=1', { x: 1, job_id: '8' }],
    // The name of the measurement is taken by another field, or by a tag.
    ['m,job=7 value=2,m=3', { value: 2, m: 3 }],
    ['m,job=7,m=a value=2', { value: 2, m: 'a' }],
    ['m,job=7,x=a x=2', { x: 2 }],
    ['m,job=7 n=9007199254740993i', { n: '9007199254740993' }],
    ['time,job=7 value=1', { time: 1 }],
    // A program's own, of the name of a sample of Slurm.
    ['RSS,job=7,host=n1 value=1', { RSS: 1, host: 'n1' }],
  ])('%s', (line, row) => {
    expect(readObject(line)).toEqual(row);
  });

  it.each([
    ['m x=1'],
    ['m,user=ann x=1'],
    ['job,job=7,user=ann state="RUNNING"'],
    ['job_metadata,job=7,user=ann,series=x x=1'],
    ['job_label,job=7 x=1'],
    ['CPUUtilization,job=7,step=-5,task=0,host=n1 value=99.5'],
  ])('%s is none', (line) => {
    expect(read(line)).toBeUndefined();
  });

  it('takes job and user from tags, else the user of the rules', () => {
    expect(read('m,job=-7.(o\'hara)\\ "x" x=1')?.source).toEqual({ job: '-7.(o\'hara) "x"', user: 'ann' });
    expect(read('m,job_id=7,user=bob\\ b x=1')?.source).toEqual({ job: '7', user: 'bob b' });
    expect(read('m,run=7,job=8 x=1', ['trial', 'run'])?.source.job).toBe('7');
    expect(read('m,job=8 x=1', ['run'])).toBeUndefined();
  });

  it('counts an integer beyond 2^53 as a number that was printed', () => {
    expect(read('m,job=7 n=9007199254740993i,t="9007199254740993"')?.jsonKeys).toEqual(new Set(['n']));
  });

  it('has a table for each series of its program and each set of keys', () => {
    const name = (line: string): string => {
      const row = read(line);
      return createSeriesName(row?.row.keys() ?? [], row?.origin);
    };
    const names = [
      'm,job=7 x=1',
      'n,job=7 x=1',
      'm,job=7 x=1,y=2',
      'm,job=7,rank=0 x=1',
      'm,job=7,rank=1 x=1',
      'm\\,rank\\=1,job=7 x=1,rank="1"',
      'm,job=7,a\\=b=c x=1',
      'm,job=7,a=b\\=c x=1',
    ].map(name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain(createSeriesName(['x']));
    expect(name('m,job=8,user=bob,rank=1 y=1,x="2"')).toBe(name('m,rank=1,job=7 x=1,y=2'));
  });
});

describe('readSeriesOrigin', () => {
  const name = fc.string({ unit: fc.constantFrom('a', ',', '\\', ':', '=', '0', '~', ' '), maxLength: 6 });

  it('takes back the origin of a series, and finds none in printed rows', () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.array(name, { maxLength: 4 }), (origin, keys) => {
        expect(readSeriesOrigin(createSeriesName(keys, origin))).toEqual(origin);
        expect(readSeriesOrigin(createSeriesName(keys))).toBeUndefined();
      }),
      { numRuns: randomCases(1000) }
    );
  });

  it('knows none where the name was cut within it', () => {
    expect(readSeriesOrigin(createSeriesName(['x'], ['m'.repeat(300)]))).toBeUndefined();
  });
});
