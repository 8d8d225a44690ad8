import type { Reading } from '../reading/reading.js';
import type { ReadableResult } from '../reading/result-rows.js';

/** Reads to the end, with answers that are at hand. Parts go to `show`. */
export function answerReading<T, P, A>(
  reading: Reading<T, P, A>,
  answer: (asked: readonly A[]) => readonly ReadableResult[],
  show: (part: P) => void = () => undefined
): T {
  let next = reading.next();
  while (next.done !== true) {
    if ('soFar' in next.value) {
      show(next.value.soFar);
      next = reading.next([]);
    } else next = reading.next(answer(next.value));
  }
  return next.value;
}
