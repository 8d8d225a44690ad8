import { FieldType, toDataFrame } from '@grafana/data';
import fc from 'fast-check';
import { createJobsFrame } from '../../../query-types/jobs/jobs.js';
import { createTables, type PanelTable } from '../../parts/components/tables.js';
import { createTableFrame, type TableInput } from '../../testing/frames.js';
import { createCellColumns, splitHeader } from './cell.js';
import { chooseRows } from './column-filter.js';
import { createPage, findLastPage, orderRows } from './row-order.js';

function tableOf(input: TableInput): PanelTable {
  const [table] = createTables([createTableFrame(input)]);
  if (table === undefined) throw new Error('no table');
  return table;
}

const ms = (timesMs: readonly number[]): bigint[] => timesMs.map((timeMs) => BigInt(timeMs) * 1_000_000n);
const rows = (count: number): { n: number }[] => Array.from({ length: count }, (_, n) => ({ n }));

it.each([
  ['rising times', ms([1, 2, 3]), [2, 1, 0]],
  ['one instant: the row printed last is the newest', ms([1, 1, 1]), [2, 1, 0]],
  ['falling times', ms([3, 2, 1]), [0, 1, 2]],
  ['nanoseconds within a millisecond', [1_000_002n, 1_000_003n, 1_000_001n], [1, 0, 2]],
])('puts the newest row first: %s', (_name, timesNs, order) => {
  const table = tableOf({ rows: rows(3), timesNs });
  expect(orderRows(table, true)).toEqual(order);
  expect(orderRows(table, false)).toEqual([...order].reverse());
});

it('holds every row once in either order, each the reverse of the other', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 })), (timesMs) => {
      const table = tableOf({ rows: rows(timesMs.length), timesNs: ms(timesMs) });
      const newest = orderRows(table, true);
      expect([...newest].sort((a, b) => a - b)).toEqual(timesMs.map((_, row) => row));
      expect(orderRows(table, false)).toEqual([...newest].reverse());
      newest.forEach((row, place) => {
        const next = newest[place + 1];
        if (next !== undefined) expect(timesMs[row]).toBeGreaterThanOrEqual(timesMs[next] ?? NaN);
      });
    })
  );
});

it('shows a text among numbers as it was printed', () => {
  const table = tableOf({ rows: [{ 'loss (a.b)': 0.5 }, { 'loss (a.b)': 'n/a' }, { 'loss (a.b)': NaN }] });
  const [, loss] = createCellColumns(table, [0, 1, 2], 'utc');
  expect(loss?.isNumeric).toBe(true);
  expect([0, 1, 2].map((row) => loss?.readCell(row).text)).toEqual(['0.5', 'n/a', 'NaN']);
});

it('shows an integer beyond 2^53 with all its digits, and sorts it as a number', () => {
  const table = tableOf({ rows: [{ id: '-9007199254740993' }, { id: '1795598874123456789' }, { id: 7 }] });
  const [, id] = createCellColumns(table, [0, 1, 2], 'utc');
  expect([0, 1, 2].map((row) => id?.readCell(row).text)).toEqual(['-9007199254740993', '1795598874123456789', '7']);
  const sort = { column: 'id', isDescending: false };
  const choose = (filter: string): readonly number[] =>
    chooseRows(table, [0, 1, 2], { filters: new Map([['id', filter]]), sort });
  expect(['', '>7', '=1795598874123456789', '=1795598874123456790', '5988'].map(choose)).toEqual([
    [0, 2, 1],
    [1],
    [1],
    [],
    [1],
  ]);
});

it('keeps the order of a list of jobs, which comes newest first', () => {
  const startedMs = [5, undefined, 9];
  const list = startedMs.map((started, index) => ({
    ...{ job: String(index), user: 'ann', timeNs: 0n, values: new Map<string, number>(), state: 'RUNNING' },
    ...(started !== undefined && { startedMs: started }),
    submittedMs: 1,
  }));
  const frame = createJobsFrame({ refId: 'A', jobs: list, totalJobs: 3, nowMs: 10, executedQuery: '' });
  const [table] = createTables([frame]);
  expect(table?.timesMs).toEqual([5, null, 9]);
  expect(orderRows(table as PanelTable, true)).toEqual([0, 1, 2]);
});

it('keeps the order of rows without times, such as the largest first', () => {
  const [table] = createTables([
    toDataFrame({ fields: [{ name: 'events', type: FieldType.number, values: [9, 5, 1] }] }),
  ]);
  expect(orderRows(table as PanelTable, true)).toEqual([0, 1, 2]);
});

it('pages through all rows without loss or repeat', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.integer({ min: 1, max: 50 }), (rowCount, pageSize) => {
      const order = rows(rowCount).map(({ n }) => n);
      const count = Math.max(1, Math.ceil(rowCount / pageSize));
      const pages = Array.from({ length: count }, (_, index) => createPage(order, index * pageSize, pageSize));
      expect(pages.flatMap((page) => page.rows)).toEqual(order);
      expect(createPage(order, rowCount + 7, pageSize)).toEqual(pages[count - 1]);
      expect(pages[count - 1]?.from).toBe(findLastPage(rowCount, pageSize));
    })
  );
});

