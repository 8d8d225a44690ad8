import { parseQuery } from '@joblens/core/influxql/parse';
import { printStatement } from '@joblens/core/influxql/print';
import { namesQuery } from '@joblens/core/ask/jobs/names';
import { of } from 'rxjs';
import type { InfluxdbClient } from './influxdb-client.js';
import { filterClient, type TagFilter } from './tag-filters.js';

function filter(text: string, ...filters: TagFilter[]): string {
  const parsed = parseQuery(text);
  if (!parsed.ok) throw new Error(text);
  const asked: string[] = [];
  const client: InfluxdbClient = {
    query: (statements) => {
      asked.push(...statements.map(printStatement));
      return of([]);
    },
    queryText: () => of([]),
  };
  filterClient(client, filters).query(parsed.value).subscribe();
  return asked.join('; ');
}

describe('filterClient', () => {
  const LOG = 'SELECT "line" FROM "job_log"';

  it.each<[string, TagFilter, string]>([
    ['a quote', { key: 'job', operator: '=', value: "o'hara" }, String.raw`"job" = 'o\'hara'`],
    ['a slash', { key: 'job', operator: '=', value: 'alpha/9' }, `"job" = 'alpha/9'`],
    ['an ampersand', { key: 'user', operator: '!=', value: 'a&b' }, `"user" != 'a&b'`],
    ['signs of a regular expression, plain', { key: 'job', operator: '=', value: 'a.*(b)' }, `"job" = 'a.*(b)'`],
    ['a regular expression with a slash', { key: 'job', operator: '=~', value: '^a/b' }, String.raw`"job" =~ /^a\/b/`],
    ['none that match', { key: 'job', operator: '!~', value: 'x' }, `"job" !~ /x/`],
    [
      'any of several',
      { key: 'job', operator: '=|', value: 'a', values: ['a', "b'"] },
      String.raw`"job" = 'a' OR "job" = 'b\''`,
    ],
    [
      'none of several',
      { key: 'job', operator: '!=|', value: '', values: ['a', 'b'] },
      `"job" != 'a' AND "job" != 'b'`,
    ],
  ])('adds the condition for %s', (_name, one, condition) => {
    expect(filter(LOG, one)).toBe(`${LOG} WHERE ${condition}`);
  });

  it('keeps the conditions of the query together', () => {
    const own = `${LOG} WHERE "stream" = 'stdout' OR "stream" = 'stderr'`;
    expect(filter(own, { key: 'job', operator: '=', value: '7' })).toBe(
      `${LOG} WHERE ("stream" = 'stdout' OR "stream" = 'stderr') AND "job" = '7'`
    );
  });

  it('leaves a measurement alone that has no such tag', () => {
    const statement = 'SELECT "state" FROM "job"';
    expect(filter(statement, { key: 'stream', operator: '=', value: 'stderr' })).toBe(statement);
  });

  it('narrows lists of names, by tags alone', () => {
    const [names] = namesQuery({ kind: 'jobs' });
    const text = names === undefined ? '' : printStatement(names);
    const byUser = { key: 'user', operator: '=', value: 'ann' };
    expect(filter(text, byUser, { key: 'line', operator: '=~', value: 'x' })).toBe(
      text.replace(' LIMIT', ` AND "user" = 'ann' LIMIT`)
    );
  });

  it('says which operator it does not know', () => {
    expect(() => filter(LOG, { key: 'job', operator: '<', value: '7' })).toThrow(/no filter operator </);
  });

  it('changes nothing without filters', () => {
    const client = { query: () => of([]), queryText: () => of([]) };
    expect(filterClient(client, [])).toBe(client);
  });

  it('is one client for the same filters, however often they come: what was read is remembered by it', () => {
    const client = { query: () => of([]), queryText: () => of([]) };
    const filterBy = (value: string) => filterClient(client, [{ key: 'job', operator: '=', value }]);
    const first = filterBy("a-(1)'");
    for (let i = 0; i < 100; i += 1) {
      filterBy(`other ${i}`);
      expect(filterBy("a-(1)'")).toBe(first);
    }
    expect(filterBy('other 1')).not.toBe(first);
  });
});
