import type { Context } from './context.js';
import type { KeepingSink, Sink } from './sinks.js';

/** Hands over what the sinks of several contexts keep, by worker. Contexts whose sinks keep nothing are left out. */
export function fetchLogs(contexts: Iterable<Context>): ReadonlyMap<string, unknown> {
  const logs = new Map<string, unknown>();
  for (const { worker, sink } of contexts) if (keepsLogs(sink)) logs.set(worker, sink.getLogs());
  return logs;
}

function keepsLogs(sink: Sink): sink is KeepingSink<unknown> {
  return 'getLogs' in sink && typeof sink.getLogs === 'function';
}
