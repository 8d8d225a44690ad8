import type { LogSlice } from '../../../query-types/logs/logs.js';

export type SliceBounds = Pick<LogSlice, 'afterNs' | 'beforeNs' | 'patterns'>;

export interface SliceRequest extends SliceBounds {
  readonly want: 'asc' | 'desc';
  readonly limit: number;
  /** A search may end with so many lines. Default: the limit. */
  readonly enough?: number;
}

/** Told of the instant that a search without a match so far has come to: after each step, and while one takes long. */
export type StepListener = (reachedNs: bigint) => void;
