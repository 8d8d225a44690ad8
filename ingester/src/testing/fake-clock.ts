import type { Clock } from '../clock/clock.js';

/** A clock that moves only when it is told to. */
export interface FakeClock extends Clock {
  /** Sets the wall clock, as an administrator or NTP may: back by a negative time. No time passes. */
  readonly stepWall: (ms: number) => void;
  /** Moves the time on and lets the sleepers run whose time has come. */
  advance(ms: number): Promise<void>;
  /** The lengths of all sleeps so far, in the order in which they began. */
  readonly sleeps: readonly number[];
  /** How many sleep now. */
  readonly sleepers: number;
}

/** Today, as it were: times have as many digits as those of a real clock. */
const START_MS = 1_700_000_000_000;
/** The machine has been up for a while. */
const UPTIME_MS = 50_000_000;

export function createFakeClock(): FakeClock {
  let nowMs = START_MS;
  let monotonicMs = UPTIME_MS;
  let lastNs = BigInt(START_MS) * 1_000_000n;
  const sleeps: number[] = [];
  const sleepers = new Map<() => void, number>();
  return {
    sleeps,
    get sleepers() {
      return sleepers.size;
    },
    nowMs: () => nowMs,
    monotonicMs: () => monotonicMs,
    nextNs: () => (lastNs += 1000n),
    reserve: (untilNs) => {
      if (untilNs > lastNs) lastNs = untilNs;
    },
    sleep(delayMs, signal) {
      sleeps.push(delayMs);
      if (signal?.aborted === true) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = (): void => {
          sleepers.delete(wake);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        sleepers.set(wake, monotonicMs + delayMs);
        signal?.addEventListener('abort', wake);
      });
    },
    stepWall(ms) {
      nowMs += ms;
    },
    async advance(ms) {
      nowMs += ms;
      monotonicMs += ms;
      for (const [wake, dueMs] of sleepers) if (dueMs <= monotonicMs) wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
