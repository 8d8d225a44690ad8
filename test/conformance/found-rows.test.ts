import { type ColumnFilter, compileColumnFilter, parseColumnFilter } from '@joblens/core/ask/tables/column-filter';
import { countRows, findRows } from '@joblens/core/ask/tables/found-rows';
import { readRowsAt } from '@joblens/core/ask/tables/rows-at';
import { readSortValues } from '@joblens/core/ask/tables/sort-values';
import { readTables, tablesQuery, type TableSummary } from '@joblens/core/ask/tables/tables';
import { createBucketPoints } from '@joblens/core/schema/bucket-point';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createBucketFold, foldIntoBuckets } from '@joblens/core/table/bucket-fold';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import type { Point } from '@joblens/core/point/point';
import fc from 'fast-check';
import { describeWith } from '../components.js';
import { createInfluxqlClient, type InfluxqlClient, readAll } from '../influxql-client.js';
import { randomCases } from '../random-cases.js';
import { type Pair, startPair } from './targets.js';

const T0 = 1_700_000_000_000_000_000n;
const KEYS = ['step', 'loss', 'note', 'time', `it's "x" \\`];
type Row = ReadonlyMap<string, number | string>;

/** More points than a round reads, numbers and texts in one column, names that need quotes. */
const ROWS: readonly Row[] = Array.from({ length: 5000 }, (_, step) => {
  const loss = step % 97 === 0 ? 'NaN' : step % 101 === 0 ? 'Infinity' : step % 103 === 0 ? 'null' : 1 / (1 + step);
  const cells: ReadonlyArray<number | string> = [
    step,
    loss,
    `Run ${step % 50} of /a\\b'"`,
    step % 7,
    (step * 31) % 500,
  ];
  return new Map(KEYS.map((key, at) => [key, cells[at] ?? 0]));
});
const timeOf = (row: number): bigint => T0 + BigInt(row) * 1_000_003n;

function createPoints(job: string): Point[] {
  const source = { job, user: 'ann' };
  const series = createSeriesName(KEYS);
  const stats = createTableStats();
  const points = ROWS.flatMap((row, at) => {
    foldRow(stats, row);
    return createMetadataPoints(source, series, row, timeOf(at));
  });
  const rows = ROWS.length;
  return [...points, createSeriesPoint(source, { series, keys: KEYS, stats, x: 'step', rows, timeNs: T0 })];
}

function parse(typed: Readonly<Record<string, string>>): ReadonlyMap<string, ColumnFilter> {
  return new Map(Object.entries(typed).map(([key, text]) => [key, parseColumnFilter(text) ?? {}]));
}

/** The rows that a slow look at all of them finds, oldest first. */
function findSlowly(filters: ReadonlyMap<string, ColumnFilter>): readonly number[] {
  const tests = [...filters].map(([key, filter]) => ({ key, test: compileColumnFilter(filter) }));
  return [...ROWS.keys()].filter((row) => tests.every(({ key, test }) => test(ROWS[row]?.get(key) ?? null)));
}

const typedFilter = fc
  .dictionary(
    fc.constantFrom(...KEYS),
    fc.constantFrom(
      ...['>3', '<=0.01', '0.001..0.5', '=4', '!=4', '4', 'run 4', 'of /A\\B\'"', '=NaN', '!=NaN', 'null', '>0.001'],
      ...['=Run 7 of /a\\b\'"', '>-1', '!=x', 'no such text']
    )
  )
  .filter((typed) => Object.keys(typed).length > 0);

