import type { Clock } from '../clock/clock.js';
import { withDeadline } from '../clock/deadline.js';
import type { Sink } from '../sinks/sink.js';
import type { PointBuffer } from './point-buffer.js';

/** What one request carries at most: InfluxDB's advice on lines, and well below the 10 MB that version 3 takes. */
const BATCH_LIMITS = { maxPoints: 5000, maxBytes: 2_000_000 };
/** How long a few points wait for more. */
const LINGER_MS = 200;
/** A batch that takes longer says that the store does not keep up. */
const SLOW_BATCH_MS = 2000;

/** Moves points from the buffer to the sink, one batch at a time. */
export interface Sender {
  /** Whether points leave the buffer; false while the store cannot be reached, refuses, or answers very slowly. */
  readonly isMoving: boolean;
  /** Sends what waits until all is settled or the time is over; returns the number of points left. */
  drain(timeoutMs: number): Promise<number>;
}

export interface SenderOptions {
  readonly buffer: PointBuffer;
  readonly sink: Sink;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly isHealthy: () => boolean;
  /** Told when sending ended by a fault of the program itself. */
  readonly onFailure: (error: unknown) => void;
}

export function startSender({ buffer, sink, clock, isHealthy, onFailure }: SenderOptions): Sender {
  const stop = new AbortController();
  const hurry = new AbortController();
  let batchSinceMs: number | undefined;

  async function send(): Promise<void> {
    while (!stop.signal.aborted) {
      await buffer.untilCount(1, stop.signal);
      await withDeadline(LINGER_MS, [hurry.signal], (signal) => buffer.untilCount(BATCH_LIMITS.maxPoints, signal));
      const lines = buffer.peek(BATCH_LIMITS);
      if (lines.length === 0) continue;
      batchSinceMs = clock.nowMs();
      const outcome = await sink.write(
        { bytes: Buffer.from(`${lines.join('\n')}\n`), points: lines.length },
        stop.signal
      );
      batchSinceMs = undefined;
      if (outcome.kind === 'success') buffer.release(lines.length);
    }
  }

  const sending = send().catch(onFailure);
  return {
    get isMoving() {
      return isHealthy() && (batchSinceMs === undefined || clock.nowMs() - batchSinceMs < SLOW_BATCH_MS);
    },
    async drain(timeoutMs) {
      hurry.abort();
      await withDeadline(timeoutMs, [], (signal) => Promise.race([buffer.untilFill(0, signal), sending]));
      stop.abort();
      await sending;
      await sink.close();
      return buffer.count;
    },
  };
}
