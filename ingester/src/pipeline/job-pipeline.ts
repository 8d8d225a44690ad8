import type { JobDescription, JobEvent, JobSource, Point, Stream } from '@joblens/core';
import { formatPoint, MEASUREMENT } from '@joblens/core';
import type { Clock } from '../clock/clock.js';
import { withDeadline } from '../clock/deadline.js';
import type { ConsoleRenderer } from '../render/console-renderer.js';
import { createConsoleRenderer } from '../render/console-renderer.js';
import type { Reporter } from '../report.js';
import { JobLog } from '../rules/job-log.js';
import type { LogConfig } from '../rules/log-config.js';
import type { StreamLog } from '../rules/stream-log.js';
import type { Output } from './output.js';
import type { ThroughputLimits, TokenBucket } from './token-bucket.js';
import { countLines, createTokenBucket } from './token-bucket.js';

/** How often rows and summaries that keep changing are looked at. */
const TICK_MS = 250;
/** Above this fill of the buffer a source waits while points still leave it. */
const HIGH_FILL = 0.5;
/** Below this fill logging goes on after the buffer was full. */
const RESUME_FILL = 0.9;
const ROOM_CHECK_MS = 250;

export interface JobPipelineOptions {
  readonly source: JobSource;
  readonly config: LogConfig;
  readonly limits: ThroughputLimits;
  /** Whether a source may wait for ever when the store is away (files can be read later), or goes on without logging. */
  readonly canWait: boolean;
  readonly output: Pick<Output, 'buffer' | 'sender'>;
  readonly clock: Clock;
  readonly report: Reporter;
}

interface OpenStream {
  readonly renderer: ConsoleRenderer;
  readonly log: StreamLog;
}

/** The way of one job's output: bytes → rendered rows → rules → points → buffer. The sender takes them on from there. */
export class JobPipeline {
  readonly #options: JobPipelineOptions;
  readonly #log: JobLog;
  readonly #bucket: TokenBucket;
  readonly #streams = new Set<OpenStream>();
  readonly #stop = new AbortController();
  #isTicking = false;
  /** Points that found no room since the last notice, and when the first of them did. */
  #dropped = 0;
  #droppedFromNs = 0n;
  #droppedTotal = 0;
  #hasSaidFault = false;

  constructor(options: JobPipelineOptions) {
    this.#options = options;
    const { source, config, clock } = options;
    this.#log = new JobLog({ source, config, clock, emit: (points) => this.#emit(points) });
    this.#bucket = createTokenBucket(options.limits, () => clock.nowMs());
  }

  /** A stream of the job. `write` resolves when the next bytes are welcome: a source that waits for it is slowed down. */
  openStream(stream: Stream): { write: (bytes: Uint8Array) => Promise<void>; end: () => void } {
    const open: OpenStream = { renderer: createConsoleRenderer(), log: this.#log.openStream(stream) };
    this.#streams.add(open);
    return {
      write: async (bytes) => {
        const rows = open.renderer.write(bytes);
        open.log.update(rows, open.renderer.firstRewritableId);
        this.#keepTicking();
        await this.#slowDown(bytes);
      },
      end: () => {
        open.log.update(open.renderer.end(), open.renderer.firstRewritableId);
        this.#log.closeStream(open.log);
        this.#streams.delete(open);
      },
    };
  }

  /** How many points found no room so far. */
  get droppedPoints(): number {
    return this.#droppedTotal;
  }

  describe(description: JobDescription): void {
    this.#log.describe(description);
  }

  addEvent(event: JobEvent): void {
    this.#log.addEvent(event);
  }

  addNotice(stream: Stream, text: string): void {
    this.#log.addNotice(stream, text);
  }

  /** No source waits any more: the process is about to end. */
  hurry(): void {
    this.#stop.abort();
  }

  /** Writes what is still to be written; all streams have ended. Says how many points found no room. */
  close(): void {
    this.hurry();
    this.#log.writeDue(true);
    this.#sayDropped();
    if (this.#droppedTotal > 0) {
      this.#options.report.error(
        `${this.#droppedTotal} points were not stored: the memory for waiting points was full`
      );
    }
  }

  /** What keeps changing is rewritten in place now and then, as long as something changes. */
  #keepTicking(): void {
    if (this.#isTicking || this.#stop.signal.aborted || !this.#isChanging()) return;
    this.#isTicking = true;
    void this.#options.clock.sleep(TICK_MS, this.#stop.signal).then(() => {
      this.#isTicking = false;
      if (this.#stop.signal.aborted) return;
      for (const { renderer, log } of this.#streams) log.update(renderer.takeChangedRows(), renderer.firstRewritableId);
      this.#log.writeDue();
      this.#keepTicking();
    });
  }

  #isChanging(): boolean {
    return this.#log.isDirty || [...this.#streams].some(({ renderer }) => renderer.hasChangedRows);
  }

  #emit(points: readonly Point[]): void {
    const [first] = points;
    if (first === undefined) return;
    this.#sayDropped();
    const isUrgent = first.measurement === MEASUREMENT.job || first.measurement === MEASUREMENT.event;
    const lines = this.#format(points);
    if (this.#options.output.buffer.append(lines, isUrgent)) return;
    if (this.#droppedTotal === 0) {
      this.#options.report.warn(
        'the memory for waiting points is full: output goes on, but is not logged until there is room'
      );
    }
    if (this.#dropped === 0) this.#droppedFromNs = this.#options.clock.nextNs();
    this.#dropped += lines.length;
    this.#droppedTotal += lines.length;
  }

  #format(points: readonly Point[]): string[] {
    try {
      return points.map(formatPoint);
    } catch (error) {
      if (!this.#hasSaidFault) {
        this.#hasSaidFault = true;
        this.#options.report.error(
          `a line cannot be stored: ${error instanceof Error ? error.message : String(error)}`
        );
      }
      return [];
    }
  }

  /** Once there is room again, the log says how much is missing before it goes on. */
  #sayDropped(): void {
    if (this.#dropped === 0 || this.#options.output.buffer.fill > RESUME_FILL) return;
    const count = this.#dropped;
    this.#dropped = 0;
    const text = `${count} points are missing here: the store could not take them and memory was full`;
    this.#log.addNotice('stdout', text, this.#droppedFromNs);
  }

  async #slowDown(bytes: Uint8Array): Promise<void> {
    const { clock, output, canWait } = this.#options;
    const delayMs = this.#bucket.take(bytes.length, countLines(bytes));
    if (delayMs > 0) await clock.sleep(delayMs, this.#stop.signal);
    while (output.buffer.fill > HIGH_FILL && (canWait || output.sender.isMoving) && !this.#stop.signal.aborted) {
      await withDeadline(ROOM_CHECK_MS, [this.#stop.signal], (signal) => output.buffer.untilFill(HIGH_FILL, signal));
    }
  }
}
