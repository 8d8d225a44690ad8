import { formatNumber } from '@joblens/core/numbers/format-number';
import { createUnitFormat } from '../../../parts/number-format.js';
import { type Column, createOwnerPrefix, type PanelTable } from '../../../parts/components/tables.js';
import { type GraphModel, isLoneRow, readOwner } from './graphs.js';

/** A key of a row that was printed once, and its value in words. */
export interface Fact {
  readonly key: string;
  readonly value: string;
}

/** The facts of one row. */
export interface FactRow {
  readonly id: string;
  /** Whose it is; empty where there is one writer. */
  readonly owner: string;
  readonly facts: readonly Fact[];
}

function formatValue({ field }: Column, value: unknown): string {
  const withUnit = createUnitFormat(field)?.(value);
  if (withUnit !== undefined) return withUnit;
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** Whether a graph shows this value as a point of a line, or as the X of one. */
function isDrawn(column: Column, table: PanelTable, graphs: readonly GraphModel[]): boolean {
  const owner = readOwner(table);
  return graphs.some(({ xKey, tables, lines }) => {
    const own = lines.filter((line) => line.owner === owner);
    const isX = column.name === xKey && tables.includes(table) && own.length > 0;
    return isX || own.some((line) => line.column.title === column.title);
  });
}

/**
 * The rows that were printed once and that no graph shows whole: a configuration, or a result. None where there is no
 * number at all, which the view says.
 */
export function listFacts(tables: readonly PanelTable[], graphs: readonly GraphModel[]): readonly FactRow[] {
  if (!tables.some(({ columns }) => columns.some(({ isNumeric }) => isNumeric))) return [];
  const nameOwner = createOwnerPrefix(tables);
  return tables.filter(isLoneRow).flatMap((table) => {
    const columns = table.columns.filter(({ values }) => isPresent(values[0]));
    if (columns.every((column) => isDrawn(column, table, graphs))) return [];
    const facts = columns.map((column) => ({ key: column.title, value: formatValue(column, column.values[0]) }));
    return [{ id: table.id, owner: nameOwner(table).replace(/ · $/, ''), facts }];
  });
}
