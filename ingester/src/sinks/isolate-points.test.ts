import type { PointBatch } from '../queue/point-queue.js';
import { joinPoints, splitPoints } from './point-bytes.js';
import { createRetryingSink } from './retrying-sink.js';
import { type Sink, SUCCESS, type WriteOutcome } from './sink.js';
import { SplittingSink } from './splitting-sink.js';

const COUNT = 1000;
const HOUR_MS = 3_600_000;

const batchOf = (...numbers: readonly number[]): PointBatch =>
  joinPoints(numbers.map((number) => Buffer.from(`m f=${number} ${number}\n`)));
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const numbersOf = (batch: PointBatch): number[] =>
  splitPoints(batch).map((point) => Number(point.toString().split(' ')[2]));

const failure = (message: string, mayLieInPoints: boolean): WriteOutcome => ({
  kind: 'retryable',
  ...{ message, mayLieInPoints, isHeld: false },
});
const OUT_OF_MEMORY = failure('500 Out of Memory', true);
const AWAY = failure('cannot reach it', false);

interface Answering {
  readonly numbers: readonly number[];
  readonly nowMs: number;
}
type Answer = (write: Answering) => WriteOutcome;

/** Writes numbers to a store that answers so, for a time; points that wait behind it may be known. */
async function write(
  answer: Answer,
  { numbers = range(0, COUNT), later = [] as number[], maxPoints = 10_000, requestMs = 10 } = {}
) {
  const stop = new AbortController();
  let [nowMs, count] = [0, 0];
  const stored = new Map<number, number>();
  const requests: number[][] = [];
  const inner: Sink = {
    write(batch) {
      const written = numbersOf(batch);
      nowMs += requestMs;
      count += 1;
      requests.push(written);
      const outcome = answer({ numbers: written, nowMs });
      if (outcome.kind === 'success') for (const number of written) stored.set(number, count);
      return Promise.resolve(outcome);
    },
    close: () => Promise.resolve(),
  };
  const clock = {
    monotonicMs: () => nowMs,
    sleep: (delayMs: number) => {
      nowMs += delayMs;
      if (nowMs >= HOUR_MS) stop.abort();
      return Promise.resolve();
    },
  };
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const report = { error: say, warn: say, info: say, debug: say };
  const retrying = createRetryingSink(inner, { clock, report, random: () => 0, onHealth: () => undefined });
  const kept: [number, string][] = [];
  const keepAside = (point: Buffer, reason: string): Promise<void> => {
    kept.push([Number(point.toString().split(' ')[2]), reason]);
    return Promise.resolve();
  };
  const sink = new SplittingSink(retrying, keepAside, {
    limits: { maxPoints, maxBytes: 2_000_000 },
    monotonicMs: () => nowMs,
  });
  if (later.length > 0) sink.prepare(batchOf(...later));
  const outcome = await sink.write(batchOf(...numbers), stop.signal);
  return {
    ...{ outcome, kept, requests, stored, sink },
    isStored: (number: number): boolean => stored.has(number),
    keptNumbers: kept.map(([number]) => number),
    tookMs: nowMs,
  };
}

const failAt =
  (...poison: readonly number[]): Answer =>
  ({ numbers }) =>
    numbers.some((number) => poison.includes(number)) ? OUT_OF_MEMORY : SUCCESS;

