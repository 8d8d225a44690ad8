import { createSteps } from './log-steps.js';
import { countInSteps, readInSteps } from './log-search-steps.js';
import type { PanelLogLine } from './log-model.js';
import type { SliceBounds, SliceRequest } from './log-slices.js';
import { type LogSlicePage, readTimeNs } from './log-window.js';

const S = 1_000_000_000n;
const RANGE = { fromNs: 0n, toNs: 100_000n * S };

function createLine(timeNs: bigint): PanelLogLine {
  const parts = { stream: 'stdout', kind: 'output', task: '', job: 'a-(1)', user: 'ann', level: '', text: 'x' };
  return { ...parts, id: String(timeNs), timeMs: Number(timeNs / 1_000_000n), timeNs: String(timeNs) };
}

/** A store in which these lines match; it takes a time for each second that it looks at. */
function createStore(timesNs: readonly bigint[], msPerS = 0) {
  let nowMs = 0;
  const asked: SliceBounds[] = [];
  const read = async (slice: SliceRequest, signal?: AbortSignal): Promise<LogSlicePage> => {
    asked.push(slice);
    const low = slice.afterNs === undefined ? RANGE.fromNs - 1n : BigInt(slice.afterNs);
    const high = slice.beforeNs === undefined ? RANGE.toNs + 1n : BigInt(slice.beforeNs);
    nowMs += Number((high - low) / S) * msPerS;
    await Promise.resolve();
    signal?.throwIfAborted();
    const found = timesNs.filter((timeNs) => timeNs > low && timeNs < high).map(createLine);
    const lines = slice.want === 'desc' ? found.slice(-slice.limit) : found.slice(0, slice.limit);
    return { lines, hasMore: lines.length < found.length };
  };
  const steps = createSteps({ readRange: () => RANGE, monotonicMs: () => nowMs });
  return { read, steps, asked };
}

const NO_LISTENERS = { signal: undefined, onStep: undefined };

