import type { Clock } from '../clock/clock.js';
import { withDeadline } from '../clock/deadline.js';
import type { Sink } from '../sinks/sink.js';
import type { PointQueue } from './point-queue.js';

/** What is read at once: a few requests, so that the next can be made ready while one is under way. */
const READ_LIMITS = { maxPoints: 40_000, maxBytes: 8_000_000 };
/** Less than one good request waits a little for more. */
const GOOD_REQUEST = { points: 5000, bytes: 1_000_000 };
const LINGER_MS = 200;
/** A batch that takes longer says that the store does not keep up. */
const SLOW_BATCH_MS = 2000;

/** Moves points from the queue to the sink, one batch at a time. */
export interface Sender {
  /** Whether points leave the queue; false while the store cannot be reached, refuses, or answers very slowly. */
  readonly isMoving: boolean;
  /** Sends what waits until all is settled or the time is over; returns the number of points left. */
  drain(timeoutMs: number): Promise<number>;
}

export interface SenderOptions {
  readonly queue: PointQueue;
  readonly sink: Sink;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly isHealthy: () => boolean;
  /** Told when sending ended by a fault of the program itself or of the queue's disk. */
  readonly onFailure: (error: unknown) => void;
}

export function startSender({ queue, sink, clock, isHealthy, onFailure }: SenderOptions): Sender {
  const stop = new AbortController();
  const hurry = new AbortController();
  let batchSinceMs: number | undefined;

  async function send(): Promise<void> {
    while (!stop.signal.aborted) {
      await queue.untilWaiting(1, stop.signal);
      if (queue.waitingBytes < GOOD_REQUEST.bytes) {
        await withDeadline(LINGER_MS, [hurry.signal], (signal) => queue.untilWaiting(GOOD_REQUEST.points, signal));
      }
      const batch = await queue.read(READ_LIMITS);
      if (batch === undefined) continue;
      batchSinceMs = clock.nowMs();
      const outcome = await sink.write(batch, stop.signal);
      batchSinceMs = undefined;
      if (outcome.kind === 'success') await queue.release();
    }
  }

  let hasFailed = false;
  const sending = send().catch((error: unknown) => {
    hasFailed = true;
    onFailure(error);
  });
  return {
    get isMoving() {
      const isSlow = batchSinceMs !== undefined && clock.nowMs() - batchSinceMs >= SLOW_BATCH_MS;
      return isHealthy() && !hasFailed && !isSlow;
    },
    async drain(timeoutMs) {
      hurry.abort();
      await withDeadline(timeoutMs, [], (signal) => Promise.race([queue.untilFill(0, signal), sending]));
      stop.abort();
      await sending;
      await sink.close();
      return queue.waitingPoints;
    },
  };
}
