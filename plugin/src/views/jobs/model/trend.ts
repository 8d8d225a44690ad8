import type { DataFrame } from '@grafana/data';
import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import { groupBy } from '@joblens/core/lists/group-by';
import { chooseMainKey, rankKey } from '../../../frames/main-key.js';
import { createGraphs } from '../../graph/model/lines/graphs.js';
import { type Column, createTables, type PanelTable } from '../../parts/components/tables.js';

/** The course of one number of a job. */
export interface Trend {
  readonly key: string;
  /** Finite, oldest first. */
  readonly values: readonly number[];
}

/** A line needs two ends. */
const MIN_VALUES = 2;

/** The course of each job's main number, by the key of its row. */
export function readTrends(frames: readonly DataFrame[]): ReadonlyMap<string, Trend> {
  const named = createTables(frames).flatMap((table) => {
    const { job, user } = table;
    return job === undefined || user === undefined ? [] : [{ key: formatJobKey({ job, user }), table }];
  });
  return new Map(
    [...groupBy(named, ({ key }) => key)].flatMap(([key, tables]) => {
      const trend = chooseTrend(tables.map(({ table }) => table));
      return trend === undefined ? [] : [[key, trend] as const];
    })
  );
}

/** Chooses the table with the main key whose last value the list shows: in the main graph, the last to begin. */
function chooseTrend(tables: readonly PanelTable[]): Trend | undefined {
  const mainFirst = createGraphs(tables, { kind: 'auto' }).flatMap((graph) => [...graph.tables].reverse());
  const trends = mainFirst.flatMap((table) => readTrend(table) ?? []);
  return trends.sort((a, b) => rankKey(a.key) - rankKey(b.key))[0];
}

function readTrend(table: PanelTable): Trend | undefined {
  const numeric = table.columns.filter(({ isNumeric }) => isNumeric);
  const key = chooseMainKey(
    numeric.map(({ name }) => name),
    table.storedX?.key
  );
  const main = numeric.find(({ name }) => name === key);
  const values = main === undefined ? [] : listNumbers(main);
  return main === undefined || values.length < MIN_VALUES ? undefined : { key: main.name, values };
}

function listNumbers({ values }: Column): readonly number[] {
  return values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
}
