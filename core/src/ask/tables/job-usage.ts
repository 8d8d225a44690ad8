import { createCallColumn, createMeasurement, createSelect, createTagDimension } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { encodeFieldKey } from '../../schema/field-name.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTableConditions } from './rows.js';
import { createTimeConditions, whereAll } from '../reading/selection.js';
import type { TableSummary } from './tables.js';

/** What a job used in its newest run, by its tables of metrics (docs/job-metrics.md). */
export interface JobUsage {
  /** On average, in all: each task tells of its node. */
  readonly cpuCores?: number;
  /** The most on one node. */
  readonly memoryBytes?: number;
  readonly gpus: readonly GpuUsage[];
}

interface GpuUsage {
  /** On average. */
  readonly percent?: number;
  /** At most. */
  readonly memoryBytes?: number;
}

const [AGE, CPU, MEMORY] = ['system.age_s', 'system.cpu_cores', 'system.memory_bytes'] as const;
const GPU = /^system\.gpu(\d+)_(?:percent|memory_bytes)$/;

const USAGE_KEY =
  /^system\.(?:age_s|cpu_cores|memory_bytes|io_(?:read|write)_bytes_per_s|gpu\d+_(?:percent|memory_bytes))$/;

/** Whether a key is one of the metrics, and not the job's own. */
export function isUsageKey(key: string): boolean {
  return USAGE_KEY.test(key);
}

/** The tables that hold metrics. */
export function findUsageTables(tables: readonly TableSummary[]): readonly TableSummary[] {
  return tables.filter(({ keys }) => keys.includes(AGE));
}

/** One statement for each of these tables, over its newest run. */
export function usageQueries(tables: readonly TableSummary[]): readonly SelectStatement[] {
  return tables.map((table) =>
    createSelect({
      columns: [
        createCallColumn('mean', CPU, 'cpu'),
        createCallColumn('max', MEMORY, 'memory'),
        ...listGpus(table).flatMap((gpu) => [
          createCallColumn('mean', encodeFieldKey(`system.gpu${gpu}_percent`), `gpu${gpu}_percent`),
          createCallColumn('max', encodeFieldKey(`system.gpu${gpu}_memory_bytes`), `gpu${gpu}_memory`),
        ]),
      ],
      from: [createMeasurement(MEASUREMENT.metadata)],
      ...whereAll(...createTableConditions(table), ...createTimeConditions({ fromNs: table.runs.at(-1)?.timeNs })),
      groupBy: { dimensions: [createTagDimension('job')] },
    })
  );
}

/** The usage in the results of usageQueries for the same tables; undefined where they tell nothing. */
export function readUsage(tables: readonly TableSummary[], results: readonly ReadableResult[]): JobUsage | undefined {
  const rows = tables.flatMap((table, i) =>
    listSeries(results[i]).flatMap((series) => listRows(series).map((row) => ({ row, gpus: listGpus(table) })))
  );
  const numbers = (column: string): number[] => rows.flatMap(({ row }) => row.number(column) ?? []);
  const [cpus, memory] = [numbers('cpu'), numbers('memory')];
  if (cpus.length === 0 && memory.length === 0) return undefined;
  const gpus = rows.flatMap(({ row, gpus: found }) =>
    found.map((gpu) => {
      const [percent, memoryBytes] = [row.number(`gpu${gpu}_percent`), row.number(`gpu${gpu}_memory`)];
      return { ...(percent !== undefined && { percent }), ...(memoryBytes !== undefined && { memoryBytes }) };
    })
  );
  return {
    ...(cpus.length > 0 && { cpuCores: cpus.reduce((sum, cores) => sum + cores, 0) }),
    ...(memory.length > 0 && { memoryBytes: Math.max(...memory) }),
    gpus,
  };
}

function listGpus({ keys }: TableSummary): readonly number[] {
  return [...new Set(keys.flatMap((key) => GPU.exec(key)?.[1] ?? []))].map(Number);
}
