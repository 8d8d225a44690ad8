import { endStays, listUnended } from '../analytics/lost-jobs.js';
import type { Stay } from '../analytics/stays.js';
import { listStays } from '../analytics/stays.js';
import type { LivingJob } from '../analytics/transition.js';
import { RUNNING } from '../analytics/transition.js';
import { createCallColumn } from '../influxql/build.js';
import { formatJobKey } from './find-jobs.js';
import { createJobFieldCondition } from './job-field.js';
import { findLastHeartbeats, findSilentJobs } from './last-heartbeats.js';
import type { ReadStep } from './read-step.js';
import { listRows, listSeries } from './result-rows.js';
import type { ReadableResult } from './result-rows.js';
import { askWithBaseline } from './running-baseline.js';
import { ENTERS_RUNNING, LEAVES_RUNNING, afterStart, totalsQuery } from './transition-totals.js';
import { readTransitions, transitionsQuery } from './transitions.js';
import type { TransitionsRequest } from './transitions.js';

/** What the sums of a store leave open: runs that began in the window and whose end nobody wrote. */
export interface LostRuns {
  /** Each ends with the last sign of life of its job. */
  readonly lost: readonly Stay[];
  /** So many more have neither an end nor a heartbeat, or are too many to look for. */
  readonly unended: number;
}

const MAX_ROWS = 20_000;
const NONE: LostRuns = { lost: [], unended: 0 };

/**
 * Finds the runs whose end nobody wrote, for reports that the store adds up. As many runs end, or still run, as were
 * there or began, or else there are such runs; only then, heartbeats are read. No sum tells of jobs that waited: with
 * `ofAllStates`, heartbeats are always read.
 */
export function findLostRuns<Done>(
  request: TransitionsRequest,
  living: readonly LivingJob[],
  ofAllStates: boolean,
  done: (runs: LostRuns) => ReadStep<Done>
): ReadStep<Done> {
  const { fromMs } = request.window;
  const count = [createCallColumn('count', 'job', 'runs')];
  const counts = [ENTERS_RUNNING, LEAVES_RUNNING].map((more) => totalsQuery(afterStart(request), count, [], more));
  return askWithBaseline(request, counts, ([entered, left], early) => {
    const running = living.filter(({ state, startedMs }) => state === RUNNING && (startedMs ?? fromMs) > fromMs);
    const open = readCount(entered) - (readCount(left) - early.length) - running.length;
    return open === 0 && !ofAllStates ? done(NONE) : findUnended(request, living, open, done);
  });
}

function readCount(result: ReadableResult): number {
  return listSeries(result).flatMap(listRows)[0]?.number('runs') ?? 0;
}

function findUnended<Done>(
  request: TransitionsRequest,
  living: readonly LivingJob[],
  open: number,
  done: (runs: LostRuns) => ReadStep<Done>
): ReadStep<Done> {
  const { window, users } = request;
  return findSilentJobs({ window, users }, living, (silent) => {
    if (silent.length === 0) return done({ lost: [], unended: Math.max(0, open) });
    const keys = new Set(silent.map(formatJobKey));
    const names = [...new Set(silent.map(({ job }) => job))];
    return {
      kind: 'ask',
      statements: [transitionsQuery(afterStart(request), MAX_ROWS, [createJobFieldCondition(names)])],
      read: ([result]) => {
        const transitions = readTransitions(result).filter((one) => keys.has(formatJobKey(one)));
        const unended = listUnended(listStays(transitions, window), living);
        return findLastHeartbeats(unended, window, (lastMs) => {
          const ended = endStays(unended, unended, window.toMs, (stay) => lastMs.get(formatJobKey(stay)));
          const lost = ended.filter(({ toMs }) => toMs !== undefined);
          return done({ lost, unended: Math.max(0, open - lost.filter(({ state }) => state === RUNNING).length) });
        });
      },
    };
  });
}
