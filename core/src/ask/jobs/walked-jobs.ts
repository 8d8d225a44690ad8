import { isActiveState } from '../../words/states.js';
import { compareNatural } from '../../rows/natural-order.js';
import { findStartNs, formatJobKey, type FoundJob, mergeFoundJobs } from '../heartbeats/find-jobs.js';
import type { WalkSlot } from './walk-jobs.js';

/** A job that a walk has found. */
export interface WalkedJob extends FoundJob {
  /** Where it stands among the others: its start, or the end of its last slot where no heartbeat tells the start. */
  readonly placeMs: number;
  /** Whether it left a sign at the end of the range. */
  readonly isLiving: boolean;
}

const NS_PER_MS = 1_000_000n;

/** Adds the jobs of a slot, which is older than those before, to those that are known, by formatJobKey. */
export function addWalkedSlot(
  known: Map<string, WalkedJob>,
  { beforeNs, isLast }: WalkSlot,
  jobs: readonly FoundJob[],
  toNs: bigint
): void {
  for (const sign of jobs) {
    // The slot that the range ends in tells of jobs that began after it.
    if (sign.startedMs !== undefined && findStartNs(sign) > toNs) continue;
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
