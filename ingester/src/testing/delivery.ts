import { MemoryQueue } from '../queue/memory-queue.js';
import type { BatchLimits } from '../queue/point-queue.js';
import { startSender } from '../delivery/sender.js';
import { createDeadLetters } from '../sinks/dead-letters.js';
import { createInfluxdbSink } from '../sinks/influxdb/influxdb-sink.js';
import { createRetryingSink } from '../sinks/retrying-sink.js';
import { SplittingSink } from '../sinks/splitting-sink.js';

export interface DeliveryOptions {
  readonly url: string;
  readonly rejectedPath: string;
  readonly timeoutMs: number;
  readonly limits?: BatchLimits;
  /** The longest real time of a wait before the next attempt. The clock shows the whole wait all the same. */
  readonly maxSleepMs?: number;
}

/** The way out as the command has it: queue → sender → splitting → retrying → one request each. */
export interface Delivery {
  readonly said: readonly string[];
  /** The time, with the skipped parts of the waits. */
  monotonicMs(): number;
  readonly waitingPoints: number;
  /** Puts points, each with its newline, into the queue as one record. */
  append(text: string, points: number): void;
  /** Sends what waits; returns the number of points left after the time. */
  finish(timeoutMs: number): Promise<number>;
}

export function startDelivery({ url, rejectedPath, timeoutMs, limits, maxSleepMs = 1 }: DeliveryOptions): Delivery {
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const report = { error: say, warn: say, info: say, debug: () => undefined };
  // Skipped sleep counts as time that has passed.
  let skippedMs = 0;
  const clock = {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now() + skippedMs,
    sleep: (delayMs: number) => {
      const sleptMs = Math.min(delayMs, maxSleepMs);
      skippedMs += delayMs - sleptMs;
      return new Promise<void>((resolve) => setTimeout(resolve, sleptMs));
    },
  };
  const rejected = createDeadLetters({ path: rejectedPath, report });
  const influxdb = createInfluxdbSink({ url, bucket: 'joblens', api: 'auto', timeoutMs }, clock);
  const retrying = createRetryingSink(influxdb, { clock, random: () => 0, report, onHealth: () => undefined });
  const sink = new SplittingSink(retrying, (point, reason) => rejected.keep([{ point, reason }]), {
    limits,
    monotonicMs: () => clock.monotonicMs(),
  });
  const queue = new MemoryQueue(1e9);
  const onFailure = (error: unknown): void => say(`failed: ${String(error)}`);
  const sender = startSender({ queue, sink, clock, isHealthy: () => true, onFailure });
  return {
    ...{ said, monotonicMs: () => clock.monotonicMs() },
    get waitingPoints() {
      return queue.waitingPoints;
    },
    append: (text, points) => void queue.append({ bytes: Buffer.from(text), points, states: [], isUrgent: false }),
    finish: (drainMs) => sender.drain(drainMs),
  };
}
