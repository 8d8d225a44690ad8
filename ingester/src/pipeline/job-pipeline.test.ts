import { HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { bufferPool } from '../bytes/buffer-pool.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../testing/pipeline-under-test.js';
import { readLog } from '../testing/stored-points.js';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const formatLines = (count: number, word = 'line'): string =>
  Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join('');

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 2400 && !(await holds()); i += 1) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Takes all that is queued out of the queue. */
async function empty({ queue }: PipelineUnderTest): Promise<void> {
  while ((await queue.read({ maxPoints: Infinity, maxBytes: Infinity })) !== undefined) await queue.release();
}

describe('JobPipeline', () => {
  it('queues points 30 ms after the first output at the latest, and at once when much waits', async () => {
    const test = createPipelineUnderTest();
    await test.write('stdout', 'a\n');
    await test.clock.advance(29);
    expect(test.queue.waitingPoints).toBe(0);
    await test.clock.advance(1);
    expect(test.queue.waitingPoints).toBe(1);
    await test.write('stdout', formatLines(30_000));
    expect(test.queue.waitingPoints).toBeGreaterThan(20_000);
    await test.clock.advance(30);
    expect(test.queue.waitingPoints).toBe(30_001);
  });

  it('queues little output that becomes much in records of a megabyte', async () => {
    // Each line is a table of its own.
    const limits = { bytesPerSecond: 1e12, linesPerSecond: 1e12, maxTables: Infinity };
    const test = createPipelineUnderTest({ limits });
    const count = 5000;
    await test.write('stdout', Array.from({ length: count }, (_, i) => `{"key_${i}": ${i}.5}\n`).join(''));
    test.end();
    const sizes = test.records.map(({ bytes }) => bytes.length);
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(1.1 * 2 ** 20);
    expect(readLog(test.stored())).toHaveLength(count);
  });

  it('drops and counts what finds no room, and says so in the log once there is room again', async () => {
    const test = createPipelineUnderTest({ queueBytes: 2000 });
    for (let i = 0; i < 100; i += 1) {
      await test.write('stdout', `line ${i}\n`);
      test.pipeline.commit();
    }
    expect(test.said).toHaveLength(1);
    const before = readLog(test.stored());
    await empty(test);
    await test.write('stdout', 'again\n');
    test.end();
    const missing = 100 - before.length;
    expect(readLog(test.stored()).slice(before.length)).toEqual([
      `[notice] (joblens: ${missing} points are missing here: the store could not take them and there was no room to keep them)`,
      'again',
    ]);
    expect(test.said.at(-1)).toContain(`could not store ${missing} points`);
  });

  it('makes its source wait for a file that keeps up slowly, but never for a server', async () => {
    const isMoving = (): boolean => true;
    const local = createPipelineUnderTest({ queueBytes: 2_500_000, isLocal: true, isMoving });
    const written: string[] = [];
    void local.write('stdout', formatLines(30_000)).then(() => written.push('local'));
    await settle();
    expect([written, local.queue.fill > 0.5]).toEqual([[], true]);
    await empty(local);
    await settle();
    expect(written).toEqual(['local']);
    const server = createPipelineUnderTest({ queueBytes: 2_500_000, isMoving });
    await server.write('stdout', formatLines(30_000));
    expect(server.queue.fill).toBeGreaterThan(0.5);
  });

  it.each([
    ['a disk that is only slow', 'disk', false],
    ['a server that takes what only memory holds', 'sending', true],
  ] as const)('makes its source wait for %s, and drops nothing until there is no hope', async (_, hope, isMoving) => {
    let relief: 'disk' | 'sending' | undefined = hope;
    const test = createPipelineUnderTest({ queueBytes: 2_500_000, relief: () => relief, isMoving: () => isMoving });
    const written: string[] = [];
    const write = (name: string): void =>
      void test.write('stdout', formatLines(60_000, name)).then(() => written.push(name));
    write('a');
    await settle();
    expect([written, test.pipeline.droppedPoints]).toEqual([[], 0]);
    await until(async () => {
      await empty(test);
      return written.length === 1;
    });
    expect([written, test.pipeline.droppedPoints]).toEqual([['a'], 0]);
    write('b');
    relief = undefined;
    await until(() => written.length === 2);
    expect([written, test.pipeline.droppedPoints > 0]).toEqual([['a', 'b'], true]);
    test.pipeline.commit();
    const queuedPoints = test.records.reduce((sum, { points }) => sum + points, 0);
    expect(queuedPoints + test.pipeline.droppedPoints).toBe(120_000);
  });

  it('makes a source that is to wait do so as long as it takes, and loses nothing', async () => {
    const test = createPipelineUnderTest({ queueBytes: 4_000_000, onFull: 'wait' });
    await test.write('stdout', formatLines(30_000));
    const written: string[] = [];
    void test.write('stdout', formatLines(30_000, 'more')).then(() => written.push('1'));
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(written).toEqual([]);
    await empty(test);
    await until(() => written.length > 0);
    expect(written).toEqual(['1']);
    test.end();
    expect(readLog(test.stored())).toHaveLength(60_000);
  });

  it('is tested by records that stay what they were when their memory is used again', async () => {
    const test = createPipelineUnderTest();
    await test.write('stdout', formatLines(1000));
    const text = test.text();
    expect(text.length).toBeGreaterThan(64 * 1024);
    await empty(test);
    for (let bytes = 64 * 1024; bytes < 2 * text.length; bytes += 8 * 1024) bufferPool.take(bytes).fill('x');
    expect(test.text() === text).toBe(true);
  });

  it('queues the last output of a silent job once there is room', async () => {
    const test = createPipelineUnderTest({ queueBytes: 2000, onFull: 'wait' });
    await test.write('stdout', formatLines(50));
    await test.clock.advance(30);
    expect(test.queue.fill).toBe(1);
    await test.write('stdout', 'the last line\n');
    await test.clock.advance(30);
    expect(test.queue.waitingPoints).toBe(50);
    await empty(test);
    await until(() => test.queue.waitingPoints > 0);
    expect(test.queue.waitingPoints).toBe(1);
    expect(test.records.at(-1)?.bytes.toString()).toContain('line="the last line"');
  });

  it('waits for room at the end of a job that is to wait, for a bounded time, and counts what found none', async () => {
    const test = createPipelineUnderTest({ queueBytes: 4_000_000, onFull: 'wait' });
    for (let i = 0; i < 3; i += 1) void test.write('stdout', formatLines(30_000));
    let isQueued: boolean | undefined;
    void test.pipeline.untilQueued(5000).then((result) => (isQueued = result));
    await until(async () => {
      await empty(test);
      return isQueued !== undefined;
    });
    expect(isQueued).toBe(true);
    const countQueued = (): number => test.records.reduce((sum, { points }) => sum + points, 0);
    expect(countQueued()).toBe(90_000);
    void test.write('stdout', formatLines(60_000));
    expect(await test.pipeline.untilQueued(10)).toBe(false);
    test.end();
    expect(countQueued()).toBeLessThan(150_000);
    // With the lines comes a heartbeat on each grid.
    expect(test.pipeline.droppedPoints).toBe(150_000 + HEARTBEAT_GRIDS.length - countQueued());
    expect(test.said).toEqual([expect.stringContaining(`could not store ${test.pipeline.droppedPoints} points`)]);
  });

  it('stores the newest version of every row when it is suspended', async () => {
    const test = createPipelineUnderTest({ isResumable: true });
    await test.write('stdout', 'row 0: 1%\nrow 1: 1%\nlast\n');
    await test.clock.advance(1000);
    await test.write('stdout', '\x1b[3A\rrow 0: 9%\n\rrow 1: 9%\n\n50%');
    test.pipeline.suspend();
    expect(readLog(test.stored())).toEqual(['row 0: 9%', 'row 1: 9%', 'last', '50%']);
  });

  it('slows a source down to its limits', async () => {
    const limits = { bytesPerSecond: 1000, linesPerSecond: 1e9 };
    const test = createPipelineUnderTest({ limits });
    const written: string[] = [];
    void test.write('stdout', `${'x'.repeat(2999)}\n`).then(() => written.push('1'));
    await settle();
    expect(test.clock.sleeps).toContain(2000);
    await test.clock.advance(1999);
    expect(written).toEqual([]);
    await test.clock.advance(1);
    expect(written).toEqual(['1']);
  });
});
