import type fc from 'fast-check';
import type { Steps } from '../steps.js';
import { createLives, listTransitions } from './random-histories.js';

/*
 * What balsam/analytics.py of Balsam 0.7 computes, on its own data: EventLog rows (job_id, timestamp, from_state,
 * to_state, data) and BatchJobs (start_time, end_time, num_nodes). docs/analytics.md lists where ours differs, and why.
 */
export interface EventLog {
  readonly jobId: number;
  readonly timestamp: number;
  readonly fromState: string;
  readonly toState: string;
  readonly data: { readonly num_nodes?: number };
}

export type Curve = readonly (readonly [timestamp: number, value: number])[];

export function reportThroughput(logs: readonly EventLog[], toState = 'JOB_FINISHED'): Curve {
  const times = logs.filter((log) => log.toState === toState).map(({ timestamp }) => timestamp);
  return times.sort((a, b) => a - b).map((timestamp, i) => [timestamp, i + 1]);
}

function accumulate(changes: readonly (readonly [number, number])[]): Curve {
  let sum = 0;
  return changes.toSorted(([a, x], [b, y]) => a - b || x - y).map(([time, change]) => [time, (sum += change)]);
}

/** The order of the EventLog is newest first, so the oldest start of a job says its nodes. */
export function reportUtilization(logs: readonly EventLog[], nodeWeighting = true): Curve {
  const newestFirst = logs.toSorted((a, b) => b.timestamp - a.timestamp);
  const nodes = new Map<number, number>();
  const starts = newestFirst.filter(({ toState }) => toState === 'RUNNING');
  for (const { jobId, data } of starts) nodes.set(jobId, nodeWeighting ? (data.num_nodes ?? NaN) : 1);
  const exits = newestFirst.filter(({ fromState }) => fromState === 'RUNNING');
  return accumulate([
    ...starts.map(({ timestamp, data }) => [timestamp, nodeWeighting ? (data.num_nodes ?? NaN) : 1] as const),
    ...exits.map(({ timestamp, jobId }) => [timestamp, -(nodes.get(jobId) ?? 1)] as const),
  ]);
}

export interface BatchJob {
  readonly startTime?: number;
  readonly endTime?: number;
  readonly numNodes: number;
}

export function reportNodes(jobs: readonly BatchJob[]): Curve {
  return accumulate(
    jobs.flatMap(({ startTime, endTime, numNodes }) =>
      startTime === undefined || endTime === undefined
        ? []
        : [[startTime, numNodes] as const, [endTime, -numNodes] as const]
    )
  );
}

/** Balsam's curve where it does not err: at each instant the last of its values, the same ones in a row left out. */
export function settle(curve: Curve): Curve {
  const last = [...new Map(curve)];
  return last.filter(([, value], i) => value !== (last[i - 1]?.[1] ?? 0));
}

/** Our steps as Balsam gives them: changes only, without the ends of the window. */
export function listChanges({ timesMs, values }: Steps): Curve {
  return timesMs.flatMap((timeMs, i) => {
    const value = values[i] ?? NaN;
    return value === (values[i - 1] ?? 0) ? [] : [[timeMs, value] as const];
  });
}

/** A job of Balsam: PREPROCESSED, RUNNING (again after RESTART_READY), RUN_DONE, POSTPROCESSED, JOB_FINISHED. */
export const eventLogs: fc.Arbitrary<readonly EventLog[]> = createLives(1000, 40).map((lives) =>
  lives.flatMap((life, jobId): EventLog[] => {
    const names: Readonly<Record<string, string>> = {
      PENDING: 'PREPROCESSED',
      COMPLETED: 'RUN_DONE',
      FAILED: 'RUN_ERROR',
    };
    const data = { num_nodes: life.nodes ?? 0.5 };
    const logs = listTransitions(life).map(({ timeMs, fromState = 'STAGED_IN', toState }): EventLog => ({
      ...{ jobId, timestamp: timeMs, fromState: names[fromState] ?? fromState, toState: names[toState] ?? toState },
      data: toState === 'RUNNING' ? data : {},
    }));
    const last = logs.at(-1);
    if (last?.toState !== 'RUN_DONE') return logs;
    const next = { ...last, fromState: 'RUN_DONE', toState: 'POSTPROCESSED', timestamp: last.timestamp + 1 };
    return [
      ...logs,
      next,
      { ...next, fromState: 'POSTPROCESSED', toState: 'JOB_FINISHED', timestamp: last.timestamp + 2 },
    ];
  })
);
