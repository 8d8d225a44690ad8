import { inferXAxis } from '../../axis/x-axis.js';
import { groupBy } from '../../lists/group-by.js';
import { findUsageTables } from './job-usage.js';
import type { TableSummary } from './tables.js';

/** What tells which tables of a job, drawn in one graph, people look at first. */
export interface GraphWeight {
  /** They hold what the job used, not what it printed. */
  readonly isUsage: boolean;
  /** Rows of all of them, and the lines that they make. */
  readonly rows: number;
  readonly lines: number;
  /** The time of their newest row, or of the newest table's first; any unit. */
  readonly newest: number;
}

/** The graph with the most points comes first, among equals the newest; what the job used comes behind. */
export function compareMainFirst(a: GraphWeight, b: GraphWeight): number {
  return Number(a.isUsage) - Number(b.isUsage) || b.rows * b.lines - a.rows * a.lines || b.newest - a.newest;
}

/** The tables of one job, those that share an X key together, as one graph draws them: the main ones first. */
export function groupMainFirst(tables: readonly TableSummary[]): ReadonlyArray<readonly TableSummary[]> {
  return [...groupBy(tables, findXKey)]
    .map(([x, group]) => ({ group, weight: weigh(group, x) }))
    .sort((a, b) => compareMainFirst(a.weight, b.weight))
    .map(({ group }) => group);
}

/** The key that is X of a table as a whole; undefined: X is time. */
export function findXKey({ stats, x }: Pick<TableSummary, 'stats' | 'x'>): string | undefined {
  return stats === undefined ? x : inferXAxis(stats)?.key;
}

/** Equal keys of one task are one line. */
function weigh(group: readonly TableSummary[], x: string | undefined): GraphWeight {
  const lines = group.flatMap(({ task, stats }) =>
    [...(stats?.columns ?? [])]
      .filter(([key, { numeric }]) => key !== x && numeric > 0)
      .map(([key]) => JSON.stringify([task, key]))
  );
  return {
    isUsage: findUsageTables(group).length > 0,
    rows: group.reduce((sum, table) => sum + table.rows, 0),
    lines: new Set(lines).size,
    newest: group.reduce((newest, { timeNs }) => Math.max(newest, Number(timeNs)), 0),
  };
}
