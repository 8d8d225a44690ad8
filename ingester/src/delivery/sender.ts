import type { Clock } from '../clock/clock.js';
import { withDeadline } from '../clock/deadline.js';
import { REQUEST_LIMITS, type Sink } from '../sinks/sink.js';
import type { PointBatch, PointQueue } from '../queue/point-queue.js';

/** One read is one request. */
const READ_LIMITS = REQUEST_LIMITS;
/** Fewer points than one good request wait a little for more. */
const GOOD_REQUEST = { points: 5000, bytes: 1_000_000 };
const LINGER_MS = 200;
/** When a batch takes this long, points behind it are read ahead even if they are too few for a good request. */
const STUCK_BATCH_MS = 60_000;
/** Without a reason of ours, each request would make an error with its stack. */
const WRITTEN = 'written';

/** Moves points from the queue to the sink, one batch at a time. */
export interface Sender {
  /** Whether points leave the queue; false while the store cannot be reached, refuses, or answers very slowly. */
  readonly isMoving: boolean;
  /** Sends the waiting points until all are settled or the time is over or ended; returns how many are left. */
  drain(timeoutMs: number, ends?: readonly AbortSignal[]): Promise<number>;
}

interface SenderOptions {
  readonly queue: PointQueue;
  /** Nothing more comes into the queue, so no request waits for more points. */
  readonly isComplete?: boolean;
  readonly sink: Sink;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** A batch that takes longer means that the store cannot keep up; 2 s by default. */
  readonly slowBatchMs?: number;
  readonly isHealthy: () => boolean;
  /** Called when sending ended by a fault of the program itself or of the queue's disk. */
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

  /** Returns whether the next batch was prepared meanwhile, so that the store does not wait for it. */
  async function write(batch: PointBatch): Promise<boolean> {
    batchSinceMs = clock.monotonicMs();
    const written = new AbortController();
    const [outcome, isNextReady] = await Promise.all([
      sink.write(batch, stop.signal).finally(() => written.abort(WRITTEN)),
      prepareNext(batch, written.signal),
    ]);
    batchSinceMs = undefined;
    if (outcome.kind === 'success') await queue.release();
    return isNextReady;
  }

  /**
   * Reads ahead once a good request waits behind the batch, or the batch takes long. A batch that was read ahead no
   * longer grows.
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
      const isSlow = batchSinceMs !== undefined && clock.monotonicMs() - batchSinceMs >= slowBatchMs;
      return isHealthy() && !hasFailed && !isSlow;
    },
    async drain(timeoutMs, ends = []) {
      hurry.abort();
      await withDeadline(timeoutMs, ends, (signal) => Promise.race([queue.untilFill(0, signal), sending]));
      stop.abort();
      await sending;
      await sink.close();
      return queue.waitingPoints;
    },
  };
}
