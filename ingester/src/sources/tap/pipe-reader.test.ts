import type { Clock } from '../../clock/clock.js';
import { createFakeClock } from '../../testing/fake-clock.js';
import { type CopiedPipe, openPipe } from './testing/copied-pipe.js';

const opened: CopiedPipe[] = [];
afterEach(() => Promise.all(opened.splice(0).map((pipe) => pipe.close())));

async function open(clock?: Clock): Promise<CopiedPipe> {
  const pipe = await openPipe(clock);
  opened.push(pipe);
  return pipe;
}

/** Gives a reader time to read its pipe. */
const settle = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  // On a busy machine the timer may come before the first look at the pipe.
  for (let i = 0; i < 3; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('the copy of an output', () => {
  it('gives what has come in 4 ms, and at once the end', async () => {
    const clock = createFakeClock();
    const { write, take, endInput } = await open(clock);
    const next = take();
    await write('one');
    await settle();
    await clock.advance(3);
    await write(' two');
    await settle();
    expect(await Promise.race([next, settle()])).toBeUndefined();
    await clock.advance(1);
    expect(await next).toBe('one two');
    const last = take();
    await write('three');
    await endInput();
    expect(await last).toBe('three');
    expect([await take(), await take()]).toEqual([undefined, undefined]);
  });

  it('joins what has come since the last call', async () => {
    const { write, take, endInput } = await open(createFakeClock());
    for (const text of ['a', 'b', 'c']) {
      await write(text);
      await settle();
    }
    await endInput();
    await settle();
    expect([await take(), await take()]).toEqual(['abc', undefined]);
  });

  it('gives at once what is much', async () => {
    const { write, take } = await open(createFakeClock());
    const next = take();
    for (let i = 0; i < 2; i += 1) await write('x'.repeat(64 * 1024));
    expect((await next)?.length).toBe(128 * 1024);
  });

  it('gives bytes that stay as they are until more is taken', async () => {
    const { copy, write } = await open();
    await write('one');
    const first = await copy.take();
    await write('two');
    await settle();
    expect(Buffer.from(first ?? []).toString()).toBe('one');
  });

  it('reads only so far ahead that the writer waits for a log that waits', async () => {
    const { copy, write, take, endInput } = await open();
    const piece = 'x'.repeat(32 * 1024);
    for (let i = 0; i < 6; i += 1) {
      await write(piece);
      await settle();
    }
    // 5 pieces leave no room for a whole read; the last piece is still in the pipe.
    expect((await take())?.length).toBe(5 * piece.length);
    expect(await take()).toBe(piece);
    await endInput();
    expect(await copy.take()).toBeUndefined();
  });

  it('lets the pipe fill for a moment after eight little reads, and only then', async () => {
    const clock = createFakeClock();
    const { write, take, endInput } = await open(clock);
    for (let i = 0; i < 7; i += 1) {
      await write('x');
      await settle();
    }
    await write('y'.repeat(4096));
    await settle();
    for (let i = 0; i < 7; i += 1) {
      await write('z');
      await settle();
    }
    expect(clock.sleeps).toEqual([]);
    await write('z');
    await settle();
    expect(clock.sleeps).toEqual([1]);
    const first = take();
    await write('later');
    await endInput();
    expect(await Promise.race([first, settle()])).toBeUndefined();
    await clock.advance(1);
    await settle();
    // That was another little read.
    await clock.advance(1);
    expect(await first).toBe(`xxxxxxx${'y'.repeat(4096)}zzzzzzzzlater`);
    expect(await take()).toBeUndefined();
  });

  it('reads no more once it is closed, also while it rests, and gives what it has', async () => {
    const clock = createFakeClock();
    const { copy, write, take } = await open(clock);
    for (let i = 0; i < 8; i += 1) {
      await write('x');
      await settle();
    }
    await write('in the pipe');
    await settle();
    copy.close();
    await clock.advance(1);
    expect([await take(), await take()]).toEqual(['x'.repeat(8), undefined]);
  });

  it('ends a call that waits when it is closed', async () => {
    const { copy, take } = await open();
    const waiting = take();
    copy.close();
    expect(await waiting).toBeUndefined();
  });
});
