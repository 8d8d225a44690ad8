import type { PointBatch } from '../pipeline/point-queue.js';

/** What became of a batch of points. */
export type WriteOutcome =
  | { readonly kind: 'success' }
  /** Nothing or only a part was stored, for a reason that may pass: send the same batch again. */
  | {
      readonly kind: 'retryable';
      /** One sentence: what was tried, what was found, what to do. */
      readonly message: string;
      readonly retryAfterMs?: number;
      /** Only a person can mend it (a wrong token, a missing database): the batch is held until then. */
      readonly isHeld: boolean;
    }
  /** The store will not have the batch as it is; a part of it may be stored. */
  | { readonly kind: 'rejected'; readonly message: string };

/** Takes batches of points, one at a time, so that the order within a series is kept. */
export interface Sink {
  write(batch: PointBatch, signal: AbortSignal): Promise<WriteOutcome>;
  close(): Promise<void>;
}

export const SUCCESS: WriteOutcome = { kind: 'success' };
