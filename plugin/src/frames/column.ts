import { FieldType } from '@grafana/data';

/** A value of a metadata row as it was stored: a number, a text, or null where the row has no such key. */
type CellValue = number | string | null;

type Column =
  | { readonly type: FieldType.number; readonly values: ReadonlyArray<number | null> }
  | { readonly type: FieldType.string; readonly values: ReadonlyArray<string | null> };

/** Texts that programs print in place of a number. */
const NUMBER_TEXTS: ReadonlyMap<string, number | null> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['null', null],
]);

/** The number, or the null, that such a text stands for; any other text as it is. */
export function readNumberText(text: string): CellValue {
  const value = NUMBER_TEXTS.get(text);
  return value === undefined ? text : value;
}

/**
 * A column of a table as a field: numbers when every value is a number, NaN, Infinity, -Infinity or null, else texts. A
 * column of nulls alone is a column of texts. Integers beyond 2^53 arrive as texts and stay as printed.
 */
export function createColumn(cells: readonly CellValue[]): Column {
  const isNumeric =
    cells.some((cell) => typeof cell === 'number' || (cell !== null && cell !== 'null' && NUMBER_TEXTS.has(cell))) &&
    cells.every((cell) => typeof cell !== 'string' || NUMBER_TEXTS.has(cell));
  if (isNumeric) {
    const values = cells.map((cell) => (typeof cell === 'string' ? (NUMBER_TEXTS.get(cell) ?? null) : cell));
    return { type: FieldType.number, values };
  }
  return { type: FieldType.string, values: cells.map((cell) => (typeof cell === 'number' ? String(cell) : cell)) };
}

/** The rows with a number; a field of texts tells them from other texts no more. */
export function findNumberRows(cells: readonly CellValue[]): readonly number[] {
  return cells.flatMap((cell, row) => (typeof cell === 'number' ? [row] : []));
}

interface StoredColumn {
  readonly type: FieldType;
  readonly values: readonly unknown[];
  /** Those of findNumberRows, for a field of texts. */
  readonly numberRows: ReadonlySet<number>;
  /** Whether some rows of the table have a text here. Then each has a value. */
  readonly hasTexts: boolean;
}

/** The inverse of createColumn: the cell of a row as it was stored. */
export function readStoredCell({ type, values, numberRows, hasTexts }: StoredColumn, row: number): CellValue {
  const value = values[row];
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return numberRows.has(row) ? Number(value) : value;
  return type === FieldType.number && hasTexts ? 'null' : null;
}
