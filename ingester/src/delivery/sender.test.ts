import type { Sink, WriteOutcome } from '../sinks/sink.js';
import { createFakeClock } from '../testing/fake-clock.js';
import { MemoryQueue } from '../queue/memory-queue.js';
import type { PointBatch, PointQueue } from '../queue/point-queue.js';
import { startSender } from './sender.js';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function queueOf(records: number, pointsEach: number): PointQueue {
  const queue = new MemoryQueue(1e9);
  for (let i = 0; i < records; i += 1) append(queue, pointsEach);
  return queue;
}

function append(queue: PointQueue, points: number): void {
  queue.append({ bytes: Buffer.from('m a=1 1\n'.repeat(points)), points, states: [], isUrgent: false });
}

const sinkOf = (write: (batch: PointBatch, signal: AbortSignal) => Promise<WriteOutcome>): Sink => ({
  write,
  close: () => Promise.resolve(),
});

describe('startSender', () => {
  afterEach(() => jest.useRealTimers());

  it('keeps one batch in flight, in order, and releases it when it is settled', async () => {
    const queue = queueOf(240, 500);
    const batches: number[] = [];
    let inFlight = 0;
    const sink = sinkOf(async ({ points }) => {
      expect((inFlight += 1)).toBe(1);
      await settle();
      inFlight -= 1;
      batches.push(points);
      return { kind: 'success' };
    });
    const onFailure = jest.fn();
    const sender = startSender({ queue, sink, clock: createFakeClock(), isHealthy: () => true, onFailure });
    expect(await sender.drain(5000)).toBe(0);
    expect(batches).toEqual(Array.from({ length: 12 }, () => 10_000));
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('makes the next batch ready while one is under way, when enough waits, and sends it at once', async () => {
    const queue = queueOf(3, 10_000);
    const prepared: PointBatch[] = [];
    const written: PointBatch[] = [];
    let answer = (): void => undefined;
    const sink: Sink = {
      write: (batch) => {
        written.push(batch);
        return new Promise((resolve) => (answer = () => resolve({ kind: 'success' })));
      },
      prepare: (batch) => void prepared.push(batch),
      close: () => Promise.resolve(),
    };
    const sender = startSender({ queue, sink, clock: createFakeClock(), isHealthy: () => true, onFailure: jest.fn() });
    for (let sent = 1; sent <= 3; sent += 1) {
      await settle();
      expect([written.length, prepared.length]).toEqual([sent, Math.min(sent, 2)]);
      if (sent === 3) append(queue, 4999);
      answer();
    }
    expect(written.slice(1)).toEqual(prepared);
    await settle();
    // A little more is not read ahead: it may grow while the request is under way.
    expect(written).toHaveLength(3);
    const drained = sender.drain(5000);
    await settle();
    answer();
    expect(await drained).toBe(0);
    expect([written.length, prepared.length]).toEqual([4, 2]);
  });

  it('lets a few points wait for more, and sends many at once', async () => {
    jest.useFakeTimers();
    const queue = queueOf(1, 1);
    const batches: number[] = [];
    const sink = sinkOf(({ points }) => {
      batches.push(points);
      return Promise.resolve({ kind: 'success' });
    });
    const sender = startSender({ queue, sink, clock: createFakeClock(), isHealthy: () => true, onFailure: jest.fn() });
    await jest.advanceTimersByTimeAsync(50);
    append(queue, 1);
    await jest.advanceTimersByTimeAsync(250);
    expect(batches).toEqual([2]);
    append(queue, 5000);
    await jest.advanceTimersByTimeAsync(50);
    expect(batches).toEqual([2, 5000]);
    await sender.drain(1000);
  });

  it('waits for no more where nothing more comes', async () => {
    const queue = queueOf(3, 10_000);
    append(queue, 2);
    const batches: number[] = [];
    const sink = sinkOf(({ points }) => {
      batches.push(points);
      return Promise.resolve({ kind: 'success' });
    });
    const options = { queue, sink, clock: createFakeClock(), isHealthy: () => true, onFailure: jest.fn() };
    const sender = startSender({ ...options, isComplete: true });
    for (let i = 0; i < 10; i += 1) await settle();
    expect(batches).toEqual([10_000, 10_000, 10_000, 2]);
    await sender.drain(1000);
  });

  it('makes any points ready that wait behind a batch when it takes very long', async () => {
    jest.useFakeTimers();
    const queue = queueOf(1, 10_000);
    append(queue, 7);
    const prepared: number[] = [];
    const sink: Sink = {
      write: (_batch, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'success' }))),
      prepare: ({ points }) => void prepared.push(points),
      close: () => Promise.resolve(),
    };
    const sender = startSender({ queue, sink, clock: createFakeClock(), isHealthy: () => true, onFailure: jest.fn() });
    await jest.advanceTimersByTimeAsync(59_000);
    expect(prepared).toEqual([]);
    await jest.advanceTimersByTimeAsync(2000);
    expect(prepared).toEqual([7]);
    const drained = sender.drain(0);
    await jest.advanceTimersByTimeAsync(1000);
    await drained;
  });

  it('gives up when the time is over and says how many points are left', async () => {
    let isWriting = (): void => undefined;
    const writing = new Promise<void>((resolve) => (isWriting = resolve));
    const sink = sinkOf(
      (_batch, signal) =>
        new Promise((resolve) => {
          isWriting();
          signal.addEventListener('abort', () => resolve({ kind: 'retryable', message: '', isHeld: false }));
        })
    );
    const clock = createFakeClock();
    const sender = startSender({ queue: queueOf(1, 2), sink, clock, isHealthy: () => true, onFailure: jest.fn() });
    await writing;
    expect(sender.isMoving).toBe(true);
    await clock.advance(2000);
    expect(sender.isMoving).toBe(false);
    expect(await sender.drain(20)).toBe(2);
  });

  it('ends with what went wrong inside, and says that points do not move', async () => {
    const sink = sinkOf(() => Promise.reject(new Error('a fault')));
    const onFailure = jest.fn();
    const sender = startSender({
      queue: queueOf(1, 5000),
      sink,
      clock: createFakeClock(),
      isHealthy: () => true,
      onFailure,
    });
    expect(await sender.drain(5000)).toBe(5000);
    expect(onFailure).toHaveBeenCalledWith(new Error('a fault'));
    expect(sender.isMoving).toBe(false);
  });
});
