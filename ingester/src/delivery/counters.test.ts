import { Counters } from './counters.js';

describe('Counters', () => {
  it('say how long the oldest waiting point has waited', () => {
    const counters = new Counters();
    for (let second = 0; second < 10; second += 1) counters.addQueued(100, second * 1000);
    expect(counters.lagMs(1000, 10_000)).toBe(10_000);
    expect(counters.lagMs(250, 10_000)).toBe(3000);
    expect(counters.lagMs(1, 12_000)).toBe(3000);
    expect(counters.lagMs(0, 12_000)).toBe(0);
    counters.addQueued(1, 20_000);
    expect(counters.lagMs(1, 20_500)).toBe(500);
  });

  it('stay small while nothing is sent for days', () => {
    const counters = new Counters();
    for (let second = 0; second < 200_000; second += 1) counters.addQueued(1, second * 1000);
    expect(counters.lagMs(200_000, 200_000_000)).toBe(200_000_000);
    expect(counters.lagMs(100_000, 200_000_000) / 100_000_000).toBeCloseTo(1, 2);
  });
});
