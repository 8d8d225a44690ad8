import { ok, type Result } from '@joblens/core/result/result';
import type { Clock } from '../clock/clock.js';
import { Waiters } from '../clock/waiters.js';
import type { Destination } from '../config/settings.js';
import type { FdWriter } from '../host/fd-writer.js';
import type { Reporter } from '../host/report.js';
import { formatPoints } from '../host/format-points.js';
import { createDeadLetters } from '../sinks/dead-letters.js';
import { createFdSink, openFileSink } from '../sinks/file/file-sink.js';
import { createRetryingSink } from '../sinks/retrying-sink.js';
import type { Sink, WriteRetryable } from '../sinks/sink.js';
import { SplittingSink } from '../sinks/splitting-sink.js';
import { createCountingSink, type SendStatus } from './counting-sink.js';
import type { PointQueue } from '../queue/point-queue.js';
import { type Sender, startSender } from './sender.js';

export interface SendingOptions {
  readonly destination: Destination;
  /** The file of the points that the store rejects. */
  readonly rejectedPath: string;
  readonly stdout: FdWriter;
  readonly clock: Clock;
  readonly random: () => number;
  readonly report: Reporter;
}

/** A request to a server takes longer than a write to a file of this machine. */
const SLOW_REQUEST_MS = 10_000;
const STOPPED: WriteRetryable = {
  ...{ kind: 'retryable', message: 'sending was stopped', isHeld: false, isCutShort: true },
};

/** Sends to one destination: splitting → retrying → one request each, or a file. */
export interface Sending {
  /**
   * Sends the points of a queue; `isComplete`: nothing more comes into it. Several queues may be sent at once, but none
   * of them in two requests at once.
   */
  start(queue: PointQueue, options?: { readonly isComplete: boolean }): Sender;
  /** False while the store cannot be reached or takes nothing. */
  readonly isHealthy: boolean;
  readonly rejectedPoints: number;
  readonly status: SendStatus;
  /** Call it after all senders have drained. */
  close(): Promise<void>;
}

/** The error is one line for the user. */
export async function openSending(options: SendingOptions): Promise<Result<Sending, string>> {
  const { clock, random, report, rejectedPath } = options;
  const base = await openSink(options);
  if (!base.ok) return base;
  let isHealthy = true;
  const onHealth = (state: boolean): void => void (isHealthy = state);
  const rejected = createDeadLetters({ path: rejectedPath, report });
  const counting = createCountingSink(base.value);
  const retrying = createRetryingSink(counting.sink, { clock, random, report, onHealth });
  // A file takes batches of any size.
  const sink =
    options.destination.kind === 'influxdb'
      ? new SplittingSink(retrying, (point, reason) => rejected.keep([{ point, reason }]), {
          monotonicMs: () => clock.monotonicMs(),
        })
      : retrying;
  const shared = shareSink(sink);
  const onFailure = (error: unknown): void =>
    report.error(`sending points failed: ${error instanceof Error ? error.message : String(error)}`);
  return ok({
    status: counting.status,
    start: (queue, { isComplete } = { isComplete: false }) =>
      startSender({
        ...{ sink: shared, queue, isComplete, clock, isHealthy: () => isHealthy, onFailure },
        ...(options.destination.kind === 'influxdb' && { slowBatchMs: SLOW_REQUEST_MS }),
      }),
    get isHealthy() {
      return isHealthy;
    },
    get rejectedPoints() {
      return rejected.count;
    },
    async close() {
      await sink.close();
      if (rejected.count > 0) report.warn(`the store rejected ${formatPoints(rejected.count)}: see ${rejectedPath}`);
    },
  });
}

/** Shares a sink among several senders: one batch at a time, and none of them closes it. */
function shareSink(sink: Sink): Sink {
  const waiters = new Waiters();
  /** The first one writes. */
  const turns: object[] = [];
  return {
    async write(batch, signal) {
      const turn = {};
      turns.push(turn);
      try {
        // A store that is away keeps another sender's batch as long as that sender wants, so the wait can be ended.
        await waiters.until(() => turns[0] === turn, signal);
        return signal.aborted ? STOPPED : await sink.write(batch, signal);
      } finally {
        turns.splice(turns.indexOf(turn), 1);
        waiters.wake();
      }
    },
    prepare: (batch) => sink.prepare?.(batch),
    close: () => Promise.resolve(),
  };
}

async function openSink({ destination, stdout, clock }: SendingOptions): Promise<Result<Sink, string>> {
  switch (destination.kind) {
    case 'file':
      return openFileSink(destination.path);
    case 'stdout':
      return ok(createFdSink(stdout));
    case 'influxdb': {
      // Loaded only where it is used, because the command must start fast.
      const { createInfluxdbSink } = await import('../sinks/influxdb/influxdb-sink.js');
      return ok(createInfluxdbSink(destination.connection, clock));
    }
  }
}
