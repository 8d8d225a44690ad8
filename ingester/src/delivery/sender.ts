import type { Clock } from '../clock/clock.js';
import { withDeadline } from '../clock/deadline.js';
import type { Sink } from '../sinks/sink.js';
import { REQUEST_LIMITS } from '../sinks/sink.js';
import type { PointBatch, PointQueue } from '../queue/point-queue.js';

/** One read is one request. */
const READ_LIMITS = REQUEST_LIMITS;
/** Less than one good request waits a little for more. */
const GOOD_REQUEST = { points: 5000, bytes: 1_000_000 };
const LINGER_MS = 200;
/** After so long it is of use to know any points that wait behind a batch. */
const STUCK_BATCH_MS = 60_000;

/** Moves points from the queue to the sink, one batch at a time. */
export interface Sender {
  /** Whether points leave the queue; false while the store cannot be reached, refuses, or answers very slowly. */
  readonly isMoving: boolean;
  /** Sends what waits until all is settled or the time is over; returns the number of points left. */
  drain(timeoutMs: number): Promise<number>;
}

interface SenderOptions {
  readonly queue: PointQueue;
  /** Nothing more comes into the queue: no request waits for it. */
  readonly isComplete?: boolean;
  readonly sink: Sink;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** A batch that takes longer says that the store does not keep up; default 2 s. */
  readonly slowBatchMs?: number;
  readonly isHealthy: () => boolean;
  /** Told when sending ended by a fault of the program itself or of the queue's disk. */
  readonly onFailure: (error: unknown) => void;
}

export function startSender(options: SenderOptions): Sender {
  const { queue, sink, clock, slowBatchMs = 2000, isHealthy, onFailure } = options;
  const stop = new AbortController();
  const hurry = new AbortController();
  let batchSinceMs: number | undefined;

  async function send(): Promise<void> {
    let isNextReady = false;
    while (!stop.signal.aborted) {
      if (!isNextReady) await untilGoodRequest();
      const batch = await queue.read(READ_LIMITS);
      isNextReady = batch !== undefined && (await write(batch));
    }
  }

  async function untilGoodRequest(): Promise<void> {
    await queue.untilWaiting(1, stop.signal);
    if (options.isComplete === true || queue.waitingBytes >= GOOD_REQUEST.bytes) return;
    await withDeadline(LINGER_MS, [hurry.signal], (signal) => queue.untilWaiting(GOOD_REQUEST.points, signal));
  }

  /** Returns whether the next batch was made ready meanwhile, so that the store does not wait for it. */
  async function write(batch: PointBatch): Promise<boolean> {
    batchSinceMs = clock.nowMs();
    const written = new AbortController();
    const [outcome, isNextReady] = await Promise.all([
      sink.write(batch, stop.signal).finally(() => written.abort()),
      prepareNext(batch, written.signal),
    ]);
    batchSinceMs = undefined;
    if (outcome.kind === 'success') await queue.release();
    return isNextReady;
  }

  /**
   * Waits until a good request waits behind the batch, or the batch takes long: a batch that was read ahead grows no
   * more.
   */
  async function prepareNext({ points, bytes }: PointBatch, written: AbortSignal): Promise<boolean> {
    const goodPoints = Math.min(GOOD_REQUEST.points, Math.ceil((GOOD_REQUEST.bytes * points) / bytes.length));
    const more = options.isComplete === true ? 1 : goodPoints;
    await withDeadline(STUCK_BATCH_MS, [written], (signal) => queue.untilWaiting(points + more, signal));
    await queue.untilWaiting(points + 1, written);
    if (written.aborted) return false;
    const next = await queue.readAhead(READ_LIMITS);
    if (next !== undefined) sink.prepare?.(next);
    return next !== undefined;
  }

  let hasFailed = false;
  const sending = send().catch((error: unknown) => {
    hasFailed = true;
    onFailure(error);
  });
  return {
    get isMoving() {
      const isSlow = batchSinceMs !== undefined && clock.nowMs() - batchSinceMs >= slowBatchMs;
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
