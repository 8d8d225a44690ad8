import { beginStays, endStays, listUnbegun, listUnended } from '../../analytics/lost-jobs.js';
import { listStays, type Stay } from '../../analytics/stays.js';
import { type LivingJob, RUNNING, type TimeWindow, type Transition } from '../../analytics/transition.js';
import { findSlotStartMs } from '../../schema/heartbeat-point.js';
import { FINEST_GRID, formatJobKey } from '../heartbeats/find-jobs.js';
import { findFirstHeartbeats, findLastHeartbeats } from '../heartbeats/last-heartbeats.js';
import type { Reading } from '../reading/reading.js';
import { findStatesBefore } from './states-before.js';

/** What is known without the transitions that Joblens writes. */
export interface Known {
  /** At the end of the window. */
  readonly living: readonly LivingJob[];
  /** At its start. */
  readonly livingAtStart: readonly LivingJob[];
  /** The transitions of programs that write events alone. */
  readonly untold: readonly Transition[];
}

export interface StaysRequest extends Known {
  readonly window: TimeWindow;
  readonly transitions: readonly Transition[];
  /** Whether other stays than runs count. */
  readonly ofAllStates: boolean;
  /**
   * Whether a run without an end or a heartbeat counts to the end of the window, and one without a beginning from its
   * start; or else its length is not known.
   */
  readonly countsOpen: boolean;
}

/** What each job did in the window. */
export interface BoundedStays {
  readonly stays: readonly Stay[];
  /** The number of them with neither an end nor a heartbeat. */
  readonly unended: number;
  /** The number of runs of which nothing says when they began. */
  readonly unbegun: number;
}

/**
 * Finds what each job did in a window. Where nobody wrote when it began or ended, its first and its last heartbeat
 * bound it, and so they do for jobs that ran before the window and died in it without a word.
 */
export function* findStays(request: StaysRequest): Reading<BoundedStays> {
  const { transitions, untold, living, livingAtStart, window, ofAllStates } = request;
  const alive = new Set(living.map(formatJobKey));
  const gone = livingAtStart.filter((job) => !alive.has(formatJobKey(job)));
  const told = listStays([...transitions, ...untold], window, [...living, ...gone]);
  const matters = ({ state }: Stay): boolean => ofAllStates || state === RUNNING;
  const unbegun = listUnbegun(told, livingAtStart).filter(matters);
  const firstMs = yield* findFirstHeartbeats(unbegun, window);
  const unseen = unbegun.filter((stay) => stay.toMs !== undefined && !firstMs.has(formatJobKey(stay)));
  const before = yield* findStatesBefore(unseen, window.fromMs);
  const isLost = (stay: Stay): boolean => stay.state === RUNNING && before.get(formatJobKey(stay)) !== RUNNING;
  const lost = new Set(unseen.filter(isLost));
  const findBeginMs = (stay: Stay): number | undefined =>
    lost.has(stay) && !request.countsOpen ? stay.toMs : firstMs.get(formatJobKey(stay));
  const stays = beginStays(told, unbegun, findBeginMs);
  const unended = listUnended(stays, living).filter(matters);
  return { ...bound(request, stays, unended, yield* findLastHeartbeats(unended, window)), unbegun: lost.size };
}

function bound(
  { untold, window, countsOpen }: StaysRequest,
  stays: readonly Stay[],
  unended: readonly Stay[],
  lastMs: ReadonlyMap<string, number>
): Omit<BoundedStays, 'unbegun'> {
  const untoldJobs = new Set(untold.map(formatJobKey));
  const isSilent = (stay: Stay): boolean => !lastMs.has(formatJobKey(stay));
  const isUnknown = (stay: Stay): boolean => isSilent(stay) && untoldJobs.has(formatJobKey(stay));
  const findEndMs = (stay: Stay): number | undefined => {
    if (isUnknown(stay)) return countsOpen ? undefined : stay.fromMs;
    // Joblens leaves a heartbeat with each change: what has none was not seen any more.
    return lastMs.get(formatJobKey(stay)) ?? findSlotStartMs(stay.fromMs, FINEST_GRID) + FINEST_GRID.slotMs;
  };
  const open = new Set(unended);
  // A job that nobody saw in the window was gone before it.
  const isGone = (stay: Stay): boolean => open.has(stay) && !stay.isEntered && isSilent(stay);
  return {
    stays: endStays(
      stays.filter((stay) => !isGone(stay)),
      unended,
      window.toMs,
      findEndMs
    ),
    unended: unended.filter(isUnknown).length,
  };
}
