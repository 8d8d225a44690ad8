import type { Clock } from '../clock/clock.js';
import type { Reporter } from '../host/report.js';
import type { Sink, WriteRetryable } from './sink.js';

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 30_000;
const MAX_RETRY_AFTER_MS = 600_000;
/**
 * After this many failures in a row, over this time, that the points may have caused, it is checked whether they did.
 */
const STUCK_ATTEMPTS = 6;
const STUCK_MS = 120_000;

interface RetryOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  readonly report: Reporter;
  /** Called at each change between failing and working. */
  readonly onHealth: (isHealthy: boolean) => void;
}

/**
 * Sends a batch again until it is stored or rejected, or the signal is aborted. Each wait is longer, with jitter, and
 * at least as long as the server asks (Retry-After). Reports each new reason once, and the end of the failures. Gives
 * up, with the last answer, only if the points may have caused failures again and again for minutes.
 */
export function createRetryingSink(sink: Sink, options: RetryOptions): Sink {
  const { clock, random, report, onHealth } = options;
  let saidMessage: string | undefined;

  return {
    async write(batch, signal) {
      let stuck: { readonly sinceMs: number; attempts: number } | undefined;
      for (let attempt = 0; ; attempt += 1) {
        const outcome = await sink.write(batch, signal);
        if (outcome.kind !== 'retryable') {
          if (saidMessage !== undefined) {
            saidMessage = undefined;
            report.warn('points are stored again');
          }
          onHealth(true);
          return outcome;
        }
        // An end caused from here is no news.
        if (outcome.isCutShort === true || (signal.aborted && saidMessage !== undefined)) return outcome;
        onHealth(false);
        if (saidMessage !== outcome.message) {
          saidMessage = outcome.message;
          report.warn(outcome.message);
        }
        if (outcome.mayLieInPoints === true) {
          stuck ??= { sinceMs: clock.monotonicMs(), attempts: 0 };
          stuck.attempts += 1;
          if (stuck.attempts >= STUCK_ATTEMPTS && clock.monotonicMs() - stuck.sinceMs >= STUCK_MS) return outcome;
        } else stuck = undefined;
        // Returns at once if it is aborted already, or gets aborted during the wait.
        await clock.sleep(delayOf(outcome, attempt, random()), signal);
        if (signal.aborted) return outcome;
      }
    },
    attempt: (batch, signal) => sink.write(batch, signal),
    prepare: (batch) => sink.prepare?.(batch),
    close: () => sink.close(),
  };
}

function delayOf(outcome: WriteRetryable, attempt: number, random: number): number {
  const backOffMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 20)) * (0.5 + random / 2);
  return Math.max(backOffMs, Math.min(outcome.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}
