/** How much output of one job is read in a second. */
export interface ThroughputLimits {
  readonly bytesPerSecond: number;
  readonly linesPerSecond: number;
}

/** Says how long to wait before the next read, so that a job stays under its limits over any second. */
export interface TokenBucket {
  /** Takes what was read; returns the milliseconds to wait, 0 when under the limits. */
  take(bytes: number, lines: number): number;
}

/** Both limits hold; one second's worth may come at once. */
export function createTokenBucket(limits: ThroughputLimits, nowMs: () => number): TokenBucket {
  let bytes = limits.bytesPerSecond;
  let lines = limits.linesPerSecond;
  let lastMs = nowMs();
  return {
    take(readBytes, readLines) {
      const elapsedS = Math.max(0, nowMs() - lastMs) / 1000;
      lastMs = nowMs();
      bytes = Math.min(limits.bytesPerSecond, bytes + elapsedS * limits.bytesPerSecond) - readBytes;
      lines = Math.min(limits.linesPerSecond, lines + elapsedS * limits.linesPerSecond) - readLines;
      return Math.max(0, -bytes / limits.bytesPerSecond, -lines / limits.linesPerSecond) * 1000;
    },
  };
}

const LINE_FEED = 10;

export function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let i = bytes.indexOf(LINE_FEED); i >= 0; i = bytes.indexOf(LINE_FEED, i + 1)) count += 1;
  return count;
}
