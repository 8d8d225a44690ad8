import { createRowFormatter } from '@joblens/core/metadata/row-json';
import { readStoredCell } from '../../../frames/column.js';
import type { Column, PanelTable } from '../../parts/components/tables.js';

/** The texts of a column of numbers, by row. */
export function readTexts({ printed }: PanelTable, name: string): ReadonlyMap<number, string> {
  return new Map(new Map(printed?.texts).get(name));
}

/** Reads the cells of a column as they are stored: numbers and texts, null where there is none. */
export function createCellReader(table: PanelTable, column: Column): (row: number) => number | string | null {
  const { name, field, values } = column;
  if (table.kind !== 'metadata') return (row) => readPlainCell(values[row]);
  const stored = {
    ...{ type: field.type, values, texts: readTexts(table, name) },
    hasTexts: new Map(table.printed?.form).get(name)?.texts !== undefined,
  };
  return (row) => readStoredCell(stored, row);
}

function readPlainCell(value: unknown): number | string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
}

/** Formats the cells of these columns as a JSON object: for metadata the one that was printed, without the time. */
export function createRowJson(table: PanelTable, columns: readonly Column[]): (row: number) => string {
  return table.kind === 'metadata' ? createPrintedJson(table, columns) : createPlainJson(columns);
}

function createPrintedJson(table: PanelTable, columns: readonly Column[]): (row: number) => string {
  const readers = columns.map((column) => createCellReader(table, column));
  const keys = columns.map(({ name }) => name);
  const format = createRowFormatter(keys, table.printed?.form);
  return (row) => format(readers.map((read) => read(row)));
}

function createPlainJson(columns: readonly Column[]): (row: number) => string {
  return (row) => {
    const members = columns.map(({ name, values }) => `${JSON.stringify(name)}:${JSON.stringify(values[row] ?? null)}`);
    return `{${members.join(',')}}`;
  };
}