describeWith(['influxd'], 'rows found through the store', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
    await pair.both(async (url) => {
      const client = createInfluxqlClient(url);
      await client.post('CREATE DATABASE "joblens"');
      await client.write(createPoints("o'hara/7"));
      await client.write(createPoints('another'));
    });
  });
  afterAll(() => pair.stop());

  async function open(url: string): Promise<{ client: InfluxqlClient; table: TableSummary }> {
    const client = createInfluxqlClient(url);
    const [table] = readTables((await client.ask(tablesQuery({ job: "o'hara/7" })))[0]);
    if (table === undefined) throw new Error('The table is not there');
    return { client, table };
  }

  it('are those that a look at all rows finds, page by page, and counted alike', async () => {
    await fc.assert(
      fc.asyncProperty(
        typedFilter,
        fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
        fc.constantFrom(7, 100, 10_000),
        fc.boolean(),
        async (typed, order, limit, isDescribed) => {
          const filters = parse(typed);
          const expected = findSlowly(filters).map(timeOf);
          if (order === 'desc') expected.reverse();
          const answers = await pair.both(async (url) => {
            const { client, table: described } = await open(url);
            const { form: _, ...rest } = described;
            const table = isDescribed ? described : rest;
            const range = { table, filters, fromNs: T0, toNs: timeOf(ROWS.length) };
            const first = await readAll(client, findRows({ ...range, order, limit }));
            const edge = first.rows.at(-1)?.timeNs ?? T0;
            const beyond = order === 'asc' ? { fromNs: edge + 1n } : { beforeNs: edge };
            const second = first.isEnd
              ? undefined
              : await readAll(client, findRows({ ...range, ...beyond, order, limit }));
            const count = await readAll(client, countRows(range));
            const pages = [first, second].map((page) => page?.rows.map(({ timeNs }) => timeNs));
            return { pages, isEnd: first.isEnd, count };
          });
          const pages = [
            expected.slice(0, limit),
            expected.length > limit ? expected.slice(limit, 2 * limit) : undefined,
          ];
          const right = { pages, isEnd: expected.length <= limit, count: expected.length };
          expect(answers).toEqual({ influxdb: right, embedded: right });
        }
      ),
      { numRuns: randomCases(25) }
    );
  });

  it('come whole, wherever they are', async () => {
    const rows = [0, 1, 2, 3, 700, 2500, 2501, 4000, 4999];
    const expected = rows.map((row) => ({ timeNs: timeOf(row), values: ROWS[row] }));
    const found = await pair.both(async (url) => {
      const { client, table } = await open(url);
      const timesNs = rows.map(timeOf).reverse();
      return readAll(client, readRowsAt({ table, keys: table.keys, timesNs }));
    });
    expect(found).toEqual({ influxdb: expected, embedded: expected });
  });

  it.each<[key: string, limit: number, part: string, rows: number]>([
    ['step', 10_000, 'all', 5000],
    ['loss', 10_000, 'all', 5000],
    ['step', 1000, 'newest', 1000],
  ])('give the values of %p to sort by, of at most %d rows', async (key, limit, part, rows) => {
    const found = await pair.both(async (url) => {
      const { client, table } = await open(url);
      const request = { table, key, limit, filters: new Map<string, ColumnFilter>(), isDescending: true };
      const values = await readAll(client, readSortValues({ ...request, fromNs: T0, toNs: timeOf(ROWS.length) }));
      return { part: values.part, cells: values.rows.map((row) => row.values.get(key)) };
    });
    const cells = ROWS.toReversed()
      .slice(0, rows)
      .map((row) => row.get(key));
    expect(found).toEqual({ influxdb: { part, cells }, embedded: { part, cells } });
  });

  it('give exactly the rows that come first of a table too long to sort, by its buckets', async () => {
    const [source, series, rows, limit] = [{ job: 'long', user: 'ann' }, 'x', 12_000, 8000];
    const fold = createBucketFold(1);
    const valueOf = (row: number): number => (row * 7919) % 12_007;
    const points = Array.from({ length: rows }, (_, row) => {
      const full = foldIntoBuckets(fold, [valueOf(row)], timeOf(row));
      const buckets = full.flatMap((bucket) => createBucketPoints(source, { series, keys: ['x'] }, bucket));
      return [...createMetadataPoints(source, series, new Map([['x', valueOf(row)]]), timeOf(row)), ...buckets];
    }).flat();
    const table = { ...source, series, form: [], rows };
    for (const isDescending of [true, false]) {
      const found = await pair.both(async (url) => {
        const client = createInfluxqlClient(url);
        if (isDescending) await client.write(points);
        const request = { table, key: 'x', limit, filters: new Map<string, ColumnFilter>(), isDescending };
        const values = await readAll(client, readSortValues({ ...request, fromNs: T0, toNs: timeOf(rows) }));
        return { part: values.part, values: values.rows.map((row) => Number(row.values.get('x'))) };
      });
      expect(found.embedded).toEqual(found.influxdb);
      const { part, values } = found.influxdb;
      expect(part).toBe('extreme');
      expect(values.length).toBeGreaterThan(90);
      const sorted = Array.from({ length: rows }, (_, row) => valueOf(row)).sort((a, b) =>
        isDescending ? b - a : a - b
      );
      expect(values.sort((a, b) => (isDescending ? b - a : a - b))).toEqual(sorted.slice(0, values.length));
    }
  });
});
