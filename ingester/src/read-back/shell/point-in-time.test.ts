import { findRange, pointInTime } from './point-in-time.js';

const NOW_MS = new Date(2026, 10, 23, 5, 6, 7).getTime();
const local = (...[day, hours = 0, minutes = 0, seconds = 0]: number[]): number =>
  new Date(2026, 10, day, hours, minutes, seconds).getTime();

function parse(text: string): bigint | string {
  const parsed = pointInTime.parse(text);
  return parsed.ok ? parsed.value(NOW_MS) : parsed.error;
}

describe('a point in time', () => {
  it.each([
    ['90s', NOW_MS - 90_000],
    ['1.5h', NOW_MS - 5_400_000],
    ['1d12h', NOW_MS - 129_600_000],
    ['2w', NOW_MS - 14 * 86_400_000],
    ['250ms', NOW_MS - 250],
    ['now', NOW_MS],
    ['Today', local(23)],
    ['yesterday', local(22)],
    ['04:30', local(23, 4, 30)],
    ['04:30:05', local(23, 4, 30, 5)],
    ['2026-11-21', local(21)],
    ['2026-11-21 14:30', local(21, 14, 30)],
    ['2026-11-21T14:30:10', local(21, 14, 30, 10)],
    ['2026-11-21T14:30Z', Date.UTC(2026, 10, 21, 14, 30)],
    ['2026-11-21T14:30:10+01:30', Date.UTC(2026, 10, 21, 13, 0, 10)],
  ])('is written as %s', (text, timeMs) => {
    expect(parse(text)).toBe(BigInt(timeMs) * 1_000_000n);
  });

  it('is exact to the nanosecond', () => {
    expect(parse('2026-11-21T14:30:10.123456789Z')).toBe(1_795_271_410_123_456_789n);
  });

  it.each([
    ['0001-01-01', 0n],
    ['1600-01-01T00:00Z', 0n],
    ['1969-12-31T23:59:59.999Z', 0n],
    ['10000w', 0n],
    ['2262-04-11T23:47:17Z', 9_214_646_400_000_000_000n],
    ['9999-12-31T23:59:59Z', 9_214_646_400_000_000_000n],
  ])('is one at which something may be stored: %s', (text, timeNs) => {
    expect(parse(text)).toBe(timeNs);
  });

  it.each(['', '2', '2 hours', 'tomorrow', '25:00', '2026-13-01', '2026-02-30', '2026-11-21T14', '1h-2h', '1e3s'])(
    'is not %j',
    (text) => {
      expect(parse(text)).toMatch(/^a time such as 2h \(ago\), yesterday/);
    }
  );

  it('bounds a range, which ends now and has a length by default', () => {
    const at = (timeMs: number) => (): bigint => BigInt(timeMs) * 1_000_000n;
    const [nowNs, hourNs] = [BigInt(NOW_MS) * 1_000_000n, 3_600_000_000_000n];
    const none = { after: undefined, before: undefined };
    expect(findRange(none, NOW_MS, 3_600_000)).toEqual({
      ok: true,
      value: { fromNs: nowNs - hourNs, toNs: nowNs, isOpen: true },
    });
    expect(findRange({ ...none, before: at(5_000_000) }, NOW_MS, 3_600_000)).toEqual({
      ok: true,
      value: { fromNs: 1_400_000_000_000n, toNs: 5_000_000_000_000n, isOpen: false },
    });
    expect(findRange({ after: at(2), before: at(1) }, NOW_MS, 1)).toMatchObject({ ok: false });
    expect(findRange({ ...none, before: at(0) }, NOW_MS, 1000)).toEqual({
      ok: true,
      value: { fromNs: 0n, toNs: 0n, isOpen: false },
    });
  });
});
