import { describeExit } from '@joblens/core/signals/explain-end';
import type { StateKind } from '@joblens/core/words/states';
import type { JobRow } from './job-rows.js';

export const KIND_LABELS: Readonly<Record<StateKind, string>> = {
  running: 'Running',
  waiting: 'Waiting',
  failed: 'Failed',
  stopped: 'Stopped',
  completed: 'Completed',
  unknown: 'Other',
};

/** Why a job is in its state, as far as its description tells: a reason is a whole sentence. */
export function readReason({ reason, exitCode }: Pick<JobRow, 'reason' | 'exitCode'>): string | undefined {
  return reason ?? describeExit(exitCode);
}
