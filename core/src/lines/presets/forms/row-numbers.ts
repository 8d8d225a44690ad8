import type { Row } from './counted-numbers.js';

/** The column that numbers the rows. Most other counters have a name before it, and so come before it as X. */
export const ROW_NUMBER = 'table row';

/** Bounds the state: further tables are not counted. */
const MAX_TABLES = 16;
/** The most characters of the names that tell tables apart. */
const MAX_KEY_CHARS = 60;

/** What was counted of each table, by its keys. */
export type ByTable<Count> = Readonly<Record<string, Count>>;

/** The key of the row's table; undefined where there are too many tables. */
export function findTableKey(counts: ByTable<unknown>, row: Row): string | undefined {
  const key = `${row.size} ${[...row.keys()].join().slice(-MAX_KEY_CHARS)}`;
  return key in counts || Object.keys(counts).length < MAX_TABLES ? key : undefined;
}

export function addRowNumber(row: Row, number: number): Row {
  return new Map([[ROW_NUMBER, number], ...row]);
}
