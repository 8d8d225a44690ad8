import { MemoryQueue } from './memory-queue.js';
import type { BatchLimits, PointQueue, QueueRecord } from './point-queue.js';

const never = new AbortController().signal;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function createRecord(text: string, points = 1, isUrgent = false): QueueRecord {
  return { bytes: Buffer.from(text), points, states: [], isUrgent };
}

async function readText(queue: PointQueue, limits: BatchLimits): Promise<string | undefined> {
  return (await queue.read(limits))?.bytes.toString();
}

describe('MemoryQueue', () => {
  it('hands records out in order, by points and by bytes, until they are released', async () => {
    const queue = new MemoryQueue(10_000);
    for (const text of ['aaaa', 'bb', 'cccccccc', 'd']) queue.append(createRecord(text));
    expect(await readText(queue, { maxPoints: 2, maxBytes: 1000 })).toBe('aaaabb');
    expect(await readText(queue, { maxPoints: 9, maxBytes: 1 })).toBe('aaaabb');
    await queue.release();
    expect(await readText(queue, { maxPoints: 9, maxBytes: 8 })).toBe('cccccccc');
    await queue.release();
    expect(await readText(queue, { maxPoints: 9, maxBytes: 1 })).toBe('d');
    await queue.release();
    expect([queue.waitingPoints, queue.waitingBytes, queue.fill]).toEqual([0, 0, 0]);
    expect(await queue.read({ maxPoints: 9, maxBytes: 9 })).toBeUndefined();
  });

  it('reads ahead what comes after the points that were read', async () => {
    const limits = { maxPoints: 1, maxBytes: 100 };
    const queue = new MemoryQueue(10_000);
    for (const text of ['a', 'b']) queue.append(createRecord(text));
    expect(await queue.readAhead(limits)).toBeUndefined();
    await queue.read(limits);
    const ahead = await queue.readAhead(limits);
    expect([ahead?.bytes.toString(), await readText(queue, limits)]).toEqual(['b', 'a']);
    await queue.release();
    expect(await queue.read(limits)).toBe(ahead);
    expect(await queue.readAhead(limits)).toBeUndefined();
    await queue.release();
    expect(queue.waitingPoints).toBe(0);
  });

  it('takes all or nothing, and urgent points a little longer', () => {
    const queue = new MemoryQueue(500);
    expect(queue.append(createRecord('x'.repeat(250)))).toBe(true);
    expect(queue.append(createRecord('xy', 2))).toBe(false);
    expect(queue.waitingPoints).toBe(1);
    expect(queue.append(createRecord('x'.repeat(100), 1, true))).toBe(true);
    expect(queue.fill).toBe(1);
  });

  it('wakes who waits for points or for room', async () => {
    const queue = new MemoryQueue(1000);
    const seen: string[] = [];
    void queue.untilWaiting(2, never).then(() => seen.push('two'));
    queue.append(createRecord('a'));
    await settle();
    expect(seen).toEqual([]);
    queue.append(createRecord('b'));
    await settle();
    void queue.untilFill(0, never).then(() => seen.push('empty'));
    await queue.read({ maxPoints: 1, maxBytes: 100 });
    await queue.release();
    await settle();
    expect(seen).toEqual(['two']);
    await queue.read({ maxPoints: 1, maxBytes: 100 });
    await queue.release();
    await settle();
    expect(seen).toEqual(['two', 'empty']);
  });
});
