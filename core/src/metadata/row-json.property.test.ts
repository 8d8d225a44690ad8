import fc from 'fast-check';
import { printedTable } from '../../../test/printed-tables.js';
import { randomCases } from '../../../test/random-cases.js';
import { createTableForm, type TableForm } from '../table/table-form.js';
import { createTableStats, foldRow, formatTableStats, parseTableStats } from '../table/table-stats.js';
import { formatKeyPaths, parseKeyPaths } from '../table/key-paths.js';
import type { PrintedRow } from '../table/metadata-row.js';
import { parsePrintedRow } from './parse-metadata.js';
import { createRowFormatter } from './row-json.js';

function parse(line: string): PrintedRow {
  const printed = parsePrintedRow(line, { nonfinite: 'metadata' });
  if (printed === undefined) throw new Error(`no metadata: ${line}`);
  return printed;
}

/** The form of a table of these lines, as job_series brings it. */
function findForm(lines: readonly string[]): { readonly keys: readonly string[]; readonly form: TableForm } {
  const rows = lines.map(parse);
  const stats = createTableStats();
  for (const { row, jsonKeys } of rows) foldRow(stats, row, jsonKeys);
  const keys = [...stats.columns.keys()];
  const paths = parseKeyPaths(formatKeyPaths(rows[0]?.paths ?? new Map()));
  const form = createTableForm(keys, paths, [parseTableStats(formatTableStats(stats))]);
  return { keys, form: JSON.parse(JSON.stringify(form)) as TableForm };
}

function store(lines: readonly string[]): string[] {
  const { keys, form } = findForm(lines);
  const format = createRowFormatter(keys, form);
  return lines.map((line) => {
    const { row } = parse(line);
    return format(keys.map((key) => row.get(key) ?? null));
  });
}

it('gives back any object that was printed, with its keys in their order', () => {
  fc.assert(
    fc.property(printedTable, (lines) => {
      expect(store(lines)).toEqual(lines);
    }),
    { numRuns: randomCases(1000) }
  );
});

it.each([
  ['a flat row', '{"step":1,"loss":0.5,"note":"x"}'],
  ['nested objects', '{"opt":{"lr":0.1,"sched":{"warm":true}},"opt.lr":2,"a.b":{"c.d":1}}'],
  ['an object whose names are taken', '{"a.b":1,"a":{"b":2}}'],
  ['integers beyond 2^53', '{"id":12345678901234567890,"in":[9007199254740993]}'],
  ['null, true, an empty array and object', '{"a":null,"b":true,"c":[],"d":{}}'],
  ['strings that read like them', '{"a":"null","b":"true","c":"[]","d":"12","e":"12345678901234567890"}'],
  ['keys like a prototype', '{"__proto__":{"x":1},"constructor":"y"}'],
  ['NaN as Python prints it', '{"a":NaN,"b":-Infinity,"c":"NaN"}'],
])('gives back %s', (_name, line) => {
  expect(store([line])).toEqual([line]);
});

it('writes spaces and numbers anew', () => {
  expect(store(['{ "a" : 1.0, "b": [1E2, 0.50] }'])).toEqual(['{"a":1,"b":[100,0.5]}']);
});

it('guesses where a key has both strings and other values', () => {
  expect(store(['{"a":"true","b":"yes"}', '{"a":true,"b":false}'])).toEqual([
    '{"a":true,"b":"yes"}',
    '{"a":true,"b":false}',
  ]);
});

it('nests all rows of a table as its first one, and writes zero without a sign', () => {
  expect(store(['{"a":{"b":1}}', '{"a.b":-0}'])).toEqual(['{"a":{"b":1}}', '{"a":{"b":0}}']);
});

it('leaves out a key that the row has not', () => {
  const { keys, form } = findForm(['{"a":1,"b":{"c":2}}']);
  expect(createRowFormatter(keys, form)([1, null])).toBe('{"a":1}');
});

it('guesses all texts, and nests nothing, where nobody knows how rows were printed', () => {
  const format = createRowFormatter(['a.b', 'c', 'd', 'e'], undefined);
  expect(format(['12345678901234567890', 'x', '[1, 2]', null])).toBe(
    '{"a.b":12345678901234567890,"c":"x","d":"[1, 2]","e":null}'
  );
});
