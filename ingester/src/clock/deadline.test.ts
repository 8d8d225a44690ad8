import { withDeadline, withPatience } from './deadline.js';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const never = (): Promise<void> => new Promise(() => undefined);

/** As a process that is suspended, or does not get the processor. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('a deadline', () => {
  it.each([[0], [20], [130]])('aborts after %i ms, and not before', async (timeoutMs) => {
    const startedMs = performance.now();
    await withDeadline(timeoutMs, [], (signal) => new Promise<void>((resolve) => (signal.onabort = () => resolve())));
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(timeoutMs - 5);
  });

  it('aborts with one of its parents, also with one that is aborted already', async () => {
    const parent = new AbortController();
    await withDeadline(60_000, [parent.signal], (signal) => {
      expect(signal.aborted).toBe(false);
      parent.abort();
      expect(signal.aborted).toBe(true);
      return Promise.resolve();
    });
    expect(await withDeadline(60_000, [parent.signal], (signal) => Promise.resolve(signal.aborted))).toBe(true);
  });

  it('does not count time in which the process stood still', async () => {
    await withDeadline(600, [], async (signal) => {
      for (let i = 0; i < 2; i += 1) {
        standStill(350);
        await sleep(1);
        await turn();
      }
      expect(signal.aborted).toBe(false);
    });
  });
});

describe('patience', () => {
  it('ends after its time', async () => {
    await expect(withPatience('sending', 100, never)).rejects.toThrow('sending took longer than 0.1 s');
  });

  it('gives what the task gives, and its error', async () => {
    expect(await withPatience('sending', 60_000, () => Promise.resolve(1))).toBe(1);
    await expect(withPatience('sending', 60_000, () => Promise.reject(new Error('own')))).rejects.toThrow('own');
  });
});
