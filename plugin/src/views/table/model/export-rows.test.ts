import { createTables, type PanelTable } from '../../parts/components/tables.js';
import { createTableFrame, type TableInput } from '../../testing/frames.js';
import { formatHeader, formatRows, type ExportForm } from './export-rows.js';

function tableOf(input: TableInput): PanelTable {
  const [table] = createTables([createTableFrame(input)]);
  if (table === undefined) throw new Error('no table');
  return table;
}

function write(form: ExportForm, input: TableInput): string {
  const table = tableOf(input);
  const rows = input.rows.map((_, row) => row);
  return formatHeader(form, table, table.columns) + formatRows(form, table, table.columns, rows).join('');
}

it('writes CSV that a spreadsheet reads back', () => {
  const rows = [
    { z: 0.1, 'a,b': 'say "hi"\nthere' },
    { z: null, 'a,b': '' },
  ];
  expect(write('csv', { rows, timesNs: [1n, 1_795_230_000_123_456_789n] })).toBe(
    'time,z,"a,b"\n1970-01-01T00:00:00.000000001Z,0.1,"say ""hi""\nthere"\n2026-11-21T03:00:00.123456789Z,,\n'
  );
});

it.each([
  ['numbers', { a: 1, b: 2.5e-7, c: -0.1 }],
  ['text', { a: 'x "y" \\ \n é 日' }],
  ['null and the others', { a: null, b: true, c: false }],
  ['nested values', { a: [1, [2, 'x']], b: { c: null }, d: {} }],
  ['an integer beyond 2^53', { a: 12345678901234567890n }],
  ['the order of keys', { z: 1, a: 'x', m: 2 }],
])('writes %s as the JSON that was printed', (_name, printed) => {
  const json = (value: unknown): string => (typeof value === 'bigint' ? String(value) : JSON.stringify(value));
  // The store has numbers and texts as they are, all else as JSON.
  const stored = Object.entries(printed).map(([key, value]: [string, unknown]) => [
    key,
    typeof value === 'number' || typeof value === 'string' ? value : json(value),
  ]);
  const rows = [Object.fromEntries(stored) as Record<string, string | number>];
  const expected = Object.entries(printed).map(([key, value]: [string, unknown]) => `"${key}":${json(value)}`);
  expect(write('jsonl', { rows })).toBe(`{${expected.join(',')}}\n`);
});

it.each<[ExportForm, string]>([
  ['csv', 'time,a (%)\n1970-01-01T00:00:00Z,1\n1970-01-01T00:00:01Z,n/a\n1970-01-01T00:00:02Z,\n'],
  ['tsv', 'time\ta (%)\n1970-01-01T00:00:00Z\t1\n1970-01-01T00:00:01Z\tn/a\n1970-01-01T00:00:02Z\t\n'],
  ['jsonl', '{"a (%)":1}\n{"a (%)":"n/a"}\n{"a (%)":null}\n'],
])('keeps the texts among numbers in %s', (form, expected) => {
  expect(write(form, { rows: [{ 'a (%)': 1 }, { 'a (%)': 'n/a' }, { 'a (%)': 'null' }] })).toBe(expected);
});

it.each(['csv', 'tsv'] as const)('no cell and no head of %s runs in a spreadsheet', (form) => {
  const rows = [{ '=1+1': '@SUM(A1)', b: -1.5, c: '-Infinity', d: '+cmd' }];
  const separator = form === 'csv' ? ',' : '\t';
  expect(write(form, { rows, timesNs: [0n] })).toBe(
    [
      ['time', "'=1+1", 'b', 'c', 'd'],
      ['1970-01-01T00:00:00Z', "'@SUM(A1)", '-1.5', '-Infinity', "'+cmd"],
    ]
      .map((cells) => `${cells.join(separator)}\n`)
      .join('')
  );
});

it('copies cells that a spreadsheet takes one by one', () => {
  expect(write('tsv', { rows: [{ a: 1, b: 'x\ty' }], timesNs: [0n] })).toBe(
    'time\ta\tb\n1970-01-01T00:00:00Z\t1\tx y\n'
  );
});
