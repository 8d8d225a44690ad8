import { createFakeClock } from '../../testing/fake-clock.js';
import type { PipeLogger } from './pipe-loggers.js';
import { LeftStream } from './left-stream.js';

/** A stream that another logs, and what is logged of it here. */
function createScene() {
  const clock = createFakeClock();
  const scene = {
    pass: (ms: number): Promise<void> => clock.advance(ms),
    stage: 'logging' as ReturnType<PipeLogger['look']>,
    logged: [] as string[],
    noted: 0,
    opened: 0,
    print: (text: string): Promise<void> => stream.write(Buffer.from(text)),
    end: (): Promise<void> => stream.end(),
  };
  const stream = new LeftStream({
    logger: { kind: 'pipe', pid: 7, look: () => scene.stage },
    clock,
    noteOutput: () => Promise.resolve(void (scene.noted += 1)),
    takeOver() {
      scene.opened += 1;
      return Promise.resolve({
        write: (bytes) => Promise.resolve(void scene.logged.push(Buffer.from(bytes).toString())),
        end: () => void scene.logged.push('end'),
      });
    },
  });
  return scene;
}

describe('LeftStream', () => {
  it('logs nothing while the other does', async () => {
    const scene = createScene();
    for (let i = 0; i < 100; i += 1) {
      await scene.pass(30);
      await scene.print(`line ${i}\n`);
    }
    await scene.end();
    expect(scene).toMatchObject({ logged: [], noted: 100, opened: 0 });
  });

  it.each([
    ['dead', 'logging', ['b', 'c', 'd', 'end']],
    ['dead', 'opening', ['a', 'b', 'c', 'd', 'end']],
    ['ended', 'opening', ['a', 'b', 'c', 'd', 'end']],
    ['ended', 'logging', ['d', 'end']],
  ] as const)('goes on when the other is %s after it was %s', async (last, stage, logged) => {
    const scene = createScene();
    scene.stage = stage;
    for (const text of ['a', 'b', 'c']) {
      await scene.print(text);
      await scene.pass(text === 'c' ? 200 : 450);
    }
    scene.stage = last;
    await scene.print('d');
    await scene.end();
    expect(scene).toMatchObject({ logged, opened: 1 });
  });

  it('does not wait for more output when the other dies', async () => {
    const scene = createScene();
    await scene.print('a');
    await scene.print('b');
    scene.stage = 'dead';
    await scene.print('c');
    expect(scene.logged).toEqual([]);
    await scene.pass(1000);
    await scene.pass(0);
    expect(scene.logged).toEqual(['a', 'b', 'c']);
    await scene.print('d');
    await scene.end();
    expect(scene).toMatchObject({ logged: ['a', 'b', 'c', 'd', 'end'], opened: 1 });
  });

  it('logs what one that died at the end may not have stored', async () => {
    const scene = createScene();
    await scene.print('a');
    scene.stage = 'dead';
    await scene.end();
    expect(scene.logged).toEqual(['a', 'end']);
  });

  it('keeps no more than a megabyte', async () => {
    const scene = createScene();
    scene.stage = 'opening';
    const chunk = 'x'.repeat(100_000);
    for (let i = 0; i < 50; i += 1) await scene.print(`${i} ${chunk}`);
    scene.stage = 'dead';
    await scene.pass(100);
    await scene.print('last');
    const bytes = scene.logged.join('').length;
    expect(bytes).toBeGreaterThan(900_000);
    expect(bytes).toBeLessThan(1_100_000);
    expect(scene.logged[0]?.slice(0, 3)).toBe('40 ');
    expect(scene.logged.at(-1)).toBe('last');
  });
});
