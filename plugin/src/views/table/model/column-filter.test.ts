import { createTheme, FieldType, getDisplayProcessor, toDataFrame } from '@grafana/data';
import fc from 'fast-check';
import { STATE_MAPPINGS } from '../../../frames/state-kind.js';
import { createTables, type PanelTable } from '../../parts/components/tables.js';
import { createTableFrame } from '../../testing/frames.js';
import { chooseRows, nextSort, parseFilters } from './column-filter.js';

type Cell = string | number | null;

function tableOf(cells: readonly Cell[]): PanelTable {
  const [table] = createTables([createTableFrame({ rows: cells.map((a, b) => ({ a, b })) })]);
  if (table === undefined) throw new Error('no table');
  return table;
}

function choose(cells: readonly Cell[], filter: string, isDescending?: boolean): Cell[] {
  const table = tableOf(cells);
  const sort = isDescending === undefined ? undefined : { column: 'a', isDescending };
  const rows = chooseRows(table, [...cells.keys()], { filters: new Map([['a', filter]]), sort });
  return rows.map((row) => table.columns[0]?.values[row] as Cell);
}

it.each<[string, readonly Cell[], readonly Cell[]]>([
  ['>0.5', [0.5, 0.6, null, 2], [0.6, 2]],
  ['>= 0.5', [0.5, 0.4], [0.5]],
  ['<-1', [-2, -1, 0], [-2]],
  ['<=1e-3', [0.001, 0.01], [0.001]],
  ['=3', [3, 30], [3]],
  ['!=3', [3, 30, null], [30]],
  ['3', [3, 30, 4], [3]],
  ['2..3', [1, 2, 3, 4], [2, 3]],
  ['=NaN', [1, 'NaN'], [NaN]],
  ['ab', ['xAby', 'b', null], ['xAby']],
  ['=ab', ['ab', 'abc'], ['ab']],
  ['  ', [1, 2], [1, 2]],
  ['>', [1, 2], [1, 2]],
])('filters by %p', (filter, cells, expected) => {
  expect(choose(cells, filter)).toEqual(expected);
});

it.each([
  ['out of mem', ['OUT_OF_MEMORY']],
  ['OUT_OF_MEMORY', ['OUT_OF_MEMORY']],
  ['=Failed', ['FAILED']],
  ['=FAILED', ['FAILED']],
  ['!=Failed', ['OUT_OF_MEMORY', 'new_of (Slurm)']],
  ['!=FAILED', ['OUT_OF_MEMORY', 'new_of (Slurm)']],
  ['_of (', ['new_of (Slurm)']],
])('filters states by %p, as they are shown and as they are stored', (filter, expected) => {
  const values = ['OUT_OF_MEMORY', 'FAILED', null, 'new_of (Slurm)'];
  const field = { name: 'state', type: FieldType.string, values, config: { mappings: [...STATE_MAPPINGS] } };
  const display = getDisplayProcessor({ field, theme: createTheme() });
  const [table] = createTables([toDataFrame({ fields: [{ ...field, display }] })]);
  if (table === undefined) throw new Error('no table');
  const rows = chooseRows(table, [...values.keys()], { filters: new Map([['state', filter]]), sort: undefined });
  expect(rows.map((row) => values[row])).toEqual(expected);
});

it('sorts with empty cells last, both ways', () => {
  expect(choose([2, null, 1, 3], '', false)).toEqual([1, 2, 3, null]);
  expect(choose([2, null, 1, 3], '', true)).toEqual([3, 2, 1, null]);
  expect(choose(['b10', 'b9', 'a'], '', false)).toEqual(['a', 'b9', 'b10']);
});

it('keeps every row once when it sorts, and equal ones in their order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ max: 5, min: 0 }), fc.constant(null))),
      fc.boolean(),
      (cells, isDescending) => {
        const table = tableOf(cells);
        const rows = chooseRows(table, [...cells.keys()], { filters: new Map(), sort: { column: 'a', isDescending } });
        expect([...rows].sort((a, b) => a - b)).toEqual([...cells.keys()]);
        rows.forEach((row, place) => {
          const next = rows[place + 1];
          if (next !== undefined && cells[row] === cells[next]) expect(row).toBeLessThan(next);
        });
      }
    )
  );
});

it('sorts falling first, then rising, then not at all', () => {
  const falling = nextSort(undefined, 'a');
  expect(falling).toEqual({ column: 'a', isDescending: true });
  const rising = nextSort(falling, 'a');
  expect(rising).toEqual({ column: 'a', isDescending: false });
  expect(nextSort(rising, 'a')).toBeUndefined();
  expect(nextSort(rising, 'b')).toEqual({ column: 'b', isDescending: true });
});

it('leaves out filters that say nothing yet', () => {
  expect([...parseFilters(new Map(Object.entries({ a: '', b: '>', c: '>1' }))).keys()]).toEqual(['c']);
});
