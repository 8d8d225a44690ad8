import { NS_PER_MS } from '../../numbers/time-units.js';
import { isOnState } from '../../words/states.js';
import { FINEST_GRID, formatJobKey } from '../heartbeats/find-jobs.js';
import type { JobRecord } from './jobs.js';
import { findLastHeartbeats, findLivingJobs } from '../heartbeats/last-heartbeats.js';
import type { Reading } from '../reading/reading.js';

/** What findLostJobs finds. */
export interface LostJobs {
  /** The end of the slot of the last heartbeat, by formatJobKey. */
  readonly aliveUntilMs: ReadonlyMap<string, number>;
}

/** A heartbeat may come late in its slot. */
const SILENT_MS = 2 * FINEST_GRID.slotMs;

/** Whether only heartbeats can tell if the job still lives: it runs for longer than a heartbeat may take. */
export function mayBeLost(job: JobRecord, nowMs: number): boolean {
  return isOnState(job.state) && job.endedMs === undefined && nowMs - findBeginMs(job) >= SILENT_MS;
}

/** Not every writer tells when a job started: then it was there when its first point was written. */
function findBeginMs({ startedMs, timeNs }: JobRecord): number {
  return startedMs ?? Number(timeNs / NS_PER_MS);
}

/**
 * Finds which of these jobs nobody will end: they should run, and leave no heartbeats any more, as their node has died.
 * Jobs that never left one are not among them. One small question while all of them live.
 */
export function* findLostJobs(records: readonly JobRecord[], nowMs: number): Reading<LostJobs> {
  const open = records.filter((job) => mayBeLost(job, nowMs));
  const living = yield* findLivingJobs(open, nowMs);
  const silent = open.filter((job) => !living.has(formatJobKey(job)));
  const fromMs = silent.reduce((least, job) => Math.min(least, findBeginMs(job)), nowMs);
  const lastMs = yield* findLastHeartbeats(silent, { fromMs, toMs: nowMs });
  const keys = new Set(silent.map(formatJobKey));
  return { aliveUntilMs: new Map([...lastMs].filter(([key]) => keys.has(key))) };
}

/** The same jobs, with the last sign of life of those whose end nobody wrote. */
export function* markLostJobs(records: readonly JobRecord[], nowMs: number): Reading<readonly JobRecord[]> {
  return addLastLife(records, yield* findLostJobs(records, nowMs));
}

/** The same jobs, those that were lost with the end of their last sign of life. */
export function addLastLife(records: readonly JobRecord[], { aliveUntilMs }: LostJobs): JobRecord[] {
  return records.map((job) => {
    const untilMs = aliveUntilMs.get(formatJobKey(job));
    return untilMs === undefined ? job : { ...job, aliveUntilMs: Math.max(untilMs, job.startedMs ?? untilMs) };
  });
}
