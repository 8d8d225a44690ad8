import { endStays, listUnended } from '../../analytics/lost-jobs.js';
import { listStays, type Stay } from '../../analytics/stays.js';
import { type LivingJob, RUNNING } from '../../analytics/transition.js';
import { createCallColumn } from '../../influxql/build.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import { createJobFieldCondition } from '../reading/job-field.js';
import { findLastHeartbeats, findSilentJobs } from '../heartbeats/last-heartbeats.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { readWithBaseline } from './running-baseline.js';
import { afterStart, ENTERS_RUNNING, LEAVES_RUNNING, totalsQuery } from './transition-totals.js';
import { readTransitions, transitionsQuery, type TransitionsRequest } from './transitions.js';

/** What the sums of a store leave open: runs whose end nobody wrote. */
export interface LostRuns {
  /** Each ends with the last sign of life of its job. One that was not entered began before the window. */
  readonly lost: readonly Stay[];
  /** The number of further runs with neither an end nor a heartbeat, or too many to look for. */
  readonly unended: number;
  /** The number of runs that tell neither their length nor their start. */
  readonly unbegun: number;
}

const MAX_ROWS = 20_000;
const NONE: LostRuns = { lost: [], unended: 0, unbegun: 0 };

/** The jobs at both ends of the window. */
interface Living {
  readonly living: readonly LivingJob[];
  readonly livingAtStart: readonly LivingJob[];
}

/**
 * Finds the runs whose end nobody wrote, for reports that the store adds up. As many runs end, or still run, as were
 * there or began, or else there are such runs; only then, heartbeats are read. No sum tells of jobs that waited: with
 * `ofAllStates`, heartbeats are always read.
 */
export function* findLostRuns(
  request: TransitionsRequest,
  { living, livingAtStart }: Living,
  ofAllStates: boolean
): Reading<LostRuns> {
  const { fromMs } = request.window;
  const columns = ['job', 'started', 'runtime_s'].map((field) => createCallColumn('count', field, field));
  const counts = [ENTERS_RUNNING, LEAVES_RUNNING].map((more) => totalsQuery(afterStart(request), columns, [], more));
  const { results, ended } = yield* readWithBaseline(request, counts);
  const [entered, left] = results;
  const running = living.filter(({ state, startedMs }) => state === RUNNING && (startedMs ?? fromMs) > fromMs);
  const leaves = readCount(left, 'job');
  const open = readCount(entered, 'job') - (leaves - ended.length) - running.length;
  // An end that does not tell its start hides a run that has no end.
  const unbegun = leaves - Math.max(readCount(left, 'started'), readCount(left, 'runtime_s'));
  const isSure = unbegun === 0;
  const goesOn = new Set([...ended, ...living].map(formatJobKey));
  const silent = livingAtStart.filter(
    (job) => (ofAllStates || job.state === RUNNING) && !goesOn.has(formatJobKey(job))
  );
  if (open === 0 && isSure && silent.length === 0 && !ofAllStates) return NONE;
  return { ...(yield* findUnended(request, { living, silent, open })), unbegun };
}

function readCount(result: ReadableResult, field: string): number {
  return listSeries(result).flatMap(listRows)[0]?.number(field) ?? 0;
}

interface Open {
  readonly living: readonly LivingJob[];
  /** At the start of the window, and perhaps not later. */
  readonly silent: readonly LivingJob[];
  /** The number of runs that began in the window and have no end. */
  readonly open: number;
}

function* findUnended(
  request: TransitionsRequest,
  { living, silent: atStart, open }: Open
): Reading<Omit<LostRuns, 'unbegun'>> {
  const { window, users } = request;
  const silent = [...(yield* findSilentJobs({ window, users }, living)), ...atStart];
  if (silent.length === 0) return { lost: [], unended: Math.max(0, open) };
  const keys = new Set(silent.map(formatJobKey));
  const names = [...new Set(silent.map(({ job }) => job))];
  const [result] = yield [transitionsQuery(afterStart(request), MAX_ROWS, [createJobFieldCondition(names)])];
  const all = readTransitions(result);
  const transitions = all.filter((one) => keys.has(formatJobKey(one)));
  // If there are too many transitions, some are missing, and nobody knows which runs have none.
  const unended = listUnended(listStays(transitions, window, all.length < MAX_ROWS ? atStart : []), living);
  const lastMs = yield* findLastHeartbeats(unended, window);
  const ended = endStays(unended, unended, window.toMs, (stay) => lastMs.get(formatJobKey(stay)));
  const lost = ended.filter(({ toMs }) => toMs !== undefined);
  const began = lost.filter(({ state, isEntered }) => state === RUNNING && isEntered);
  return { lost, unended: Math.max(0, open - began.length) };
}
