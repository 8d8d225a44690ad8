import { compareTimes } from '../../../frames/times.js';
import type { PanelTable } from '../../parts/components/tables.js';

/** Whether the rows are oldest first already, as in frames of our data source. */
function isAscending(table: PanelTable, timesMs: readonly number[]): boolean {
  return timesMs.every(
    (time, row) =>
      row === 0 || compareTimes(timesMs[row - 1] ?? NaN, table.timesNs?.[row - 1], time, table.timesNs?.[row]) <= 0
  );
}

/** Rows without times have an order of their own, such as the largest first. */
export function hasTimeOrder({ kind, timesMs }: PanelTable): boolean {
  return kind !== 'plain' || timesMs !== undefined;
}

/**
 * Row numbers in the order to show. Rows of one instant keep the order in which they were printed, so newest first is
 * exactly the reverse of oldest first. Rows without a time are the oldest. A list of jobs arrives newest first and is
 * only reversed.
 */
export function orderRows(table: PanelTable, newestFirst: boolean): readonly number[] {
  const rows = Array.from({ length: table.rowCount }, (_, row) => row);
  const { timesMs, timesNs } = table;
  if (table.kind === 'jobs') return newestFirst ? rows : rows.reverse();
  if (!hasTimeOrder(table)) return rows;
  if (timesMs !== undefined && !isAscending(table, timesMs)) {
    const timeOf = (row: number): number => timesMs[row] ?? -Infinity;
    rows.sort((a, b) => {
      const order = compareTimes(timeOf(a), timesNs?.[a], timeOf(b), timesNs?.[b]);
      return order === 0 ? a - b : order;
    });
  }
  return newestFirst ? rows.reverse() : rows;
}

export interface Page {
  readonly rows: readonly number[];
  /** Place of the first row in the whole order, from 0. */
  readonly from: number;
}

/** The page that begins at this place of the order; beyond the end it is the last page. */
export function createPage(order: readonly number[], wantedFrom: number, pageSize: number): Page {
  const from = Math.min(Math.max(0, wantedFrom), findLastPage(order.length, pageSize));
  return { rows: order.slice(from, from + pageSize), from };
}

/** Where the last page begins. */
export function findLastPage(rows: number, pageSize: number): number {
  return Math.max(0, Math.ceil(rows / pageSize) - 1) * pageSize;
}
