import { bufferPool } from '../bytes/buffer-pool.js';
import { PendingPoints } from './pending-points.js';

const KIB = 1024;

/** Adds pieces of these sizes. Takes what is full or due, sends each batch before the next comes, and returns them. */
function takeBatches(sizes: readonly number[]): Buffer[] {
  const batches: Buffer[] = [];
  const take = (): void => {
    const { bytes } = points.take();
    batches.push(bytes);
    bufferPool.give(bytes);
  };
  const points = new PendingPoints(() => undefined, take);
  for (const size of sizes) points.addBytes(Buffer.alloc(size, 'x'), 1);
  take();
  return batches;
}

describe('points that are not queued yet', () => {
  it.each([
    ['a record of one piece, and then of two', [940, 940]],
    ['pieces of any size', [1000, 1300, 700, 1500, 900, 200, 1200]],
    ['many small pieces', [60, 130, 90]],
  ])('uses the same memory again: %s', (_name, kibs) => {
    const sizes = Array.from({ length: 100 }, (_, i) => (kibs[i % kibs.length] ?? 0) * KIB);
    const batches = takeBatches(sizes);
    expect(batches.reduce((sum, { length }) => sum + length, 0)).toBe(sizes.reduce((sum, size) => sum + size));
    // The first few grow from little.
    const large = batches.slice(4).filter(({ length }) => length > 768 * KIB);
    expect(new Set(large.map(({ buffer }) => buffer)).size).toBeLessThanOrEqual(2);
  });

  it('makes a record no larger than a piece, or than the room that all have', () => {
    const sizes = Array.from({ length: 50 }, (_, i) => ((i * 331) % 1500) * KIB + 1);
    for (const { length } of takeBatches(sizes)) expect(length).toBeLessThanOrEqual(1536 * KIB);
  });

  it('keeps all of it together where nothing takes it', () => {
    const points = new PendingPoints(
      () => undefined,
      () => undefined
    );
    for (const text of ['a', 'b', 'c']) points.addBytes(Buffer.alloc(1400 * KIB, text), 2);
    const { bytes, points: count } = points.take();
    expect([bytes.length, count]).toEqual([4200 * KIB, 6]);
    expect(['a', 'b', 'c'].map((text) => bytes.indexOf(text))).toEqual([0, 1400 * KIB, 2800 * KIB]);
  });

  it('copies few points out of much memory', () => {
    const points = new PendingPoints(
      () => undefined,
      () => undefined
    );
    points.addBytes(Buffer.alloc(1400 * KIB, 'x'), 1);
    points.take();
    points.addBytes(Buffer.from('few\n'), 1);
    const { bytes } = points.take();
    expect(bytes.toString()).toBe('few\n');
    // Node lets small buffers share a slab: of 8 KiB in Node 20, of a little more than 64 KiB in Node 26.
    expect(bytes.buffer.byteLength).toBeLessThan(128 * KIB);
  });
});
