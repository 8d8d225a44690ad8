import type { ThroughputLimits } from '../config/settings.js';

/** Says how long to wait before the next read, so that a job stays under its limits over any second. */
export interface TokenBucket {
  /** Counts what was read; returns the milliseconds to wait, 0 when under the limits. */
  take(bytes: number, lines: number): number;
}

/** Both limits hold; one second's worth may come at once. A limit may be Infinity. */
export function createTokenBucket(limits: ThroughputLimits, monotonicMs: () => number): TokenBucket {
  const bytes = createTank(limits.bytesPerSecond);
  const lines = createTank(limits.linesPerSecond);
  let lastMs = monotonicMs();
  return {
    take(readBytes, readLines) {
      const elapsedS = Math.max(0, monotonicMs() - lastMs) / 1000;
      lastMs = monotonicMs();
      return Math.max(bytes(readBytes, elapsedS), lines(readLines, elapsedS)) * 1000;
    },
  };
}

/** Takes an amount after some seconds; returns the seconds until the excess has flowed in. */
function createTank(perSecond: number): (amount: number, elapsedS: number) => number {
  let level = perSecond;
  if (perSecond === Infinity) return () => 0;
  return (amount, elapsedS) => {
    level = Math.min(perSecond, level + elapsedS * perSecond) - amount;
    return Math.max(0, -level / perSecond);
  };
}

const LINE_FEED = 10;

export function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let i = bytes.indexOf(LINE_FEED); i >= 0; i = bytes.indexOf(LINE_FEED, i + 1)) count += 1;
  return count;
}
