import type { BatchLimits, PointBatch } from '../queue/point-queue.js';

/** One request: InfluxDB's advice on lines, and well below the 10 MiB that version 3 takes. */
export const REQUEST_LIMITS: BatchLimits = { maxPoints: 10_000, maxBytes: 2_000_000 };

/** The outcome of writing a batch of points. */
export type WriteOutcome = WriteSuccess | WriteRetryable | WriteRejected;

interface WriteSuccess {
  readonly kind: 'success';
}

/** Nothing or only a part was stored, for a reason that may pass: send the same batch again. */
export interface WriteRetryable {
  readonly kind: 'retryable';
  /** One sentence: what was tried, what was found, what to do. */
  readonly message: string;
  readonly retryAfterMs?: number;
  /** Only a person can mend it (a wrong token, a missing database): the batch is held until then. */
  readonly isHeld: boolean;
  /** The points themselves may be the reason: a store that takes others may never take these. */
  readonly mayLieInPoints?: boolean;
  /** The store's answer, or why there was none, in a few words. */
  readonly found?: string;
  /** The request was ended from here before the store had time to answer, which tells nothing about the store. */
  readonly isCutShort?: true;
}

/** The store rejects the batch as it is; a part of it may be stored. */
export interface WriteRejected {
  readonly kind: 'rejected';
  readonly message: string;
  /** The rejected points; undefined when the store does not name them. */
  readonly hint?: RejectionHint;
}

/** Points are named by their index in the batch, from 0. */
export type RejectionHint =
  /** The store rejects these points; it may stay silent about others. */
  | { readonly kind: 'points'; readonly points: readonly NamedPoint[] }
  /** The store rejects the whole batch. */
  | { readonly kind: 'all' }
  /** The rejected points are among these. */
  | { readonly kind: 'suspects'; readonly indexes: readonly number[] }
  /** The batch is too large for one request. */
  | { readonly kind: 'size' };

export interface NamedPoint {
  readonly index: number;
  readonly reason: string;
}

/** Takes batches of points, one at a time, so that the order within a series is kept. */
export interface Sink {
  write(batch: PointBatch, signal: AbortSignal): Promise<WriteOutcome>;
  /** Makes one request, where `write` would repeat it. */
  attempt?(batch: PointBatch, signal: AbortSignal): Promise<WriteOutcome>;
  /** Announces the batch that is written next, so that work such as compression may begin. */
  prepare?(batch: PointBatch): void;
  close(): Promise<void>;
}

export const SUCCESS: WriteSuccess = { kind: 'success' };
