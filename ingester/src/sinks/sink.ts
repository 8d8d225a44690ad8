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
  /** It was ended from here before the store had time to answer: that says nothing about the store. */
  readonly isCutShort?: true;
}

/** The store will not have the batch as it is; a part of it may be stored. */
export interface WriteRejected {
  readonly kind: 'rejected';
  readonly message: string;
  /** The points that the store means; undefined when it does not say. */
  readonly hint?: RejectionHint;
}

/** Points are named by their index in the batch, from 0. */
export type RejectionHint =
  /** The store will not have these; it may stay silent about others. */
  | { readonly kind: 'points'; readonly points: readonly NamedPoint[] }
  /** The store will have none of the batch. */
  | { readonly kind: 'all' }
  /** The ones that it will not have are among these. */
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
  /** One request, where `write` would send it again and again. */
  attempt?(batch: PointBatch, signal: AbortSignal): Promise<WriteOutcome>;
  /** This very batch is written next: what can be done before (compressing it) may begin. */
  prepare?(batch: PointBatch): void;
  close(): Promise<void>;
}

export const SUCCESS: WriteSuccess = { kind: 'success' };
