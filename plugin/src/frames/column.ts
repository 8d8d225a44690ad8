import { FieldType } from '@grafana/data';

/** A value of a metadata row as it was stored: a number, a text, or null where the row has no such key. */
type CellValue = number | string | null;

type Column =
  | {
      readonly type: FieldType.number;
      readonly values: ReadonlyArray<number | null>;
      /** The texts among the numbers, with their rows: a field has the nearest float, or null, there. */
      readonly texts: readonly TextCell[];
    }
  | { readonly type: FieldType.string; readonly values: ReadonlyArray<string | null>; readonly texts: readonly [] };

/** The text of a row in a field of numbers. */
export type TextCell = readonly [row: number, text: string];

/** Texts that programs print in place of a number. */
const NUMBER_TEXTS: ReadonlyMap<string, number | null> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['null', null],
]);

const NO_FLOATS: ReadonlyMap<number, number> = new Map();

/** The number, or the null, that such a text stands for; any other text as it is. */
export function readNumberText(text: string): CellValue {
  const value = NUMBER_TEXTS.get(text);
  return value === undefined ? text : value;
}

/**
 * A column of a table as a field: numbers where some value is a number, or where every value is NaN, Infinity,
 * -Infinity or null; else texts. One text among numbers, such as `n/a`, must not take them off a graph. A column of
 * nulls alone is a column of texts. `floats` are the nearest ones of integers beyond 2^53, by row.
 */
export function createColumn(cells: readonly CellValue[], floats: ReadonlyMap<number, number> = NO_FLOATS): Column {
  if (floats.size === 0 && !holdsNumbers(cells))
    return { type: FieldType.string, values: cells as ReadonlyArray<string | null>, texts: [] };
  const texts: TextCell[] = [];
  const values = cells.map((cell, row) => {
    const value = typeof cell === 'string' ? readNumberText(cell) : cell;
    if (typeof value !== 'string') return value;
    texts.push([row, value]);
    return floats.get(row) ?? null;
  });
  return { type: FieldType.number, values, texts };
}

function holdsNumbers(cells: readonly CellValue[]): boolean {
  if (cells.some((cell) => typeof cell === 'number')) return true;
  const texts = cells.filter((cell) => cell !== null && cell !== 'null');
  return texts.length > 0 && texts.every((text) => typeof text === 'string' && NUMBER_TEXTS.has(text));
}

interface StoredColumn {
  readonly values: readonly unknown[];
  readonly texts: ReadonlyMap<number, string>;
  readonly type: FieldType;
  /** Whether some rows of the table have a text here. Then each has a value. */
  readonly hasTexts: boolean;
}

/** The inverse of createColumn: the cell of a row as it was stored. */
export function readStoredCell({ type, values, texts, hasTexts }: StoredColumn, row: number): CellValue {
  const text = texts.get(row);
  if (text !== undefined) return text;
  const value = values[row];
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return value;
  return type === FieldType.number && hasTexts ? 'null' : null;
}
