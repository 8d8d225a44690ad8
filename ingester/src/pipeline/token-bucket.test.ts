import { createFakeClock } from '../testing/fake-clock.js';
import { countLines, createTokenBucket } from './token-bucket.js';

describe('createTokenBucket', () => {
  it('lets a second of each limit through at once, then as much as flows in', async () => {
    const clock = createFakeClock();
    const bucket = createTokenBucket({ bytesPerSecond: 1000, linesPerSecond: 10 }, () => clock.nowMs());
    expect(bucket.take(1000, 1)).toBe(0);
    expect(bucket.take(500, 1)).toBe(500);
    await clock.advance(1000);
    expect(bucket.take(0, 13)).toBeCloseTo(300);
  });

  it('never waits without limits', () => {
    const bucket = createTokenBucket({ bytesPerSecond: Infinity, linesPerSecond: Infinity }, () => 0);
    expect([bucket.take(1e12, 1e9), bucket.take(1e12, 1e9)]).toEqual([0, 0]);
  });

  it('counts lines', () => {
    expect(countLines(Buffer.from('a\n\nb\r\nc'))).toBe(3);
  });
});
