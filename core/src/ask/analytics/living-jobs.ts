import { NS_PER_MS } from '../../numbers/time-units.js';
import { isActiveState } from '../../words/states.js';
import type { LivingJob, Transition } from '../../analytics/transition.js';
import {
  createColumn,
  createMeasurement,
  createSelect,
  createTagEquals,
  createTimeComparison,
} from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import { HEARTBEAT_SPREAD_NS, findSlotStartMs } from '../../schema/heartbeat-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { FINEST_GRID, formatJobKey } from '../heartbeats/find-jobs.js';
import { decodeTag, listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTagCondition, type NameSelection, whereAll } from '../reading/selection.js';
import {
  readSize,
  readTransitions,
  readUntoldTransitions,
  transitionsQuery,
  untoldTransitionsQuery,
} from './transitions.js';

/** The most jobs that one instant is taken to have. */
const MAX_LIVING = 20_000;

/**
 * Asks which jobs lived at an instant: by the heartbeats of its slot, and of the one before, as a heartbeat may come
 * late in its slot. They hold the state that a job had last in the slot, so the transitions of the rest of the slot
 * come too, also those that are events alone (findUntold).
 */
export function livingJobsQueries(
  atMs: number,
  users: NameSelection,
  isUntold: Condition | undefined
): readonly [heartbeats: SelectStatement, told: SelectStatement, untold: SelectStatement] {
  const slotMs = findSlotStartMs(atMs, FINEST_GRID);
  const rest = { fromMs: atMs + 1, toMs: slotMs + FINEST_GRID.slotMs };
  return [
    createSelect({
      columns: ['job', 'user', 'account', 'state', 'started', 'nodes', 'cpus', 'gpus'].map((name) =>
        createColumn(name)
      ),
      from: [createMeasurement(MEASUREMENT.heartbeat)],
      ...whereAll(
        createTagEquals('grid', FINEST_GRID.grid),
        createTagCondition('user', users),
        createTimeComparison('>=', BigInt(Math.max(0, slotMs - FINEST_GRID.slotMs)) * NS_PER_MS),
        createTimeComparison('<', BigInt(slotMs) * NS_PER_MS + HEARTBEAT_SPREAD_NS)
      ),
      orderBy: 'DESC',
      limit: 2 * MAX_LIVING,
    }),
    transitionsQuery({ window: rest, users }, MAX_LIVING),
    untoldTransitionsQuery({ window: rest, users }, [], isUntold, MAX_LIVING),
  ];
}

/** The jobs that waited or ran at that instant, in the results of livingJobsQueries. */
export function readLivingJobs(results: readonly ReadableResult[], atMs: number): LivingJob[] {
  const [heartbeats, told, untold] = results;
  const newest = new Map<string, LivingJob>();
  for (const row of listSeries(heartbeats).flatMap(listRows)) {
    const [job, user, state] = [decodeTag(row.text('job')), decodeTag(row.text('user')) ?? '', row.text('state')];
    if (job === undefined || state === undefined || newest.has(formatJobKey({ job, user }))) continue;
    const [account, startedMs] = [row.text('account'), row.timeMs('started')];
    newest.set(formatJobKey({ job, user }), {
      ...{ job, user, state },
      ...(account !== undefined && { account }),
      ...(startedMs !== undefined && { startedMs }),
      ...readSize(row),
    });
  }
  // Newest first: the earliest one of a job stays.
  const transitions = [...readUntoldTransitions(untold), ...readTransitions(told)];
  const next = new Map(transitions.map((one) => [formatJobKey(one), one]));
  return [...newest].flatMap(([key, job]) => stateAt(job, next.get(key), atMs));
}

/** The first transition after the instant tells the state at it. */
function stateAt(job: LivingJob, next: Transition | undefined, atMs: number): LivingJob[] {
  if (next !== undefined) {
    const { fromState: state, startedMs = job.startedMs } = next;
    if (state === undefined) return [];
    return isActiveState(state) ? [{ ...job, state, ...(startedMs !== undefined && { startedMs }) }] : [];
  }
  return isActiveState(job.state) && (job.startedMs ?? 0) <= atMs ? [job] : [];
}
