import type { PointBatch } from '../pipeline/point-queue.js';
import { splitPoints } from './point-bytes.js';
import type { Sink, WriteOutcome } from './sink.js';
import { SUCCESS } from './sink.js';

/**
 * Splits a rejected batch in halves down to the points that the store will not have; each of those is given to `keepAside`, the others go
 * through. Sending a stored point again overwrites it with itself.
 */
export function createSplittingSink(sink: Sink, keepAside: (point: Buffer, reason: string) => Promise<void>): Sink {
  async function write(batch: PointBatch, signal: AbortSignal): Promise<WriteOutcome> {
    const outcome = await sink.write(batch, signal);
    if (outcome.kind !== 'rejected') return outcome;
    const points = splitPoints(batch);
    if (points.length <= 1) {
      await keepAside(batch.bytes, outcome.message);
      return SUCCESS;
    }
    const middle = points.length >> 1;
    const cut = points.slice(0, middle).reduce((bytes, point) => bytes + point.length, 0);
    const first = await write({ bytes: batch.bytes.subarray(0, cut), points: middle }, signal);
    if (first.kind !== 'success') return first;
    return write({ bytes: batch.bytes.subarray(cut), points: points.length - middle }, signal);
  }
  return { write, close: () => sink.close() };
}
