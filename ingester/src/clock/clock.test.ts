import { createSystemClock } from './clock.js';

const MAX_TIMER_MS = 2 ** 31 - 1;

describe('a sleep', () => {
  afterEach(() => jest.useRealTimers());

  it.each([0, 1, MAX_TIMER_MS - 1, MAX_TIMER_MS, MAX_TIMER_MS + 1, 2_592_000_000, 3 * MAX_TIMER_MS, 1e13])(
    'of %d ms ends after that time, and no timer of it is longer than Node can wait',
    async (delayMs) => {
      jest.useFakeTimers();
      const timers = jest.spyOn(globalThis, 'setTimeout');
      let isOver = false;
      const sleep = createSystemClock()
        .sleep(delayMs)
        .then(() => (isOver = true));
      await jest.advanceTimersByTimeAsync(Math.max(0, delayMs - 1));
      expect(isOver).toBe(delayMs === 0);
      await jest.advanceTimersByTimeAsync(1);
      expect(isOver).toBe(true);
      await sleep;
      for (const [, waitMs = 0] of timers.mock.calls) expect(waitMs).toBeLessThanOrEqual(MAX_TIMER_MS);
      timers.mockRestore();
    }
  );

  it.each([2_592_000_000, 1e300, Infinity])('of %d ms lasts until it is aborted', async (delayMs) => {
    const stop = new AbortController();
    let isOver = false;
    const sleep = createSystemClock()
      .sleep(delayMs, stop.signal)
      .then(() => (isOver = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isOver).toBe(false);
    stop.abort();
    await sleep;
  });
});

it('has a monotonic reading that rises alike in all processes', () => {
  const before = process.hrtime.bigint();
  const readMs = createSystemClock().monotonicMs();
  const after = process.hrtime.bigint();
  expect(readMs).toBeGreaterThanOrEqual(Number(before) / 1e6 - 0.01);
  expect(readMs).toBeLessThanOrEqual(Number(after) / 1e6 + 0.01);
});
