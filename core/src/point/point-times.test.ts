import fc from 'fast-check';
import { PointTimes } from './point-times.js';

describe('PointTimes', () => {
  it.each([0n, 999n, 999_998_001n, 1_700_000_000_000_000_000n, 1_699_999_999_999_999_000n, 999_999_999_999_999_999n])(
    'goes on from %s by 1 µs',
    (firstNs) => {
      const times = new PointTimes(firstNs);
      for (let i = 0n; i < 2100n; i += 1n) {
        const bytes = new Uint8Array(21);
        const end = times.put(bytes, 1);
        expect([times.text, Buffer.from(bytes.subarray(1, end)).toString()]).toEqual(
          Array(2).fill(String(firstNs + i * 1000n))
        );
        times.advance();
      }
    }
  );

  it('begins at any time', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 9_223_372_036_854_775_806n }), (firstNs) => {
        expect(new PointTimes(firstNs).text).toBe(String(firstNs));
      })
    );
  });
});
