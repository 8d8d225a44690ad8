import { describeExit } from '@joblens/core/signals/explain-end';
import { formatStateName, type StateKind } from '@joblens/core/words/states';
import { readStateKind } from '../../frames/state-kind.js';
import type { JobRow } from './job-rows.js';

export const KIND_LABELS: Readonly<Record<StateKind, string>> = {
  running: 'Running',
  waiting: 'Waiting',
  failed: 'Failed',
  stopped: 'Stopped',
  completed: 'Completed',
  unknown: 'Other',
};

/** The state of a job by its name, or what its lines tell where nobody wrote one. */
export function formatState(row: Pick<JobRow, 'state' | 'to'>): string {
  const { state } = row;
  if (state === undefined) return readStateKind(row) === 'running' ? 'Logging' : 'Silent';
  return formatStateName(state);
}

/** Why a job is in its state, as far as its description tells: a reason is a whole sentence. */
export function readReason({ reason, exitCode }: Pick<JobRow, 'reason' | 'exitCode'>): string | undefined {
  return reason ?? describeExit(exitCode);
}
