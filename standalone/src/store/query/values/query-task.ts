import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { StatementError } from './statement-error.js';

/** A client that has not read its answer to the end this long after the query's end loses the rest. */
const GRACE_MS = 5000;
/** How long a query may compute before other requests get their turn. */
const SLICE_MS = 10;

/**
 * Ends a query that takes too long, or whose client has gone. The signal's reason is InfluxDB's message for that case.
 */
export function startQueryTask(reply: FastifyReply, timeoutMs: number): AbortSignal {
  const controller = new AbortController();
  const timers = [
    setTimeout(() => controller.abort(new StatementError('query-timeout limit exceeded')), timeoutMs),
    setTimeout(() => reply.raw.destroy(), timeoutMs + GRACE_MS),
  ];
  reply.raw.once('close', () => {
    timers.forEach(clearTimeout);
    controller.abort(new StatementError('query interrupted'));
  });
  return controller.signal;
}

/** The same items, with pauses in which others get their turn. Throws when the task has ended. */
export async function* inTurns<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  let sliceEndMs = performance.now() + SLICE_MS;
  for await (const item of items) {
    signal.throwIfAborted();
    yield item;
    if (performance.now() < sliceEndMs) continue;
    await setImmediate();
    sliceEndMs = performance.now() + SLICE_MS;
  }
}
