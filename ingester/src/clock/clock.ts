import { hrtime } from 'node:process';
import { NS_PER_US } from '@joblens/core/numbers/time-units';

/** Rows of a log are at least so far apart, so that the parts of a long line fit in between. */
export const ROW_STEP_NS = 1000n;

/** The pipeline's source of time; tests give their own. */
export interface Clock {
  /**
   * Milliseconds since the Unix epoch, for times that are stored or shown, and to compare with such times. The clock
   * may be set, back or forth: no interval or deadline is kept in it (ESLint knows the files that may read it).
   */
  readonly nowMs: () => number;
  /**
   * Milliseconds since the machine was started, for intervals and deadlines: it is never set, and rises alike in all
   * its processes. Of no use after a restart.
   */
  readonly monotonicMs: () => number;
  /** The time of a new log row. Times rise strictly, by at least ROW_STEP_NS. */
  nextNs(): bigint;
  /**
   * Gives no later row a time up to `lastNs`: it belongs to a line of very many parts, or to a row before a restart.
   */
  reserve(lastNs: bigint): void;
  /** Resolves after the time, however long it is, or at once when the signal is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The wall clock is read again when the fine clock has drifted this far from it, because the clock was corrected or the
 * machine slept.
 */
const MAX_DRIFT_MS = 50;

/** The longest time that one of Node's timers can wait: a longer one would run out at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. A process has one, so that the times of all its streams and jobs rise together. */
export function createSystemClock(): Clock {
  const rowTimes = createRowTimes(createWallClock());
  // Both are CLOCK_MONOTONIC, but performance.now() counts from the start of the process.
  const processStartMs = Number(hrtime.bigint()) / 1e6 - performance.now();
  return { nowMs: () => Date.now(), monotonicMs: () => processStartMs + performance.now(), ...rowTimes, sleep };
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
      return BigInt(lastUs) * ROW_STEP_NS;
    },
    reserve(untilNs) {
      lastUs = Math.max(lastUs, Number((untilNs + NS_PER_US - 1n) / NS_PER_US));
    },
  };
}

function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout;
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const wait = (leftMs: number): void => {
      const partMs = Math.min(leftMs, LONGEST_TIMER_MS);
      timer = setTimeout(() => (leftMs > partMs ? wait(leftMs - partMs) : finish()), partMs);
    };
    wait(delayMs);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
