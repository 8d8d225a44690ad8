import type { PointLine } from '../pipeline/point-buffer.js';
import type { Sink, WriteOutcome } from './sink.js';
import { SUCCESS } from './sink.js';

/**
 * Splits a rejected batch in halves down to the points that the store will not have; each of those is given to `keepAside`, the others go
 * through. Sending a stored point again overwrites it with itself.
 */
export function createSplittingSink(sink: Sink, keepAside: (line: PointLine, reason: string) => Promise<void>): Sink {
  async function write(lines: readonly PointLine[], signal: AbortSignal): Promise<WriteOutcome> {
    const outcome = await sink.write(lines, signal);
    const [only] = lines;
    if (outcome.kind !== 'rejected' || only === undefined) return outcome;
    if (lines.length === 1) {
      await keepAside(only, outcome.message);
      return SUCCESS;
    }
    const middle = lines.length >> 1;
    const first = await write(lines.slice(0, middle), signal);
    return first.kind === 'success' ? write(lines.slice(middle), signal) : first;
  }
  return { write, close: () => sink.close() };
}
