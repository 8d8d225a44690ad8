import { describeExit } from '@joblens/core';
import type { JobRow } from './job-rows.js';

/** What a state means to the person who looks: its colour, and its place in a list. */
export type StateKind = 'running' | 'waiting' | 'failed' | 'stopped' | 'completed' | 'unknown';

/** In the order of a list: what may need somebody first. */
export const STATE_KINDS: readonly StateKind[] = ['running', 'waiting', 'failed', 'stopped', 'completed', 'unknown'];

export const KIND_LABELS: Readonly<Record<StateKind, string>> = {
  running: 'Running',
  waiting: 'Waiting',
  failed: 'Failed',
  stopped: 'Stopped',
  completed: 'Completed',
  unknown: 'Other',
};

/** Every state that the ingester writes, of its own jobs and of Slurm's. */
const KIND_OF_STATE: ReadonlyMap<string, StateKind> = new Map([
  ['RUNNING', 'running'],
  ['COMPLETING', 'running'],
  ['PENDING', 'waiting'],
  ['CONFIGURING', 'waiting'],
  ['REQUEUED', 'waiting'],
  ['SUSPENDED', 'waiting'],
  ['COMPLETED', 'completed'],
  ['CANCELLED', 'stopped'],
  ['PREEMPTED', 'stopped'],
  ['FAILED', 'failed'],
  ['LOST', 'failed'],
  ['TIMEOUT', 'failed'],
  ['DEADLINE', 'failed'],
  ['OUT_OF_MEMORY', 'failed'],
  ['NODE_FAIL', 'failed'],
  ['BOOT_FAIL', 'failed'],
]);

/** A job that is only piped has no state: it runs while lines come. */
export function readStateKind({ state, to }: Pick<JobRow, 'state' | 'to'>): StateKind {
  if (state === undefined) return to === 'now' ? 'running' : 'unknown';
  return KIND_OF_STATE.get(state.toUpperCase()) ?? 'unknown';
}

/** `OUT_OF_MEMORY` as `Out of memory`. */
export function formatState(row: Pick<JobRow, 'state' | 'to'>): string {
  const { state } = row;
  if (state === undefined) return readStateKind(row) === 'running' ? 'Logging' : 'Silent';
  const words = state.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Why a job is in its state, as far as its description tells: a reason is a whole sentence. */
export function readReason({ reason, exitCode }: Pick<JobRow, 'reason' | 'exitCode'>): string | undefined {
  return reason ?? describeExit(exitCode);
}
