import { BufferPool } from './buffer-pool.js';

const KIB = 1024;

describe('the pool of buffers', () => {
  it('gives what was given back, of any part of it', () => {
    const pool = new BufferPool();
    const first = pool.take(100 * KIB);
    expect(first.length).toBe(112 * KIB);
    pool.give(first.subarray(10, 20));
    expect(pool.take(97 * KIB).buffer).toBe(first.buffer);
    expect(pool.take(97 * KIB).buffer).not.toBe(first.buffer);
  });

  it('keeps nothing that it did not give, nor twice, nor little', () => {
    const pool = new BufferPool();
    const foreign = Buffer.allocUnsafeSlow(128 * KIB);
    const little = pool.take(KIB);
    const taken = pool.take(128 * KIB);
    for (const buffer of [foreign, little, taken, taken]) pool.give(buffer);
    expect(pool.take(128 * KIB).buffer).toBe(taken.buffer);
    expect(pool.take(128 * KIB).buffer).not.toBe(foreign.buffer);
  });

  it('keeps no more than a few megabytes', () => {
    const pool = new BufferPool();
    const taken = Array.from({ length: 20 }, () => pool.take(1024 * KIB));
    for (const buffer of taken) pool.give(buffer);
    const again = Array.from({ length: 20 }, () => pool.take(1024 * KIB).buffer);
    expect(again.filter((memory) => taken.some(({ buffer }) => buffer === memory))).toHaveLength(6);
  });

  it('lets those go that were given back first, whatever their length', () => {
    const pool = new BufferPool();
    const lengths = [3072 * KIB, 100 * KIB, 2560 * KIB, 1024 * KIB];
    const taken = lengths.map((length) => pool.take(length));
    for (const buffer of taken) pool.give(buffer);
    const isKept = taken.map(({ buffer, length }) => pool.take(length).buffer === buffer);
    expect(isKept).toEqual([false, true, true, true]);
  });

  it('keeps none that leaves no room for another', () => {
    const pool = new BufferPool();
    const [small, huge] = [pool.take(100 * KIB), pool.take(4 * KIB * KIB)];
    for (const buffer of [small, huge]) pool.give(buffer);
    expect(pool.take(4 * KIB * KIB).buffer).not.toBe(huge.buffer);
    expect(pool.take(100 * KIB).buffer).toBe(small.buffer);
  });

  it('gives the smallest that fits, but none of which a half would be unused', () => {
    const pool = new BufferPool();
    const [small, large] = [pool.take(256 * KIB), pool.take(320 * KIB)];
    for (const buffer of [large, small]) pool.give(buffer);
    expect(pool.take(224 * KIB).buffer).toBe(small.buffer);
    expect(pool.take(160 * KIB).buffer).not.toBe(large.buffer);
    expect(pool.take(224 * KIB).buffer).toBe(large.buffer);
  });
});
