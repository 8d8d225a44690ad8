/** Time as the pipeline sees it; a test gives its own. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** The time of a new log row: strictly rising, at least 1 µs after the one before, so that the parts of a long line fit between. */
  nextNs(): bigint;
  /** No later row gets a time before or at this one: what a line of very many parts takes. */
  reserve(lastNs: bigint): void;
  /** Resolves after the time, or at once when the signal is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

const NS_PER_MS = 1_000_000n;
const ROW_STEP_NS = 1000n;
/** The wall clock is read anew when the fine one has drifted this far from it (a corrected clock, a machine that slept). */
const MAX_DRIFT_MS = 50;

/** The machine's clock. One for a process: times of all its streams and jobs rise together. */
export function createSystemClock(): Clock {
  let anchorMs = Date.now();
  let anchorFineMs = performance.now();
  let lastNs = 0n;

  function readWallNs(): bigint {
    const elapsedMs = performance.now() - anchorFineMs;
    const wallMs = Date.now();
    if (Math.abs(anchorMs + elapsedMs - wallMs) > MAX_DRIFT_MS) {
      anchorMs = wallMs;
      anchorFineMs = performance.now();
      return BigInt(wallMs) * NS_PER_MS;
    }
    return BigInt(anchorMs) * NS_PER_MS + BigInt(Math.round(elapsedMs * 1000)) * 1000n;
  }

  return {
    nowMs: () => Date.now(),
    nextNs() {
      const wallNs = readWallNs();
      lastNs = wallNs >= lastNs + ROW_STEP_NS ? wallNs : lastNs + ROW_STEP_NS;
      return lastNs;
    },
    reserve(untilNs) {
      if (untilNs > lastNs) lastNs = untilNs;
    },
    sleep,
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
