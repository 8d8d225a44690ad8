import type { JobSource, Point, Stream } from '@joblens/core';
import { JobPipeline } from '../pipeline/job-pipeline.js';
import type { PointBuffer } from '../pipeline/point-buffer.js';
import { createMemoryBuffer } from '../pipeline/point-buffer.js';
import type { ThroughputLimits } from '../pipeline/token-bucket.js';
import type { LogConfig } from '../rules/log-config.js';
import { DEFAULT_LOG_CONFIG } from '../rules/log-config.js';
import type { FakeClock } from './fake-clock.js';
import { createFakeClock } from './fake-clock.js';
import { storePoints } from './stored-points.js';

export interface PipelineOptions {
  readonly config?: Partial<LogConfig>;
  readonly source?: JobSource;
  readonly bufferBytes?: number;
  readonly limits?: ThroughputLimits;
  readonly canWait?: boolean;
  readonly isMoving?: () => boolean;
}

/** A pipeline with a clock that stands and a buffer that nothing empties. */
export interface PipelineUnderTest {
  readonly pipeline: JobPipeline;
  readonly clock: FakeClock;
  readonly buffer: PointBuffer;
  /** What was said on stderr. */
  readonly said: string[];
  write(stream: Stream, text: string | Uint8Array): Promise<void>;
  /** Ends the streams and the pipeline. */
  end(): void;
  /** The lines written so far. */
  lines(): readonly string[];
  /** What a store holds of them. */
  stored(): Point[];
}

export function createPipelineUnderTest(options: PipelineOptions = {}): PipelineUnderTest {
  const clock = createFakeClock();
  const buffer = createMemoryBuffer(options.bufferBytes ?? 2 ** 30);
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const pipeline = new JobPipeline({
    source: options.source ?? { job: '1', user: 'ann' },
    config: { ...DEFAULT_LOG_CONFIG, ...options.config },
    limits: options.limits ?? { bytesPerSecond: 1e12, linesPerSecond: 1e12 },
    canWait: options.canWait ?? false,
    output: {
      buffer,
      sender: {
        get isMoving() {
          return options.isMoving?.() ?? false;
        },
      },
    },
    clock,
    report: { error: say, warn: say, info: say, debug: () => undefined },
  });
  const streams = { stdout: pipeline.openStream('stdout'), stderr: pipeline.openStream('stderr') };
  const lines = (): readonly string[] => buffer.peek({ maxPoints: Infinity, maxBytes: Infinity });
  return {
    pipeline,
    clock,
    buffer,
    said,
    write: (stream, text) => streams[stream].write(Buffer.from(text)),
    end() {
      streams.stdout.end();
      streams.stderr.end();
      pipeline.close();
    },
    lines,
    stored: () => storePoints(lines()),
  };
}
