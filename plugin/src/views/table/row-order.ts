import { compareTimes } from '../../frames/times.js';
import type { PanelTable } from '../parts/tables.js';

/** Whether the rows are oldest first already, as in frames of our data source. */
function isAscending(table: PanelTable, timesMs: readonly number[]): boolean {
  return timesMs.every(
    (time, row) =>
      row === 0 || compareTimes(timesMs[row - 1] ?? NaN, table.timesNs?.[row - 1], time, table.timesNs?.[row]) <= 0
  );
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
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** Place of the first row in the whole order, from 0. */
  readonly from: number;
}

/** One page of the order; a page number beyond the end is the last page. */
export function createPage(order: readonly number[], wantedIndex: number, pageSize: number): Page {
  const count = Math.max(1, Math.ceil(order.length / pageSize));
  const index = Math.min(Math.max(0, wantedIndex), count - 1);
  const from = index * pageSize;
  return { rows: order.slice(from, from + pageSize), index, count, from };
}
