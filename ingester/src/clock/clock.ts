/** The pipeline's source of time; tests give their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /**
   * The time of a new log row. Times rise strictly, by at least 1 µs, so that the parts of a long line fit in between.
   */
  nextNs(): bigint;
  /**
   * Gives no later row a time up to `lastNs`: it belongs to a line of very many parts, or to a row before a restart.
   */
  reserve(lastNs: bigint): void;
  /** Resolves after the time, or at once when the signal is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The wall clock is read again when the fine clock has drifted this far from it, because the clock was corrected or the
 * machine slept.
 */
const MAX_DRIFT_MS = 50;

/** The machine's clock. A process has one, so that the times of all its streams and jobs rise together. */
export function createSystemClock(): Clock {
  const rowTimes = createRowTimes(createWallClock());
  return { nowMs: () => Date.now(), ...rowTimes, sleep };
}

/** Whole microseconds since the Unix epoch: a number holds them exactly until the year 2255. */
function createWallClock(): () => number {
  let anchorMs = Date.now();
  let anchorFineMs = performance.now();
  return () => {
    const elapsedMs = performance.now() - anchorFineMs;
    const wallMs = Date.now();
    if (Math.abs(anchorMs + elapsedMs - wallMs) <= MAX_DRIFT_MS) return anchorMs * 1000 + Math.round(elapsedMs * 1000);
    anchorMs = wallMs;
    anchorFineMs = performance.now();
    return wallMs * 1000;
  };
}

/** Makes strictly rising row times from a wall clock in microseconds. */
function createRowTimes(readWallUs: () => number): Pick<Clock, 'nextNs' | 'reserve'> {
  let lastUs = 0;
  return {
    nextNs() {
      lastUs = Math.max(readWallUs(), lastUs + 1);
      return BigInt(lastUs) * 1000n;
    },
    reserve(untilNs) {
      lastUs = Math.max(lastUs, Number((untilNs + 999n) / 1000n));
    },
  };
}

function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, delayMs);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