describe('a search in steps', () => {
  const times = [0n, 1n, 5n, 20_000n, 20_001n, 99_999n, 100_000n].map((s) => s * S);

  it.each(['asc', 'desc'] as const)('%s finds the same lines as one question, each once', async (want) => {
    for (const msPerS of [0, 1, 50, 300]) {
      for (const limit of [1, 2, 3, 100]) {
        const { read, steps } = createStore(times, msPerS);
        const seen: bigint[] = [];
        let bound: SliceBounds = {};
        for (let page = 0; page < 20; page += 1) {
          const { lines, hasMore, reachedNs } = await readInSteps(
            steps,
            read,
            { want, limit, enough: 1, ...bound },
            NO_LISTENERS
          );
          const own = lines.map(readTimeNs);
          seen.push(...(want === 'desc' ? own.reverse() : own));
          if (!hasMore) break;
          const nextNs = String(reachedNs ?? seen[seen.length - 1]);
          bound = want === 'desc' ? { beforeNs: nextNs } : { afterNs: nextNs };
        }
        expect(seen).toEqual(want === 'desc' ? [...times].reverse() : times);
      }
    }
  });

  it('reads on until a page is full where nothing else is enough', async () => {
    const { read, steps } = createStore(times, 10);
    const page = await readInSteps(steps, read, { want: 'desc', limit: 4 }, NO_LISTENERS);
    expect(page.lines.map(readTimeNs)).toEqual(times.slice(-4));
    expect(page.hasMore).toBe(true);
  });

  it('takes steps that take neither long nor many, and tells how far it is', async () => {
    const { read, steps, asked } = createStore([], 1);
    const reached: bigint[] = [];
    const onStep = (reachedNs: bigint): void => void reached.push(reachedNs);
    const page = await readInSteps(steps, read, { want: 'desc', limit: 10 }, { signal: undefined, onStep });
    expect(page).toEqual({ lines: [], hasMore: false });
    expect(asked.length).toBeLessThan(150);
    expect(reached).toHaveLength(asked.length);
    expect(reached).toEqual([...reached].sort((a, b) => Number(b - a)));
    const spansS = asked.map((bounds) =>
      Number((BigInt(bounds.beforeNs ?? RANGE.toNs) - BigInt(bounds.afterNs ?? 0n)) / S)
    );
    expect(Math.max(...spansS)).toBeLessThan(6000);
  });

  it('takes shorter steps where lines become denser, so that each takes less than a second', async () => {
    const [fromNs, denseNs, toNs] = [0n, 10_000n * S, 100_000n * S];
    let nowMs = 0;
    const tookMs: number[] = [];
    const steps = createSteps({ readRange: () => ({ fromNs, toNs }), monotonicMs: () => nowMs });
    await steps.walk<undefined>({
      ...{ want: 'desc', bounds: {}, signal: undefined },
      ask: ({ beforeNs = String(toNs), afterNs = '0' }) => {
        const [low, high] = [BigInt(afterNs), BigInt(beforeNs)];
        const denseS = Number(((high < denseNs ? high : denseNs) - (low < denseNs ? low : denseNs)) / S);
        tookMs.push(Number((high - low) / S) + denseS * 100);
        nowMs += tookMs.at(-1) ?? 0;
        return Promise.resolve(undefined);
      },
      visit: (_answer, { reachedNs, isLast }) => (isLast ? undefined : reachedNs),
    });
    const firstDense = tookMs.findIndex((ms) => ms > 1000);
    const settled = tookMs.slice(firstDense + 8);
    expect(settled.length).toBeGreaterThan(50);
    expect(Math.max(...settled)).toBeLessThan(1000);
  });

  it('counts each line once', async () => {
    const { read, steps } = createStore(times, 5);
    const count = async (bounds: SliceBounds): Promise<number> =>
      (await read({ ...bounds, want: 'desc', limit: 100 })).lines.length;
    await expect(countInSteps(steps, count, {}, undefined)).resolves.toBe(times.length);
    await expect(countInSteps(steps, count, { beforeNs: String(20_001n * S) }, undefined)).resolves.toBe(4);
  });

  it('asks nothing more once it is ended', async () => {
    const { read, steps, asked } = createStore([], 1);
    const controller = new AbortController();
    const onStep = (): void => controller.abort();
    const search = readInSteps(steps, read, { want: 'desc', limit: 10 }, { signal: controller.signal, onStep });
    await expect(search).rejects.toThrow();
    expect(asked.length).toBe(1);
  });

  it('says within a second where a step is that takes long, and gives it up for a shorter one', async () => {
    jest.useFakeTimers();
    const asked: SliceBounds[] = [];
    const told: bigint[] = [];
    const steps = createSteps({ readRange: () => ({ fromNs: 0n, toNs: 10n * S }), monotonicMs: () => Date.now() });
    const hang = (signal: AbortSignal): Promise<number> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    const walk = steps.walk<number>({
      ...{ want: 'desc', bounds: { afterNs: String(9n * S) }, signal: undefined },
      ask: (bounds, signal) => {
        asked.push(bounds);
        return asked.length === 1 ? hang(signal) : Promise.resolve(0);
      },
      visit: (_answer, { reachedNs, isLast }) => (isLast ? undefined : reachedNs),
      onSlow: (reachedNs) => void told.push(reachedNs),
    });
    await jest.advanceTimersByTimeAsync(999);
    expect([told, asked.length]).toEqual([[10n * S + 1n], 1]);
    await jest.advanceTimersByTimeAsync(3000);
    await walk;
    jest.useRealTimers();
    expect(asked.length).toBeGreaterThan(1);
    expect(asked[0]?.beforeNs).toBe(asked[1]?.beforeNs);
    expect(asked[1]?.afterNs).not.toBe(asked[0]?.afterNs);
    expect(asked.at(-1)?.afterNs).toBe(String(9n * S));
  });
});