describe('points at which the store fails, while it takes others', () => {
  it.each<[string, number[]]>([
    ['the first', [0]],
    ['the last', [COUNT - 1]],
    ['several', [3, 400, 401, 999]],
    ['many in a row', range(0, 300)],
    ['all but one', range(0, COUNT).filter((number) => number !== 500)],
  ])('are kept aside, and no other: %s', async (_name, poison) => {
    const { outcome, keptNumbers, kept, isStored, tookMs } = await write(failAt(...poison));
    expect(outcome).toEqual(SUCCESS);
    expect(keptNumbers).toEqual(poison);
    expect(kept[0]?.[1]).toBe('the store takes other points, but fails at this one: 500 Out of Memory');
    expect(
      range(0, COUNT)
        .filter((number) => !poison.includes(number))
        .every(isStored)
    ).toBe(true);
    expect(tookMs).toBeGreaterThan(120_000);
    expect(tookMs).toBeLessThan(900_000);
  });

  it('are kept aside when they are all, and what waits behind them is taken', async () => {
    const { outcome, keptNumbers } = await write(failAt(...range(0, COUNT)), { later: [5000] });
    expect([outcome, keptNumbers]).toEqual([SUCCESS, range(0, COUNT)]);
  });

  it('are kept aside unsorted when it takes too long to find out which ones', async () => {
    const numbers = range(0, 9000);
    const slow: Answer = (write) =>
      write.numbers.some((number) => number < 9000) ? failure('no answer', true) : SUCCESS;
    const { outcome, keptNumbers, requests } = await write(slow, { later: [9000], numbers, requestMs: 1000 });
    expect(outcome).toEqual(SUCCESS);
    expect(keptNumbers).toHaveLength(9000);
    expect(requests.length).toBeLessThan(1000);
  });

  it('may also be refused', async () => {
    const answer: Answer = (write) => {
      const outcome = failAt(7)(write);
      return outcome.kind === 'success' && write.numbers.includes(8)
        ? { kind: 'rejected', message: '400 bad' }
        : outcome;
    };
    const { outcome, kept } = await write(answer);
    expect(outcome).toEqual(SUCCESS);
    expect(kept).toEqual([
      [7, 'the store takes other points, but fails at this one: 500 Out of Memory'],
      [8, '400 bad'],
    ]);
  });

  it('are stored when it fails only at many at once, and further requests are smaller', async () => {
    const numbers = range(0, 30_000);
    const tooMany: Answer = (write) => (write.numbers.length > 11_000 ? OUT_OF_MEMORY : SUCCESS);
    const { outcome, kept, isStored, requests, sink } = await write(tooMany, { numbers, maxPoints: 1e6 });
    expect([outcome, kept]).toEqual([SUCCESS, []]);
    expect(numbers.every(isStored)).toBe(true);
    requests.splice(0);
    expect(await sink.write(batchOf(...numbers), new AbortController().signal)).toEqual(SUCCESS);
    expect(Math.max(...requests.map(({ length }) => length))).toBeLessThanOrEqual(11_000);
  });

  it('wait for the time in which a fault may pass', async () => {
    const { outcome, kept, tookMs } = await write(({ nowMs }) => (nowMs < 100_000 ? OUT_OF_MEMORY : SUCCESS));
    expect([outcome, kept]).toEqual([SUCCESS, []]);
    expect(tookMs).toBeLessThan(150_000);
  });

  it('leave the order of the points as it was', async () => {
    const { stored } = await write(failAt(3));
    const times = range(0, COUNT)
      .filter((number) => number !== 3)
      .map((number) => stored.get(number) ?? NaN);
    // The last that was stored is sent again as a proof; nothing behind it was stored by then.
    expect(times.every((time, i) => i === 0 || time >= (times[i - 1] ?? 0))).toBe(true);
  });
});

/** Fails at the point 3; once it was sent so often alone, the store does something else from then on. */
function failAtPointUntil(timesAlone: number, then: WriteOutcome): Answer {
  let alone = 0;
  return (write) => {
    if (alone >= timesAlone) return then;
    if (write.numbers.length === 1 && write.numbers[0] === 3) alone += 1;
    return failAt(3)(write);
  };
}

describe('points that a store does not take', () => {
  it.each<[string, Answer]>([
    ['it fails at whatever it is sent', () => OUT_OF_MEMORY],
    ['it is away', () => AWAY],
    ['it goes away while it is looked', failAtPointUntil(1, AWAY)],
    ['it breaks while it is looked', failAtPointUntil(2, OUT_OF_MEMORY)],
    ['it breaks just before the last proof', failAtPointUntil(3, OUT_OF_MEMORY)],
  ])('are held, and never kept aside: %s', async (_name, answer) => {
    const { outcome, kept, requests } = await write(answer, { later: [5000] });
    expect(outcome.kind).toBe('retryable');
    expect(kept).toEqual([]);
    // Not much more than without a look.
    expect(requests.length).toBeLessThan(1000);
  });

  it('are held where nothing else is known that it might take', async () => {
    const { outcome, kept } = await write(failAt(7), { numbers: [7] });
    expect([outcome.kind, kept]).toEqual(['retryable', []]);
  });

  it('are stored when it is there again', async () => {
    const { outcome, kept, isStored } = await write(({ nowMs }) => (nowMs < HOUR_MS / 2 ? OUT_OF_MEMORY : SUCCESS));
    expect([outcome, kept]).toEqual([SUCCESS, []]);
    expect(range(0, COUNT).every(isStored)).toBe(true);
  });
});
