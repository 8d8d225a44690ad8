import type { Point } from '@joblens/core/point/point';
import type { JobSource, Stream } from '@joblens/core/schema/measurements';
import { Counters } from '../delivery/counters.js';
import { JobPipeline, type JobPipelineOptions } from '../pipeline/job-pipeline.js';
import type { StreamWriter } from '../pipeline/job-stream.js';
import { MemoryQueue } from '../queue/memory-queue.js';
import type { PointQueue, QueueRecord } from '../queue/point-queue.js';
import { StateRegistry } from '../queue/state-registry.js';
import type { ThroughputLimits } from '../config/settings.js';
import { DEFAULT_LOG_CONFIG, type LogConfig } from '../rules/options/log-config.js';
import { createFakeClock, type FakeClock } from './fake-clock.js';
import { StoredPoints } from './stored-points.js';

export interface PipelineOptions {
  readonly config?: Partial<LogConfig>;
  readonly source?: JobSource;
  readonly queueBytes?: number;
  readonly limits?: ThroughputLimits;
  readonly onFull?: JobPipelineOptions['onFull'];
  readonly isLocal?: boolean;
  /** The relief of the queue. By default that of a spool on a healthy disk, or of the memory queue before a file. */
  readonly relief?: () => PointQueue['relief'];
  readonly isResumable?: boolean;
  readonly livesWithLog?: boolean;
  /** Whether the job has its two streams (default yes). */
  readonly opensStreams?: boolean;
  readonly state?: JobPipelineOptions['state'];
  readonly secrets?: JobPipelineOptions['secrets'];
  readonly rewrites?: JobPipelineOptions['rewrites'];
  /** The clock of an earlier pipeline. */
  readonly clock?: FakeClock;
  readonly isMoving?: () => boolean;
}

/** A pipeline with a clock that only the test moves, and a queue that nothing empties. */
export interface PipelineUnderTest {
  readonly pipeline: JobPipeline;
  readonly clock: FakeClock;
  readonly queue: PointQueue;
  readonly states: StateRegistry;
  /** The queued records, in order. */
  readonly records: readonly QueueRecord[];
  /** Messages on stderr. */
  readonly said: string[];
  /** How many bytes of each stream were written, also before a restart. */
  readonly offsets: Readonly<Record<Stream, number>>;
  write(stream: Stream, text: string | Uint8Array): Promise<void>;
  /** Ends the streams and the pipeline. */
  end(): void;
  /** The line protocol written so far. */
  text(): string;
  /** The points that a store holds after that line protocol. */
  stored(): Point[];
}

export function createPipelineUnderTest(options: PipelineOptions = {}): PipelineUnderTest {
  const clock = options.clock ?? createFakeClock();
  const { queue, records } = createRecordingQueue(options);
  const states = new StateRegistry();
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const pipeline = new JobPipeline({
    source: options.source ?? { job: '1', user: 'ann' },
    config: { ...DEFAULT_LOG_CONFIG, ...options.config },
    limits: options.limits ?? { bytesPerSecond: 1e12, linesPerSecond: 1e12 },
    onFull: options.onFull ?? 'drop',
    isResumable: options.isResumable ?? false,
    livesWithLog: options.livesWithLog ?? false,
    ...{ state: options.state, secrets: options.secrets, rewrites: options.rewrites },
    delivery: {
      queue,
      states,
      counters: new Counters(),
      isLocal: options.isLocal ?? false,
      sender: createSender(options),
    },
    clock,
    report: { error: say, warn: say, info: say, debug: () => undefined },
  });
  const offsets = { stdout: 0, stderr: 0 };
  const open = (name: Stream): StreamWriter => {
    const restored = pipeline.restoredStreams.find((stream) => stream.name === name);
    offsets[name] = Number(restored?.checkpoint ?? 0);
    return pipeline.openStream(name, (unread) => String(offsets[name] - unread), restored);
  };
  const streams = options.opensStreams === false ? undefined : { stdout: open('stdout'), stderr: open('stderr') };
  const text = (): string => {
    pipeline.commit();
    return Buffer.concat(records.map(({ bytes }) => bytes)).toString();
  };
  return {
    pipeline,
    clock,
    queue,
    states,
    records,
    said,
    offsets,
    write(stream, text) {
      const bytes = Buffer.from(text);
      offsets[stream] += bytes.length;
      return streams?.[stream].write(bytes) ?? Promise.resolve();
    },
    end() {
      streams?.stdout.end();
      streams?.stderr.end();
      pipeline.close();
    },
    text,
    stored: createReader(pipeline, records),
  };
}

/** Reads what is stored; parses each record once, however often it is asked. */
function createReader(pipeline: JobPipeline, records: readonly QueueRecord[]): () => Point[] {
  const points = new StoredPoints();
  let parsedRecords = 0;
  return () => {
    pipeline.commit();
    const newer = records.slice(parsedRecords);
    parsedRecords += newer.length;
    points.write(Buffer.concat(newer.map(({ bytes }) => bytes)).toString());
    return points.list();
  };
}

function createSender({ isMoving }: PipelineOptions): JobPipelineOptions['delivery']['sender'] {
  return {
    get isMoving() {
      return isMoving?.() ?? false;
    },
  };
}

/** A queue in memory that remembers all its records: copies, as the memory of those that were sent is used again. */
function createRecordingQueue({ queueBytes = 2 ** 30, isLocal, relief }: PipelineOptions): {
  queue: PointQueue;
  records: QueueRecord[];
} {
  const queue = new MemoryQueue(queueBytes);
  Object.defineProperty(queue, 'relief', { get: relief ?? (() => (isLocal === true ? 'sending' : undefined)) });
  const records: QueueRecord[] = [];
  const append = queue.append.bind(queue);
  queue.append = (record) => {
    const isTaken = append(record);
    if (isTaken) records.push({ ...record, bytes: Buffer.from(record.bytes) });
    return isTaken;
  };
  return { queue, records };
}
