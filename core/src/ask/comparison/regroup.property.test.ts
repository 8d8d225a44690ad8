import fc from 'fast-check';
import { createColumn, createMeasurement, createSelect, createTagDimension } from '../../influxql/build.js';
import { printStatement } from '../../influxql/print.js';
import type { ResultSeries, ResultValue } from '../../influxql/response.js';
import { ungroup } from './regroup.js';

const TAGS = ['job', 'user', 'task'];
const SELECT = createSelect({
  columns: ['keys', 'rows'].map((name) => createColumn(name)),
  from: [createMeasurement('job_series')],
  groupBy: { dimensions: TAGS.map(createTagDimension) },
});
const COLUMNS = ['time', 'keys', 'rows'];

const tag = fc.constantFrom('', '-', '.', 'a (b)', 'a","b', "it's", 'a', 'b');
const value = fc.oneof(fc.constant(null), fc.string(), fc.double());
const row = fc.tuple(fc.integer({ min: 0, max: 99 }), fc.tuple(tag, tag, tag), fc.tuple(value, value));

/** A point for each time and series, in the order of times, as a store answers. */
const rows = fc
  .uniqueArray(row, { selector: ([time, tags]) => JSON.stringify([time, tags]), maxLength: 60 })
  .map((all) => all.toSorted(([a], [b]) => a - b));

const sortSeries = (series: readonly ResultSeries[] = []): readonly ResultSeries[] =>
  series.toSorted((a, b) => (JSON.stringify(a.tags) < JSON.stringify(b.tags) ? -1 : 1));

it('gives the groups that the store would give', () => {
  const { statement, regroup } = ungroup(SELECT);
  expect(printStatement(statement)).toBe('SELECT "keys", "rows", "job", "user", "task" FROM "job_series"');
  fc.assert(
    fc.property(rows, (all) => {
      const groups = new Map<string, { tags: Record<string, string>; values: ResultValue[][] }>();
      for (const [time, texts, values] of all) {
        const tags = Object.fromEntries(TAGS.map((name, at) => [name, texts[at] ?? '']));
        const known = groups.get(JSON.stringify(tags)) ?? { tags, values: [] };
        known.values.push([`${time}`, ...values]);
        groups.set(JSON.stringify(tags), known);
      }
      const grouped = [...groups.values()].map((group) => ({ name: 'job_series', columns: COLUMNS, ...group }));
      // A store gives null for a tag that a point does not have.
      const values = all.map(([time, texts, found]) => [`${time}`, ...found, ...texts.map((text) => text || null)]);
      const series = [{ name: 'job_series', columns: [...COLUMNS, ...TAGS], values }];
      const { series: found, ...rest } = regroup({ statement_id: 3, partial: true, series }) ?? { statement_id: 0 };
      expect(rest).toEqual({ statement_id: 3, partial: true });
      expect(sortSeries(found)).toEqual(sortSeries(grouped));
    })
  );
});

it('has no groups where nothing was found', () => {
  const { regroup } = ungroup(SELECT);
  expect([regroup(undefined), regroup({ statement_id: 1 })]).toEqual([undefined, { statement_id: 1, series: [] }]);
});
