import type { Clock } from '../clock/clock.js';
import type { ThroughputLimits } from '../config/settings.js';
import type { Counters } from '../delivery/counters.js';
import type { JobLog } from '../rules/job-log.js';
import { contain, containStep } from '../rules/writing/fault-keeper.js';
import { CommandOrder } from './command-order.js';
import type { JobFaults } from './job-faults.js';
import type { JobStream, RestorableWriter } from './job-stream.js';
import type { JobStreams } from './job-streams.js';
import type { PeerCommands } from './peer-commands.js';
import type { RecordCommitter } from './record-committer.js';
import { countLines, createTokenBucket, type TokenBucket } from './token-bucket.js';

/** The most output of all jobs together that waits to be rendered: each of thousands of jobs may hold only a little. */
const MAX_ARRIVED_BYTES_OF_ALL = 2 * 1024 * 1024;

interface OutputIntakeOptions {
  readonly settleMs: number;
  readonly clock: Clock;
  readonly log: JobLog;
  readonly streams: JobStreams;
  readonly faults: JobFaults;
  readonly peers: PeerCommands;
  readonly committer: RecordCommitter;
  readonly counters: Counters;
  readonly limits: ThroughputLimits;
  readonly stopped: AbortSignal;
  /** The state keeps the place where a stream ended. */
  readonly isResumable: boolean;
  /** Called when the job has new points or another state. */
  readonly afterChange: () => void;
}

/** Takes the bytes of a job's sources to its streams: in the order of their printing, and no faster than is allowed. */
export class OutputIntake {
  readonly #options: OutputIntakeOptions;
  readonly #order: CommandOrder;
  readonly #bucket: TokenBucket;
  #isOnItsWay = (): boolean => false;

  constructor(options: OutputIntakeOptions) {
    const { settleMs, clock, streams, peers } = options;
    this.#options = options;
    this.#order = new CommandOrder({
      ...{ settleMs, clock, isOnItsWay: () => this.#isOnItsWay() },
      hasOthers: () => streams.openCount > 1 || peers.hasPeers,
    });
    this.#bucket = createTokenBucket(options.limits, () => clock.monotonicMs());
  }

  /** `isOnItsWay` tells whether printed output is known that was not written here yet. */
  expect(isOnItsWay: () => boolean): void {
    this.#isOnItsWay = isOnItsWay;
  }

  /** Ends all waits for the order of output. */
  release(): void {
    this.#order.release();
  }

  createWriter(stream: JobStream): RestorableWriter {
    const { streams, faults, isResumable, afterChange } = this.#options;
    const end = (isKept: boolean): void => {
      streams.end(stream, isKept);
      this.#order.releaseIfAlone();
      afterChange();
    };
    return {
      write: async (bytes) => {
        await this.#pass(stream, asBuffer(bytes));
        await containStep(faults, () => this.#slowDown(bytes));
      },
      end: () => end(isResumable),
      forget: () => end(false),
    };
  }

  /** Adds output in its turn; where that cannot be found out, now. */
  async #pass(stream: JobStream, bytes: Buffer): Promise<void> {
    const { clock, faults } = this.#options;
    const readMs = clock.monotonicMs();
    let added = 0;
    const add = (part: Buffer, isUrgent: boolean): void => {
      added += part.length;
      this.#add(stream, part, { readMs, isUrgent });
    };
    await containStep(faults, () => this.#order.pass(bytes, add));
    if (added < bytes.length) add(bytes.subarray(added), false);
  }

  #add(stream: JobStream, bytes: Buffer, { readMs, isUrgent }: { readMs: number; isUrgent: boolean }): void {
    const { log, streams, faults, committer, counters, afterChange } = this.#options;
    contain(faults, () => log.noteSign());
    // Where there were too many faults, only the place in the source is kept.
    if (!faults.areTooMany) contain(faults, () => streams.add(stream, bytes, readMs));
    afterChange();
    // Urgent bytes have waited already, or other streams wait for a command in them.
    if (isUrgent || counters.arrivedBytes >= MAX_ARRIVED_BYTES_OF_ALL) committer.commit();
  }

  /** Resolves when the source may read on, which depends on the job's throughput limits and the room in the queue. */
  async #slowDown(bytes: Uint8Array): Promise<void> {
    const { clock, counters, committer, stopped } = this.#options;
    const lines = countLines(bytes);
    counters.outputBytes += bytes.length;
    counters.outputLines += lines;
    const delayMs = this.#bucket.take(bytes.length, lines);
    if (delayMs > 0) await clock.sleep(delayMs, stopped);
    await committer.untilWelcome();
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
