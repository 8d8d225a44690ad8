import type { TableStats } from '../table/table-stats.js';
import { inferXAxis } from './x-axis.js';

/**
 * Follows X, so that it is known where the smallest and the largest numbers came. Call it after each row: it looks at X
 * after the rows 1, 2, 4, 8, … alone, so that what it finds follows from the rows, however they are folded.
 */
export function followX(stats: TableStats): void {
  if (countRowsToLook(stats.rows - 1) !== 1) return;
  const x = inferXAxis(stats)?.key;
  if (x === stats.x) return;
  stats.x = x;
  const known = listKnownX(stats, x);
  for (const column of stats.columns.values()) {
    column.minX = column.minRow === undefined ? undefined : known.get(column.minRow);
    column.maxX = column.maxRow === undefined ? undefined : known.get(column.maxRow);
  }
}

/** How many more rows have to come before `followX` looks at X again. */
export function countRowsToLook(rows: number): number {
  return 2 ** (32 - Math.clz32(rows)) - rows;
}

/** The numbers of a column in those rows that its statistics tell. */
function listKnownX({ columns, rows }: TableStats, x: string | undefined): ReadonlyMap<number | undefined, number> {
  const column = x === undefined ? undefined : columns.get(x);
  const known = new Map<number | undefined, number>();
  if (column === undefined) return known;
  const { min, max, minRow, maxRow, last } = column;
  if (minRow !== undefined && min !== undefined) known.set(minRow, min);
  if (maxRow !== undefined && max !== undefined) known.set(maxRow, max);
  if (typeof last === 'number') known.set(rows, last);
  return known;
}
