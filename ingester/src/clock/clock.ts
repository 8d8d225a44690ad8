/** Time as the pipeline sees it; a test gives its own. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /**
   * The time of a new log row: strictly rising, at least 1 µs after the one before, so that the parts of a long line
   * fit between.
   */
  nextNs(): bigint;
  /**
   * No later row gets a time before or at this one: what a line of very many parts takes, or what was given before a
   * restart.
   */
  reserve(lastNs: bigint): void;
  /** Resolves after the time, or at once when the signal is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The wall clock is read anew when the fine one has drifted this far from it (a corrected clock, a machine that slept).
 */
const MAX_DRIFT_MS = 50;

/** The machine's clock. One for a process: times of all its streams and jobs rise together. */
export function createSystemClock(): Clock {
  const rowTimes = createRowTimes(createWallClock());
  return { nowMs: () => Date.now(), ...rowTimes, sleep };
}

/** Microseconds since the Unix epoch, whole: a number holds them exactly until the year 2255. */
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

/** Strictly rising row times over a wall clock in microseconds. */
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
