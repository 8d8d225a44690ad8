import type { PointBatch } from '../queue/point-queue.js';
import { type Sink, SUCCESS, type WriteOutcome } from './sink.js';
import { SplittingSink } from './splitting-sink.js';

const never = new AbortController().signal;
const points = (count: number): PointBatch => ({ bytes: Buffer.from('m a=1 1\n'.repeat(count)), points: count });

class RecordingSink implements Sink {
  readonly events: string[] = [];
  readonly #answer: (batch: PointBatch) => WriteOutcome;

  constructor(answer: (batch: PointBatch) => WriteOutcome = () => SUCCESS) {
    this.#answer = answer;
  }

  write(batch: PointBatch): Promise<WriteOutcome> {
    this.events.push(`write ${batch.points}`);
    return Promise.resolve(this.#answer(batch));
  }

  prepare(batch: PointBatch): void {
    this.events.push(`prepare ${batch.points}`);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const keepNothing = (): Promise<void> => Promise.reject(new Error('nothing is to be kept aside'));

describe('SplittingSink', () => {
  it('prepares each request while the one before is under way', async () => {
    const inner = new RecordingSink();
    const sink = new SplittingSink(inner, keepNothing, {
      limits: { maxPoints: 4, maxBytes: 1e6 },
      monotonicMs: () => 0,
    });
    const batch = points(10);
    sink.prepare(batch);
    expect(await sink.write(batch, never)).toEqual(SUCCESS);
    expect(inner.events).toEqual(['prepare 4', 'write 4', 'prepare 4', 'write 4', 'prepare 2', 'write 2']);
  });

  it('makes the rest of a batch smaller where the store refuses a request for its size', async () => {
    const rejected: WriteOutcome = { kind: 'rejected', message: 'too large', hint: { kind: 'size' } };
    const inner = new RecordingSink((batch) => (batch.bytes.length > 200_000 ? rejected : SUCCESS));
    const sink = new SplittingSink(inner, keepNothing, {
      limits: { maxPoints: 1e6, maxBytes: 320_000 },
      monotonicMs: () => 0,
    });
    expect(await sink.write(points(80_000), never)).toEqual(SUCCESS);
    const written = inner.events.filter((event) => event.startsWith('write'));
    expect(written).toEqual(['write 40000', 'write 20000', 'write 20000', 'write 20000', 'write 20000']);
  });
});
