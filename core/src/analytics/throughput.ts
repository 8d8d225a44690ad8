import type { Stay } from './stays.js';
import { accumulateChanges, NO_STEPS, type Steps } from './steps.js';
import type { TimeWindow } from './transition.js';

/** The state that counts as done where nobody names one. */
export const FINAL_STATE = 'COMPLETED';

/**
 * How often jobs have reached one of the states since the window's start, from one of `fromStates` if there are any;
 * Balsam's throughput_report.
 */
export function countReached(
  stays: readonly Stay[],
  window: TimeWindow,
  toStates: readonly string[] = [FINAL_STATE],
  fromStates: readonly string[] = []
): Steps {
  const isFrom = (state = ''): boolean => fromStates.length === 0 || fromStates.includes(state);
  const reached = stays.filter(
    ({ state, previousState, isEntered }) => isEntered && toStates.includes(state) && isFrom(previousState)
  );
  if (reached.length === 0) return NO_STEPS;
  return accumulateChanges(
    reached.map(({ fromMs }) => ({ timeMs: fromMs, amount: 1 })),
    window
  );
}
