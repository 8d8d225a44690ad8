import { inferXAxis } from '@joblens/core/axis/x-axis';
import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { readTrendPoints, trendQueries } from '@joblens/core/ask/tables/trend';
import { chooseMainKey } from '../../frames/main-key.js';
import { toNs } from '../../frames/times.js';
import { createMetadataFrame } from './metadata-frames.js';
import { readRowsPage, type TableOfQuery, type TableReading } from './metadata-reading.js';
import { printAll, type RunContext } from '../parts/query-type.js';

export interface TrendQuestion {
  /** Means; of up to twice as many rows the rows themselves. */
  readonly points: number;
  /** When the jobs that have ended did so, by formatJobKey. */
  readonly endsMs: Readonly<Record<string, number>>;
}

/** The main number of a table: its rows where they are few, else means over the whole time that the job ran. */
export function* readTrend(table: TableOfQuery, { points, endsMs }: TrendQuestion, context: RunContext): TableReading {
  const { table: summary } = table;
  const key = chooseKey(summary);
  const endedMs = endsMs[formatJobKey(summary)];
  const fromNs = summary.timeNs > context.fromNs ? summary.timeNs : context.fromNs;
  const endNs = endedMs === undefined ? context.toNs : toNs(endedMs);
  // Means must be fewer than rows, or they would be taken for all rows, and X be chosen among them.
  if (key === undefined || summary.rows <= 2 * points || endNs <= fromNs) {
    const range = { fromNs: context.fromNs, toNs: context.toNs };
    return yield* readRowsPage(table, { ...range, order: 'desc', limit: 2 * points }, context);
  }
  const statements = trendQueries({ table: summary, key, points, fromNs, toNs: endNs });
  const records = readTrendPoints(yield statements).map(({ timeNs, value }) => ({
    timeNs,
    values: new Map([[key, value]]),
  }));
  const executedQuery = printAll(statements);
  return createMetadataFrame({ ...table, keys: [key], records, isLimited: false, executedQuery });
}

/** Undefined where nothing tells which keys have numbers. */
function chooseKey({ keys, stats }: TableSummary): string | undefined {
  if (stats === undefined) return undefined;
  const numeric = keys.filter((key) => (stats.columns.get(key)?.numeric ?? 0) > 0);
  return chooseMainKey(numeric, inferXAxis(stats)?.key);
}
