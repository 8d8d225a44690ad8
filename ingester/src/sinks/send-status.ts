import type { Sink } from './sink.js';

/** How sending goes, for who watches it. Times are milliseconds since the Unix epoch. */
export interface SendStatus {
  /** Requests so far, the failed ones too. */
  readonly requests: number;
  /** Points of the requests that were stored; one that had to be sent again counts again. */
  readonly storedPoints: number;
  /** Line protocol in all requests, before compression. */
  readonly sentBytes: number;
  /** Requests after which the same points had to be sent again. */
  readonly retries: number;
  /** Requests that the store would not have, before they were split. */
  readonly rejections: number;
  readonly lastSuccessMs?: number;
  readonly lastError?: { readonly message: string; readonly atMs: number };
}

/** The same sink, and counters of what goes through it. It belongs next to the store, below what retries and splits. */
export function createCountedSink(sink: Sink, nowMs: () => number): { sink: Sink; readonly status: SendStatus } {
  let status: SendStatus = { requests: 0, storedPoints: 0, sentBytes: 0, retries: 0, rejections: 0 };
  return {
    get status() {
      return status;
    },
    sink: {
      async write(batch, signal) {
        status = { ...status, requests: status.requests + 1, sentBytes: status.sentBytes + batch.bytes.length };
        const outcome = await sink.write(batch, signal);
        const atMs = nowMs();
        if (outcome.kind === 'success') {
          status = { ...status, storedPoints: status.storedPoints + batch.points, lastSuccessMs: atMs };
          return outcome;
        }
        status = { ...status, lastError: { message: outcome.message, atMs } };
        if (outcome.kind === 'retryable') status = { ...status, retries: status.retries + 1 };
        else status = { ...status, rejections: status.rejections + 1 };
        return outcome;
      },
      prepare: (batch) => sink.prepare?.(batch),
      close: () => sink.close(),
    },
  };
}