function cells(values: readonly (string | number | null)[]): { text: string; title: string | undefined }[] {
  const table = tableOf({ rows: values.map((value) => ({ value })) });
  const column = createCellColumns(table, [], 'utc')[1];
  if (column === undefined) throw new Error('no column');
  return values.map((_, row) => column.readCell(row));
}

it.each<[string, (string | number | null)[], string[]]>([
  ['integers as they are', [1, 250000], ['1', '250000']],
  ['points below each other', [0.5, 40.25], ['0.50', '40.25']],
  ['five digits', [43.395170375704765], ['43.395']],
  ['small numbers with an exponent', [0.00002, 0.000015], ['2.0e-5', '1.5e-5']],
  ['a small number among large ones', [1.5, 0.0000012], ['1.5000000', '0.0000012']],
  ['a tiny number among large ones', [812.34567, 0.00012345], ['8.1235e+2', '1.2345e-4']],
  [
    'a loss that falls far, its rows told apart',
    [212.37, 0.1001, 0.1016, 0.1006, 0.095866],
    ['212.370000', '0.100100', '0.101600', '0.100600', '0.095866'],
  ],
  ['neighbours that are nearly equal', [1000.00012, 1000.00015, 2], ['1000.00012', '1000.00015', '2.00000']],
  ['seconds since 1970', [1763805600.125, 1763805600.14], ['1763805600.13', '1763805600.14']],
  ['what differs by rounding alone', [0.3, 0.1 + 0.2], ['0.3', '0.3']],
  ['zero as zero', [0, 2e-7, 5.25e-7], ['0', '2.00e-7', '5.25e-7']],
  ['every integer that is exact', [2 ** 53, 2 ** 53 - 1], ['9007199254740992', '9007199254740991']],
  ['null as an empty cell', [1, null], ['1', '']],
  ['text, and what is no number', ['NaN', 'x', NaN, 1], ['NaN', 'x', 'NaN', '1']],
  ['integers beyond 2^53 as printed', ['12345678901234567890'], ['12345678901234567890']],
])('writes %s', (_name, values, expected) => {
  expect(cells(values).map((cell) => cell.text)).toEqual(expected);
});

it('writes a column in one notation, with neighbours that differ told apart and each value to four digits at least', () => {
  const value = fc.oneof(
    fc.double({ min: -1000, max: 1000, noNaN: true }),
    fc.double({ min: -1e-4, max: 1e-4, noNaN: true }),
    fc.double({ min: -1e300, max: 1e300, noNaN: true }),
    fc.integer()
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), (values) => {
      const texts = cells(values).map(({ text }) => text);
      const notations = texts.filter((_, row) => values[row] !== 0).map((text) => text.includes('e'));
      expect(new Set(notations).size).toBeLessThanOrEqual(1);
      const largest = Math.max(...values.map(Math.abs));
      values.forEach((own, row) => {
        const before = values[row - 1] ?? own;
        if (Math.abs(own - before) > largest * 1e-13) expect(texts[row]).not.toBe(texts[row - 1]);
        expect(Math.abs(Number(texts[row]) - own)).toBeLessThanOrEqual(Math.abs(own) * 1e-4);
      });
    }),
    { numRuns: 1000 }
  );
});

it('does not round the newest values of a long column away', () => {
  const values = Array.from({ length: 5000 }, (_, row) => (row < 4999 ? 0.5 : 0.99999));
  expect(cells(values)[4999]?.text).toBe('0.99999');
});

it('gives the number in full on hover where the cell shows less', () => {
  expect(cells([43.395170375704765, 2])).toEqual([
    { text: '43.395', title: '43.395170375704765' },
    { text: '2.000', title: '2' },
  ]);
});

it('bounds the width of a long text, and says how wide it would like to be', () => {
  const table = tableOf({
    rows: [
      { reason: 'x'.repeat(90), state: 'FAILED' },
      { reason: 'short', state: 'FAILED' },
    ],
  });
  const widths = createCellColumns(table, [0, 1], 'utc').map(({ widthCh, wantedCh }) => [widthCh, wantedCh]);
  expect(widths).toEqual([
    [22, 22],
    [36, 90],
    [6, 6],
  ]);
});

it('gives the time to the nanosecond on hover', () => {
  const table = tableOf({ rows: [{ n: 1 }], timesNs: [1795230000123456789n] });
  expect(createCellColumns(table, [0], 'utc')[0]?.readCell(0)).toEqual({
    text: '2026-11-21 03:00:00.123',
    title: '2026-11-21T03:00:00.123456789Z',
  });
});

it('keeps the keys in the order printed', () => {
  const table = tableOf({ rows: [{ z: 1, a: 2, m: 'x' }] });
  expect(createCellColumns(table, [0], 'utc').map((column) => column.title)).toEqual(['time', 'z', 'a', 'm']);
});

it('breaks long headers where a reader would', () => {
  expect(splitHeader('train_loss/bbox.0-x')).toEqual(['train_', 'loss/', 'bbox.', '0-', 'x']);
});
