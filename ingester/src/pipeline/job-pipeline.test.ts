import { createFakeClock } from '../testing/fake-clock.js';
import { createPipelineUnderTest } from '../testing/pipeline-under-test.js';
import { readLog, storePoints } from '../testing/stored-points.js';
import { createMemoryBuffer } from './point-buffer.js';
import type { PointBatch } from './point-queue.js';
import { startSender } from './sender.js';
import { countLines, createTokenBucket } from './token-bucket.js';

const never = new AbortController().signal;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('createMemoryBuffer', () => {
  it('hands points out in order, by count and by bytes, until they are released', () => {
    const buffer = createMemoryBuffer(10_000);
    buffer.append(['aaaa', 'bb', 'cccccccc', 'd']);
    expect(buffer.peek({ maxPoints: 2, maxBytes: 1000 })).toEqual(['aaaa', 'bb']);
    expect(buffer.peek({ maxPoints: 9, maxBytes: 8 })).toEqual(['aaaa', 'bb']);
    expect(buffer.peek({ maxPoints: 9, maxBytes: 1 })).toEqual(['aaaa']);
    buffer.release(2);
    expect(buffer.peek({ maxPoints: 9, maxBytes: 1000 })).toEqual(['cccccccc', 'd']);
    buffer.release(2);
    expect([buffer.count, buffer.fill]).toEqual([0, 0]);
  });

  it('takes all or nothing, and urgent points a little longer', () => {
    const buffer = createMemoryBuffer(200);
    expect(buffer.append(['x'.repeat(100)])).toBe(true);
    expect(buffer.append(['x', 'y'])).toBe(false);
    expect(buffer.count).toBe(1);
    expect(buffer.append(['x'.repeat(100)], true)).toBe(true);
    expect(buffer.fill).toBe(1);
  });

  it('wakes who waits for points or for room', async () => {
    const buffer = createMemoryBuffer(1000);
    const seen: string[] = [];
    void buffer.untilCount(2, never).then(() => seen.push('two'));
    buffer.append(['a']);
    await settle();
    expect(seen).toEqual([]);
    buffer.append(['b']);
    await settle();
    void buffer.untilFill(0, never).then(() => seen.push('empty'));
    buffer.release(1);
    await settle();
    expect(seen).toEqual(['two']);
    buffer.release(1);
    await settle();
    expect(seen).toEqual(['two', 'empty']);
  });

  it('stays right over very many points', () => {
    const buffer = createMemoryBuffer(1e9);
    let next = 0;
    for (let i = 0; i < 20_000; i += 1) {
      buffer.append([String(i)]);
      if (i % 3 !== 0) continue;
      expect(buffer.peek({ maxPoints: 1, maxBytes: 100 })).toEqual([String(next)]);
      buffer.release(1);
      next += 1;
    }
    expect(buffer.count).toBe(20_000 - next);
  });
});

describe('createTokenBucket', () => {
  it('lets a second of each limit through at once, then as much as flows in', async () => {
    const clock = createFakeClock();
    const bucket = createTokenBucket({ bytesPerSecond: 1000, linesPerSecond: 10 }, () => clock.nowMs());
    expect(bucket.take(1000, 1)).toBe(0);
    expect(bucket.take(500, 1)).toBe(500);
    await clock.advance(1000);
    expect(bucket.take(0, 13)).toBeCloseTo(300);
  });

  it('counts lines', () => {
    expect(countLines(Buffer.from('a\n\nb\r\nc'))).toBe(3);
  });
});

describe('startSender', () => {
  it('keeps one batch in flight, in order, and releases it when it is settled', async () => {
    const buffer = createMemoryBuffer(1e9);
    const batches: number[] = [];
    let inFlight = 0;
    const sink = {
      async write({ points }: PointBatch) {
        expect((inFlight += 1)).toBe(1);
        await settle();
        inFlight -= 1;
        batches.push(points);
        return { kind: 'success' as const };
      },
      close: () => Promise.resolve(),
    };
    buffer.append(Array.from({ length: 12_000 }, (_, i) => String(i)));
    const onFailure = jest.fn();
    const sender = startSender({ buffer, sink, clock: createFakeClock(), isHealthy: () => true, onFailure });
    expect(await sender.drain(5000)).toBe(0);
    expect(batches).toEqual([5000, 5000, 2000]);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('gives up when the time is over and says how many points are left', async () => {
    const buffer = createMemoryBuffer(1e9);
    buffer.append(['a', 'b']);
    const sink = {
      write: (_batch: PointBatch, signal: AbortSignal) =>
        new Promise<{ kind: 'retryable'; message: string; isHeld: boolean }>((resolve) => {
          signal.addEventListener('abort', () => resolve({ kind: 'retryable', message: '', isHeld: false }));
        }),
      close: () => Promise.resolve(),
    };
    const clock = createFakeClock();
    const sender = startSender({ buffer, sink, clock, isHealthy: () => true, onFailure: jest.fn() });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sender.isMoving).toBe(true);
    await clock.advance(2000);
    expect(sender.isMoving).toBe(false);
    expect(await sender.drain(20)).toBe(2);
  });
});

describe('JobPipeline', () => {
  it('drops and counts what finds no room, and says so in the log once there is room again', async () => {
    const test = createPipelineUnderTest({ bufferBytes: 2000 });
    for (let i = 0; i < 100; i += 1) await test.write('stdout', `line ${i}\n`);
    expect(test.said).toHaveLength(1);
    const before = readLog(test.stored());
    test.buffer.release(test.buffer.count);
    await test.write('stdout', 'again\n');
    test.end();
    const missing = 100 - before.length;
    expect(readLog(storePoints(test.lines()))).toEqual([
      `[notice] (joblens: ${missing} points are missing here: the store could not take them and memory was full)`,
      'again',
    ]);
    expect(test.said.at(-1)).toContain(`${missing} points were not stored`);
  });

  it('makes its source wait while the store keeps up slowly, but not while the store is away', async () => {
    let isMoving = true;
    const test = createPipelineUnderTest({ bufferBytes: 10_000, isMoving: () => isMoving });
    const written: string[] = [];
    void test
      .write('stdout', Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join(''))
      .then(() => written.push('1'));
    await settle();
    expect([written, test.buffer.fill > 0.5]).toEqual([[], true]);
    test.buffer.release(50);
    await settle();
    expect(written).toEqual(['1']);
    isMoving = false;
    await test.write('stdout', Array.from({ length: 60 }, (_, i) => `more ${i}\n`).join(''));
    expect(test.buffer.fill).toBeGreaterThan(0.5);
  });

  it('makes a source that can wait do so as long as it takes', async () => {
    const test = createPipelineUnderTest({ bufferBytes: 10_000, canWait: true });
    const written: string[] = [];
    void test
      .write('stdout', Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join(''))
      .then(() => written.push('1'));
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(written).toEqual([]);
    test.pipeline.hurry();
    await settle();
    expect(written).toEqual(['1']);
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
