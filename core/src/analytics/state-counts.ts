import { compareCodePoints } from '../point/utf8.js';
import type { Stay } from './stays.js';
import { accumulateSpans, type Steps } from './steps.js';
import type { TimeWindow } from './transition.js';

const FIRST_STATES = ['RUNNING', 'PENDING'];

/**
 * How many jobs are in each state at each instant. A job stays in its final state, so such a state counts the jobs that
 * have reached it since the window's start. RUNNING and PENDING come first, for a stack that has them at its bottom.
 */
export function countStates(stays: readonly Stay[], window: TimeWindow): ReadonlyMap<string, Steps> {
  const spans = new Map<string, Array<{ fromMs: number; toMs: number | undefined; amount: number }>>();
  for (const { state, fromMs, toMs } of stays) {
    const ofState = spans.get(state) ?? [];
    spans.set(state, ofState);
    ofState.push({ fromMs, toMs, amount: 1 });
  }
  return new Map(
    [...spans]
      .sort(([a], [b]) => compareStates(a, b))
      .map(([state, ofState]) => [state, accumulateSpans(ofState, window)])
  );
}

export function compareStates(a: string, b: string): number {
  return rankState(a) - rankState(b) || compareCodePoints(a, b);
}

function rankState(state: string): number {
  const at = FIRST_STATES.indexOf(state);
  return at === -1 ? FIRST_STATES.length : at;
}
