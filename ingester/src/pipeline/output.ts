import type { Result } from '@joblens/core';
import { ok } from '@joblens/core';
import type { Clock } from '../clock/clock.js';
import type { Destination } from '../config/settings.js';
import type { FdWriter } from '../fd-writer.js';
import type { Reporter } from '../report.js';
import { createDeadLetters } from '../sinks/dead-letters.js';
import { createFdSink, openFileSink } from '../sinks/file/file-sink.js';
import { createRetryingSink } from '../sinks/retrying-sink.js';
import type { Sink } from '../sinks/sink.js';
import { createSplittingSink } from '../sinks/splitting-sink.js';
import { createMemoryQueue } from './memory-queue.js';
import type { PointQueue } from './point-queue.js';
import type { Sender } from './queue-sender.js';
import { startSender } from './queue-sender.js';
import { StateRegistry } from './state-registry.js';

export interface OutputOptions {
  readonly destination: Destination;
  readonly bufferBytes: number;
  /** Where points that the store rejects are kept. */
  readonly rejectedPath: string;
  readonly stdout: FdWriter;
  readonly clock: Clock;
  readonly random: () => number;
  readonly report: Reporter;
}

/** Where the points of all jobs of this process go: a queue, and what empties it. */
export interface Output {
  readonly queue: PointQueue;
  readonly sender: Pick<Sender, 'isMoving'>;
  /** Whose state is kept with their points. */
  readonly states: StateRegistry;
  /** A file or pipe of this machine, not a server that may be away. */
  readonly isLocal: boolean;
  /** Sends what is left, for a bounded time, and says what was not sent. Returns whether everything was. */
  close(timeoutMs: number): Promise<boolean>;
}

/** queue → (splitting → retrying → one request each) or a file. The error is one line for the user. */
export async function openOutput(options: OutputOptions): Promise<Result<Output, string>> {
  const { destination, clock, report } = options;
  const base = await openSink(options);
  if (!base.ok) return base;

  let isHealthy = true;
  const onHealth = (state: boolean): void => void (isHealthy = state);
  const rejected = createDeadLetters(options.rejectedPath, report);
  const retrying = createRetryingSink(base.value, { clock, random: options.random, report, onHealth });
  const sink = createSplittingSink(retrying, (point, reason) => rejected.keep(point, reason));
  const queue = createMemoryQueue(options.bufferBytes);
  const states = new StateRegistry();
  const onFailure = (error: unknown): void => report.error(`sending points failed: ${describeError(error)}`);
  const sender = startSender({ queue, sink, clock, isHealthy: () => isHealthy, onFailure });

  return ok({
    queue,
    sender,
    states,
    isLocal: destination.kind !== 'influxdb',
    async close(timeoutMs) {
      const left = await sender.drain(timeoutMs);
      await queue.close();
      if (left > 0) {
        report.error(
          `${left} points were not sent to ${nameOf(destination)} within ${timeoutMs / 1000} s and are lost`
        );
      }
      if (rejected.count > 0)
        report.warn(`${rejected.count} points were rejected; they are in ${options.rejectedPath}`);
      return left === 0;
    },
  });
}

async function openSink({ destination, stdout, clock }: OutputOptions): Promise<Result<Sink, string>> {
  switch (destination.kind) {
    case 'file':
      return openFileSink(destination.path);
    case 'stdout':
      return ok(createFdSink(stdout));
    case 'influxdb': {
      // Loaded only where it is used: the command must start fast.
      const { createInfluxdbSink } = await import('../sinks/influxdb/influxdb-sink.js');
      return ok(createInfluxdbSink(destination.connection, () => clock.nowMs()));
    }
  }
}

function nameOf(destination: Destination): string {
  switch (destination.kind) {
    case 'file':
      return destination.path;
    case 'stdout':
      return 'standard output';
    case 'influxdb':
      return `InfluxDB at ${destination.connection.url}`;
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
