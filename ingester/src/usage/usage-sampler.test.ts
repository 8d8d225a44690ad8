import { inferXAxis } from '@joblens/core/axis/x-axis';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import { createFakeClock } from '../testing/fake-clock.js';
import type { GpuReading } from './gpu-watch.js';
import { sampleUsage } from './sample-usage.js';
import { type SystemRow, UsageSampler } from './usage-sampler.js';
import type { UsageReading } from './usage-source.js';

const IDLE: UsageReading = { cpuSeconds: 0, memoryBytes: 1000, readBytes: 0, writtenBytes: 0 };

function createSampler({ startedMs = 0, first = IDLE } = {}): {
  sampler: UsageSampler;
  use: (reading: Partial<UsageReading>, afterMs?: number) => void;
  gpus: { isStarting: boolean; readings: Map<number, GpuReading>; close: () => void };
} {
  let [nowMs, reading] = [0, first];
  const gpus = { isStarting: false, readings: new Map<number, GpuReading>(), close: () => undefined };
  const source = { name: 'a test', read: () => reading };
  return {
    sampler: new UsageSampler({ source, gpus, clock: { nowMs: () => nowMs, monotonicMs: () => nowMs }, startedMs }),
    use(more, afterMs = 10_000) {
      reading = { ...reading, ...more };
      nowMs += afterMs;
    },
    gpus,
  };
}

describe('UsageSampler', () => {
  it('tells rates since the row before, and the memory of now', () => {
    const { sampler, use } = createSampler();
    use({ cpuSeconds: 35, memoryBytes: 5000, readBytes: 100_000, writtenBytes: 5 });
    expect(sampler.take()).toEqual({
      system: {
        age_s: 10,
        cpu_cores: 3.5,
        memory_bytes: 5000,
        io_read_bytes_per_s: 10_000,
        io_write_bytes_per_s: 1,
      },
    });
    use({ cpuSeconds: 36 }, 2000);
    expect(sampler.take()?.system).toMatchObject({ age_s: 12, cpu_cores: 0.5, io_read_bytes_per_s: 0 });
  });

  it('has the same keys in each row: those of the first', () => {
    const { sampler, use, gpus } = createSampler({ first: { ...IDLE, readBytes: undefined, writtenBytes: undefined } });
    gpus.readings.set(0, { percent: 50, memoryBytes: 7 });
    use({});
    const first = sampler.take();
    expect(Object.keys(first?.system ?? {})).toEqual([
      'age_s',
      'cpu_cores',
      'memory_bytes',
      'gpu0_percent',
      'gpu0_memory_bytes',
    ]);
    gpus.readings.clear();
    gpus.readings.set(1, { percent: 1, memoryBytes: 1 });
    use({ readBytes: 5, memoryBytes: undefined });
    expect(sampler.take()).toEqual({
      system: { age_s: 20, cpu_cores: 0, memory_bytes: null, gpu0_percent: null, gpu0_memory_bytes: null },
    });
  });

  it('waits for the first answer about the GPUs, but not forever', () => {
    const { sampler, use, gpus } = createSampler();
    gpus.isStarting = true;
    use({});
    expect(sampler.take()).toBeUndefined();
    use({});
    expect(Object.keys(sampler.take()?.system ?? {})).toHaveLength(5);
  });

  it('has no row without time, or once the processes have ended', () => {
    const { sampler, use } = createSampler();
    expect(sampler.take()).toBeUndefined();
    use({ cpuSeconds: undefined, memoryBytes: undefined, readBytes: undefined, writtenBytes: undefined });
    expect(sampler.take()).toBeUndefined();
  });

  it('never tells less than nothing: an orphan takes with it what it has used', () => {
    const { sampler, use } = createSampler({ first: { ...IDLE, cpuSeconds: 100 } });
    use({ cpuSeconds: 40 });
    expect(sampler.take()?.system).toMatchObject({ cpu_cores: 0 });
  });

  it.each([1, 1000])('lets the graph take the time as X (interval %p ms)', (intervalMs) => {
    const { sampler, use } = createSampler({ startedMs: -3_000_000 });
    const stats = createTableStats();
    for (let i = 0; i < 2000; i += 1) {
      // Whole cores, and memory that only grows.
      use({ cpuSeconds: Math.floor(i / 1000) * intervalMs, memoryBytes: i, readBytes: 0 }, intervalMs);
      foldRow(stats, new Map(Object.entries(sampler.take()?.system ?? {}) as [string, number][]));
    }
    expect(inferXAxis(stats)?.key).toBe('age_s');
  });
});

describe('sampleUsage', () => {
  function start(fault?: Error): {
    rows: SystemRow[];
    faults: string[];
    ended: AbortController;
    done: Promise<void>;
    clock: ReturnType<typeof createFakeClock>;
  } {
    const clock = createFakeClock();
    const startedMs = clock.nowMs();
    const [rows, faults]: [SystemRow[], string[]] = [[], []];
    let reads = 0;
    const read = (): UsageReading => {
      reads += 1;
      if (fault !== undefined && reads === 3) throw fault;
      return IDLE;
    };
    const sampler = new UsageSampler({ source: { name: '', read }, clock, startedMs });
    const ended = new AbortController();
    const done = sampleUsage({
      ...{ sampler, clock, intervalMs: 10_000, ended: ended.signal },
      addRow: (row) => rows.push(row),
      onFault: (message) => faults.push(message),
      onUnknown: (message) => faults.push(message),
    });
    return { rows, faults, ended, done, clock };
  }

  it('adds a row early, one at each interval, and one at the end', async () => {
    const { rows, faults, ended, done, clock } = start();
    for (let i = 0; i < 25; i += 1) await clock.advance(1000);
    ended.abort();
    await done;
    expect(rows.map(({ system }) => system['age_s'])).toEqual([1, 11, 21, 25]);
    expect(faults).toEqual([]);
  });

  it('adds no row for less than a second at the end', async () => {
    const { rows, ended, done, clock } = start();
    await clock.advance(1000);
    await clock.advance(999);
    ended.abort();
    await done;
    expect(rows).toHaveLength(1);
  });

  it('ends at a fault, and says so once', async () => {
    const { rows, faults, done, clock } = start(new Error('no such counter'));
    for (let i = 0; i < 50; i += 1) await clock.advance(1000);
    await done;
    expect(rows).toHaveLength(1);
    expect(faults).toEqual(['no such counter']);
  });
});
