import { useMemo } from 'react';

/** The time to which open spans are drawn: that at which the answer came. */
export function usePresentMs(answer: unknown): number {
  // A new answer has a new present.
  return useMemo(() => Date.now(), [answer]);
}
