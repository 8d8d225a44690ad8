import { NS_PER_MS } from '../../numbers/time-units.js';
import { isActiveState } from '../../words/states.js';
import { compareNatural } from '../../rows/natural-order.js';
import { type FindRequest, findStartNs, formatJobKey, type FoundJob, mergeFoundJobs } from '../heartbeats/find-jobs.js';
import type { WalkSlot } from './walk-jobs.js';

/** A job that a walk has found. */
export interface WalkedJob extends FoundJob {
  /** Where it stands among the others: its start, or the end of its last slot where no heartbeat tells the start. */
  readonly placeMs: number;
  /** Whether it left a sign at the end of the range. */
  readonly isLiving: boolean;
}

/** Adds the jobs of a slot, which is older than those before, to those that are known, by formatJobKey. */
export function addWalkedSlot(
  known: Map<string, WalkedJob>,
  { beforeNs, isLast }: WalkSlot,
  jobs: readonly FoundJob[],
  { toNs, isOpen }: Pick<FindRequest, 'toNs' | 'isOpen'>
): void {
  for (const sign of jobs) {
    // The slot that the range ends in tells of jobs that began after it.
    if (isOpen !== true && sign.startedMs !== undefined && findStartNs(sign) > toNs) continue;
    const key = formatJobKey(sign);
    const earlier = known.get(key);
    const job = earlier === undefined ? sign : mergeFoundJobs(earlier, sign);
    const untilNs = beforeNs < toNs ? beforeNs : toNs;
    const lastMs = earlier?.placeMs ?? Number(untilNs / NS_PER_MS);
    known.set(key, {
      ...job,
      placeMs: job.startedMs ?? lastMs,
      isLiving: earlier?.isLiving === true || isLast === true,
    });
  }
}

/** Adds the jobs that left heartbeats behind the end of the range: they live, by a clock that is ahead. */
export function addJobsAhead(known: Map<string, WalkedJob>, jobs: readonly FoundJob[]): void {
  for (const job of jobs) {
    const placeMs = job.startedMs ?? Number(job.fromNs / NS_PER_MS);
    known.set(formatJobKey(job), { ...job, placeMs, isLiving: true });
  }
}

export function sortWalkedJobs(jobs: Iterable<WalkedJob>): WalkedJob[] {
  return [...jobs].sort(compareWalked);
}

/** Running jobs first, then the newest. One that does not say its state runs if it lives. */
export function compareWalked(a: WalkedJob, b: WalkedJob): number {
  return (
    Number(isActive(b)) - Number(isActive(a)) ||
    b.placeMs - a.placeMs ||
    compareNatural(b.job, a.job) ||
    compareNatural(a.user, b.user)
  );
}

function isActive({ state, isLiving }: WalkedJob): boolean {
  return state === undefined ? isLiving : isActiveState(state);
}
