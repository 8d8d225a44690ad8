import { type ColumnFilter, compileColumnFilter, parseColumnFilter } from '@joblens/core/ask/tables/column-filter';
import { readNumberText } from '../../../frames/column.js';
import type { TypedFilters } from '../../../query-types/metadata/found-rows.js';
import { createUnitFormat } from '../../parts/number-format.js';
import type { Column, PanelTable } from '../../parts/components/tables.js';
import { createCellReader } from './row-json.js';

export interface ColumnSort {
  readonly column: string;
  readonly isDescending: boolean;
}

export interface RowChoice {
  /** By column, as typed. */
  readonly filters: ReadonlyMap<string, string>;
  readonly sort: ColumnSort | undefined;
}

/** The filters that say something. */
export function parseFilters(filters: RowChoice['filters']): ReadonlyMap<string, ColumnFilter> {
  const parsed = [...filters].map(([name, text]) => [name, parseColumnFilter(text)] as const);
  return new Map(parsed.flatMap(([name, filter]) => (filter === undefined ? [] : [[name, filter] as const])));
}

/** The filters that say something, as they were typed. */
export function listTypedFilters(filters: RowChoice['filters']): TypedFilters {
  const active = parseFilters(filters);
  return [...filters].filter(([name]) => active.has(name));
}

/** As people count: `run 9` before `run 10`. */
const COLLATOR = new Intl.Collator(undefined, { numeric: true });

function readText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Empty cells come last, whichever way a column is sorted; numbers come before texts. */
function compareCells(a: unknown, b: unknown, isDescending: boolean): number {
  const isEmptyA = a === null || a === undefined;
  const isEmptyB = b === null || b === undefined;
  if (isEmptyA || isEmptyB) return Number(isEmptyA) - Number(isEmptyB);
  const order =
    typeof a === 'number' && typeof b === 'number'
      ? compareNumbers(a, b)
      : typeof a === typeof b
        ? COLLATOR.compare(readText(a), readText(b))
        : typeof a === 'number'
          ? -1
          : 1;
  return isDescending ? -order : order;
}

function compareNumbers(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a - b;
}

/** What a column is sorted by: a number as such, also where other rows of the column have texts, or it has a text. */
export function listSortValues(table: PanelTable, column: Column): readonly unknown[] {
  const read = createCellReader(table, column);
  return Array.from({ length: table.rowCount }, (_, row) => {
    const number = column.values[row];
    const cell = typeof number === 'number' ? number : read(row);
    return typeof cell === 'string' ? readNumberText(cell) : cell;
  });
}

/** The rows sorted; those that compare equal keep their order. */
export function sortRows(
  rows: readonly number[],
  values: readonly unknown[],
  { isDescending }: ColumnSort
): readonly number[] {
  return [...rows].sort((a, b) => compareCells(values[a], values[b], isDescending));
}

/** The rows that pass all filters, sorted. */
export function chooseRows(
  table: PanelTable,
  order: readonly number[],
  { filters, sort }: RowChoice
): readonly number[] {
  const columnOf = (name: string) => table.columns.find((column) => column.name === name);
  const tests = [...parseFilters(filters)].flatMap(([name, filter]) => {
    const column = columnOf(name);
    return column === undefined ? [] : [createCellTest(table, column, filter)];
  });
  const passing = tests.length === 0 ? order : order.filter((row) => tests.every((test) => test(row)));
  const column = sort === undefined ? undefined : columnOf(sort.column);
  return sort === undefined || column === undefined ? passing : sortRows(passing, listSortValues(table, column), sort);
}

/** A text that is shown as another one, such as a state, is found by both. */
function createCellTest(table: PanelTable, column: Column, filter: ColumnFilter): (row: number) => boolean {
  const [test, read] = [compileColumnFilter(filter), createCellReader(table, column)];
  const format = (column.field.config.mappings ?? []).length > 0 ? createUnitFormat(column.field) : undefined;
  if (format === undefined) return (row) => test(read(row));
  const isDiffering = filter.texts?.kind === 'differs';
  return (row) => {
    const cell = read(row);
    const shown = typeof cell === 'string' ? format(cell) : cell;
    return isDiffering ? test(cell) && test(shown) : test(cell) || test(shown);
  };
}

/** The next way to sort by a column: falling, rising, not at all. */
export function nextSort(sort: ColumnSort | undefined, column: string): ColumnSort | undefined {
  if (sort?.column !== column) return { column, isDescending: true };
  return sort.isDescending ? { column, isDescending: false } : undefined;
}
