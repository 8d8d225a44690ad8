import { printStatement } from '../../influxql/print.js';
import { MAX_SEARCHED_POINTS, readJobHits, searchDescriptions, searchJobsQuery } from './search-jobs.js';

const createAnswer = (...values: (string | null)[][]) => ({
  statement_id: 0,
  series: [{ name: 'job', columns: ['time', 'job', 'user', 'name'], values }],
});

describe('searchJobsQuery', () => {
  it('looks for a text as it is, in any case, in what describes jobs within a time', () => {
    const text = printStatement(
      searchJobsQuery({ word: 'lr=3e-4.(a', user: 'ann', fromNs: 0n, beforeNs: 60_000_000_000n })
    );
    expect(text).toContain(`FROM "job" WHERE "user" = 'ann' AND (`);
    expect(text).toContain(String.raw`"command" =~ /(?i)lr=3e-4\.\(a/`);
    expect(text).toContain(String.raw`"tags" =~ /(?i)lr(=|":")3e-4\.\(a/`);
    expect(text).toContain(`time >= '1970-01-01T00:00:00Z' AND time < '1970-01-01T00:01:00Z' ORDER BY time DESC`);
  });
});

describe('searchDescriptions', () => {
  const series = (job: string, values: (string | null)[]) => ({
    ...{ name: 'job', tags: { job, user: 'ann' }, columns: ['time', 'name', 'tags'] },
    values: [['1970-01-01T00:00:01Z', ...values]],
  });
  const answer = {
    statement_id: 0,
    series: [series('1', ['Train (x)', null]), series('2', [null, '{"a b":"c\\"d"}'])],
  };

  it.each([
    ['train (X', ['1']],
    ['b=c"d', ['2']],
    ['b":"c', []],
  ])('finds %s', (word, jobs) => {
    expect(searchDescriptions(answer, word)).toEqual(jobs.map((job) => JSON.stringify([job, 'ann'])));
  });
});

describe('readJobHits', () => {
  it('gives each job once, and says where the answer ends', () => {
    const row = ['1970-01-01T00:00:01Z', 'a␛/', 'ann', 'x'];
    expect(readJobHits(createAnswer(row, row))).toEqual({ keys: [JSON.stringify(['a\\', 'ann'])] });
    const many = readJobHits(createAnswer(...Array.from({ length: MAX_SEARCHED_POINTS }, () => row)));
    expect(many.endNs).toBe(1_000_000_000n);
    expect(readJobHits(undefined)).toEqual({ keys: [] });
  });
});
