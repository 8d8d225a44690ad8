import type { Sink } from '../sinks/sink.js';

/** The outcomes of the requests so far. */
export interface SendStatus {
  readonly requests: number;
  /** Failed requests whose reason may pass. */
  readonly retries: number;
  readonly sentPoints: number;
  /** Bytes of line protocol before compression. */
  readonly sentBytes: number;
  /** The reason of the last failure; undefined if the last request was answered. */
  readonly lastError: string | undefined;
}

/** Wraps a sink and counts the outcomes of its requests. */
export function createCountingSink(sink: Sink): { readonly sink: Sink; readonly status: SendStatus } {
  const status = { requests: 0, retries: 0, sentPoints: 0, sentBytes: 0, lastError: undefined as string | undefined };
  return {
    status,
    sink: {
      async write(batch, signal) {
        status.requests += 1;
        const outcome = await sink.write(batch, signal);
        status.lastError = outcome.kind === 'retryable' ? outcome.message : undefined;
        if (outcome.kind === 'retryable') status.retries += 1;
        if (outcome.kind === 'success') {
          status.sentPoints += batch.points;
          status.sentBytes += batch.bytes.length;
        }
        return outcome;
      },
      prepare: (batch) => sink.prepare?.(batch),
      close: () => sink.close(),
    },
  };
}
