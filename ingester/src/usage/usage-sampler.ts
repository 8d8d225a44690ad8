import type { Clock } from '../clock/clock.js';
import { readErrorCode } from '../host/file-error.js';
import type { GpuWatch } from './gpu-watch.js';
import type { UsageReading, UsageSource } from './usage-source.js';

/** A row of the table `system`: the same keys each time, so that it is one table. Null: not known this time. */
export type SystemRow = Readonly<{ system: Readonly<Record<string, number | null>> }>;

interface UsageSamplerOptions {
  readonly source: UsageSource;
  readonly gpus?: GpuWatch | undefined;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** The start of the job, by the wall clock: X of the rows counts from there. */
  readonly startedMs: number;
}

/** The first row tells which keys there are. It waits this long for the first answer about the GPUs. */
const GPU_PATIENCE_MS = 15_000;

/** Makes rows of what a job uses: rates since the row before, and what it holds now. */
export class UsageSampler {
  readonly #options: UsageSamplerOptions;
  readonly #beganMs: number;
  /** The start of the job by the monotonic clock. */
  readonly #startedMs: number;
  #before: { readonly timeMs: number; readonly reading: UsageReading };
  #keys: readonly string[] | undefined;

  /** Rates of the first row count from here. */
  constructor(options: UsageSamplerOptions) {
    this.#options = options;
    const { nowMs, monotonicMs } = options.clock;
    this.#beganMs = monotonicMs();
    this.#startedMs = this.#beganMs - (nowMs() - options.startedMs);
    this.#before = { timeMs: this.#beganMs, reading: readFirst(options.source) };
  }

  /** The time since the last row. */
  get elapsedMs(): number {
    return this.#options.clock.monotonicMs() - this.#before.timeMs;
  }

  /**
   * Undefined when nothing can be told: no time has passed, or the processes have ended. Throws when nobody can tell;
   * the next row then says what was used meanwhile.
   */
  take(): SystemRow | undefined {
    const { source, gpus, clock } = this.#options;
    const timeMs = clock.monotonicMs();
    const { timeMs: beforeMs, reading: before } = this.#before;
    if (timeMs <= beforeMs) return undefined;
    const isWaiting = gpus?.isStarting === true && timeMs < this.#beganMs + GPU_PATIENCE_MS;
    if (this.#keys === undefined && isWaiting) return undefined;
    const reading = source.read();
    if (reading.cpuSeconds === undefined && reading.memoryBytes === undefined) return undefined;
    this.#before = { timeMs, reading };
    const perSecond = (read: (one: UsageReading) => number | undefined): number | undefined => {
      const [from, to] = [read(before), read(reading)];
      // What an orphan has used goes with it, so a sum can fall.
      return from === undefined || to === undefined ? undefined : Math.max(0, to - from) / ((timeMs - beforeMs) / 1000);
    };
    const values = new Map<string, number | undefined>([
      // An integer that never falls, and the first such key in alphabetical order: so it becomes the X axis.
      ['age_s', Math.max(0, Math.round((timeMs - this.#startedMs) / 1000))],
      [
        'cpu_cores',
        round(
          perSecond(({ cpuSeconds }) => cpuSeconds),
          1000
        ),
      ],
      ['memory_bytes', round(reading.memoryBytes)],
      ['io_read_bytes_per_s', round(perSecond(({ readBytes }) => readBytes))],
      ['io_write_bytes_per_s', round(perSecond(({ writtenBytes }) => writtenBytes))],
    ]);
    for (const [index, { percent, memoryBytes }] of gpus?.readings ?? []) {
      values.set(`gpu${index}_percent`, percent);
      values.set(`gpu${index}_memory_bytes`, memoryBytes);
    }
    this.#keys ??= [...values].filter(([, value]) => value !== undefined).map(([key]) => key);
    return { system: Object.fromEntries(this.#keys.map((key) => [key, values.get(key) ?? null])) };
  }
}

/** Where nobody can tell now, the first row has no rates. */
function readFirst(source: UsageSource): UsageReading {
  try {
    return source.read();
  } catch (error) {
    if (readErrorCode(error) === undefined) throw error;
    return { cpuSeconds: undefined, memoryBytes: undefined, readBytes: undefined, writtenBytes: undefined };
  }
}

function round(value: number | undefined, parts = 1): number | undefined {
  return value === undefined ? undefined : Math.round(value * parts) / parts;
}
