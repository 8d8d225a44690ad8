import { NS_PER_MS, NS_PER_US } from '@joblens/core/numbers/time-units';
import type { FinalState } from './exit-status.js';

/** The most by which the starts of a job's tasks, and the clocks of their nodes, may differ. */
const SPREAD_MS = 2500;
/** Failures this close to each other are ordered by their exit codes. */
const LANE_MS = 5000;
const EXIT_CODES = 256;

interface TaskEnd {
  readonly state: FinalState;
  readonly exitCode: number;
  readonly startedMs: number;
  readonly endedMs: number;
  /** Whether the job has other tasks too. */
  readonly isOneOfMany: boolean;
}

/** The time of the point that a scheduler's job runs. */
export function findStartNs(startedMs: number): bigint {
  return BigInt(Math.floor(startedMs)) * NS_PER_MS;
}

/**
 * The time of the point that a scheduler's job, or one task of it, has ended. The newest of a job's points counts, so
 * it must be that of the worst task, and must come before the scheduler's own point, which has whole seconds. Tasks do
 * not know each other. So a success is dated right behind the start, a cancellation soon after that, and a failure when
 * it happens. A failure is then later than the others, even if it comes some seconds after the end of a task that
 * failed at once.
 */
export function findEndNs({ state, exitCode, startedMs, endedMs, isOneOfMany }: TaskEnd): bigint {
  const startNs = findStartNs(startedMs);
  // Whatever is known of the job goes before.
  if (!isOneOfMany || state === 'LOST') return latest(startNs + 1n, findStartNs(floorTo(endedMs, 1000)));
  switch (state) {
    case 'COMPLETED':
      return startNs + 1n;
    case 'CANCELLED':
      return latest(startNs + 2n, findStartNs(Math.min(endedMs, startedMs + SPREAD_MS)));
    case 'FAILED': {
      const laneMs = Math.max(floorTo(endedMs, LANE_MS), floorTo(startedMs + 2 * LANE_MS, LANE_MS));
      return findStartNs(laneMs) - BigInt(EXIT_CODES - Math.min(exitCode, EXIT_CODES - 1)) * NS_PER_US;
    }
  }
}

function floorTo(timeMs: number, stepMs: number): number {
  return Math.floor(timeMs / stepMs) * stepMs;
}

function latest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
