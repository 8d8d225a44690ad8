import { type LivingJob, RUNNING, type TimeWindow, type Transition } from '../../analytics/transition.js';
import { addUsage, createUsage, sumUsage, type Usage } from '../../analytics/usage.js';
import { createCallColumn } from '../../influxql/build.js';
import { HOUR_MS } from '../../numbers/time-units.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import { readWithBaseline } from './running-baseline.js';
import type { Untold } from './running-totals.js';
import type { TransitionsRequest } from './transitions.js';
import { afterStart, LEAVES_RUNNING, totalsQuery } from './transition-totals.js';

const S_PER_HOUR = 3600;

/** Reads usage as sumUsage gives it: of the runs that ended in the window, and of what still runs at its end. */
export function* readUsageTotals(request: TransitionsRequest, { living, lost }: Untold): Reading<readonly Usage[]> {
  const columns = [
    createCallColumn('count', 'job', 'runs'),
    ...['runtime_s', 'node_s', 'cpu_s', 'gpu_s'].map((field) => createCallColumn('sum', field, field)),
  ];
  const totals = totalsQuery(afterStart(request), columns, ['user', 'account', 'to_state'], LEAVES_RUNNING);
  const { results, ended } = yield* readWithBaseline(request, [totals]);
  return addUsage([
    ...readEnded(results[0]),
    ...subtractBefore(ended, request.window),
    ...listRunning(living, request.window),
    ...sumUsage(lost, request.window),
  ]);
}

function readEnded(totals: ReadableResult): Usage[] {
  return listSeries(totals).flatMap((series): Usage[] => {
    const account = readTag(series, 'account');
    return listRows(series).map((row) => {
      const hours = (field: string): number => (row.number(field) ?? 0) / S_PER_HOUR;
      return {
        ...{ user: readTag(series, 'user') ?? '', ...(account !== undefined && { account }) },
        ...{ state: readTag(series, 'to_state') ?? '', runs: row.number('runs') ?? 0 },
        ...{
          jobHours: hours('runtime_s'),
          nodeHours: hours('node_s'),
          coreHours: hours('cpu_s'),
          gpuHours: hours('gpu_s'),
        },
      };
    });
  });
}

/** What these runs used before the window is part of their sums. */
function subtractBefore(early: readonly Transition[], { fromMs }: TimeWindow): Usage[] {
  return early.map((run) => ({
    ...createUsage(run, run.toState, -(fromMs - (run.startedMs ?? fromMs)) / HOUR_MS),
    runs: 0,
  }));
}

function listRunning(living: readonly LivingJob[], { fromMs, toMs }: TimeWindow): Usage[] {
  return living.flatMap((job) =>
    job.state !== RUNNING || job.startedMs === undefined
      ? []
      : createUsage(job, RUNNING, (toMs - Math.max(fromMs, job.startedMs)) / HOUR_MS)
  );
}
