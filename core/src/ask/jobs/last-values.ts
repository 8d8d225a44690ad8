import { compareNatural } from '../../rows/natural-order.js';
import { groupMainFirst } from '../tables/main-tables.js';
import type { TableSummary } from '../tables/tables.js';

/**
 * The last value of each key in the tables of a job. Those of the main graph come first; a key that later ones have,
 * too, keeps the value from there.
 */
export function readLastValues(tables: readonly TableSummary[]): ReadonlyMap<string, number | string> {
  const values = new Map<string, number | string>();
  for (const group of groupMainFirst(tables)) {
    for (const [key, value] of readGroupValues(group)) {
      if (!values.has(key)) values.set(key, value);
    }
  }
  return values;
}

/** If several tables have the key, the value of the table that began last; of several tasks, that of the first. */
function readGroupValues(tables: readonly TableSummary[]): ReadonlyMap<string, number | string> {
  const values = new Map<string, number | string>();
  const tasks = new Map<string, string>();
  for (const table of tables) {
    for (const [key, column] of table.stats?.columns ?? []) {
      const task = table.task ?? '';
      const known = tasks.get(key);
      if (known !== undefined && compareNatural(known, task) < 0) continue;
      tasks.set(key, task);
      values.set(key, column.last);
    }
  }
  return values;
}
