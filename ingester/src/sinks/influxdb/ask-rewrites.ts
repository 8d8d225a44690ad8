import type { Clock } from '../../clock/clock.js';
import { withDeadline } from '../../clock/deadline.js';
import type { InfluxConnection } from './connection.js';
import { pingOnce } from './engine.js';

/** The time that the store has for its answer. Until then nothing is written that is not final. */
const PATIENCE_MS = 1000;
const RETRY_MS = 10_000;

/** What is known of a store's way with points that are written again (`Engine.rewrites`). */
export interface KnownRewrites {
  /** Undefined until it is known. */
  readonly rewrites: () => boolean | undefined;
  stop(): void;
}

/**
 * Asks the store what it is, unless the connection says how it rewrites. A store that does not answer counts as one
 * that rewrites, until it does.
 */
export function askRewrites(connection: InfluxConnection, clock: Pick<Clock, 'sleep'>): KnownRewrites {
  const stopped = new AbortController();
  let known = connection.rewrites;
  const ask = async (): Promise<void> => {
    for (let isAnswered = false; !isAnswered && !stopped.signal.aborted;) {
      const answer = await askOnce(connection, stopped.signal);
      isAnswered = answer !== undefined;
      known = answer ?? true;
      if (!isAnswered) await clock.sleep(RETRY_MS, stopped.signal);
    }
  };
  if (connection.rewrites === undefined) void ask();
  return { rewrites: () => known, stop: () => stopped.abort() };
}

/** Undefined when nothing answers in time. */
async function askOnce(connection: InfluxConnection, signal: AbortSignal): Promise<boolean | undefined> {
  try {
    const { engine } = await withDeadline(PATIENCE_MS, [signal], (timely) => pingOnce(connection, timely));
    return engine.rewrites;
  } catch {
    return undefined;
  }
}
