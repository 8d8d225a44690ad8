import type { Clock } from './clock.js';

/**
 * Time since the Unix epoch as of now, moved on by the monotonic clock: for times whose distance counts, also after a
 * restart, but not their date.
 */
export function createSteadyTime({ nowMs, monotonicMs }: Pick<Clock, 'nowMs' | 'monotonicMs'>): () => number {
  const aheadMs = nowMs() - monotonicMs();
  return () => aheadMs + monotonicMs();
}
