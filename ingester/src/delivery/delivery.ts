import { ok, type Result } from '@joblens/core/result/result';
import type { Clock } from '../clock/clock.js';
import { formatPoints } from '../host/format-points.js';
import type { SpoolRole } from '../spool/writer-name.js';
import type { OpenJob } from '../spool/open-job.js';
import { Counters } from './counters.js';
import { sendLeftovers } from './leftovers.js';
import { MemoryQueue } from '../queue/memory-queue.js';
import type { PointQueue } from '../queue/point-queue.js';
import type { Sender } from './sender.js';
import { openSending, type Sending, type SendingOptions } from './sending.js';
import { formatDestination } from '../config/format-destination.js';
import type { SpoolPlaceOptions } from './spool-place.js';
import { StateRegistry } from '../queue/state-registry.js';
import type { KnownRewrites } from '../sinks/influxdb/ask-rewrites.js';

/** How long unsent points are waited for at the end while the store takes none: they are on disk. */
const AWAY_PATIENCE_MS = 500;
const HEALTH_STEP_MS = 50;

export interface DeliveryOptions extends SendingOptions, SpoolPlaceOptions {
  /**
   * The source of the points: one job, the files that a daemon follows, or other programs. A daemon continues with the
   * states of the last one. Points that jobs left are sent by any process.
   */
  readonly role: SpoolRole;
  readonly bufferBytes: number;
}

/** Takes the points of all jobs of this process to the destination: a queue, and the sender that empties it. */
export interface Delivery {
  readonly queue: PointQueue;
  readonly sender: Pick<Sender, 'isMoving'>;
  readonly sending: Pick<Sending, 'isHealthy' | 'rejectedPoints' | 'status'>;
  readonly counters: Counters;
  /** The sources whose states are kept with their points. */
  readonly states: StateRegistry;
  /** The states left by the process before: for each key the whole value, then its changes. */
  readonly restored: ReadonlyMap<string, readonly string[]>;
  /** Whether the store keeps the newer of two points of one series and time, as far as is known. */
  readonly rewrites: KnownRewrites['rewrites'];
  /** The name of the destination in messages. */
  readonly destinationName: string;
  /** The destination is a file or pipe of this machine, not a server that may be away. */
  readonly isLocal: boolean;
  /** Remembers a job that has not ended, in case this process is killed. `undefined`: the job's end is queued. */
  noteJob(job: OpenJob | undefined): void;
  /** Sends the rest for a bounded time, and reports unsent points. Returns whether everything was sent. */
  close(timeoutMs: number): Promise<boolean>;
}

/** spool → (splitting → retrying → one request each), or memory → a file. The error is one line for the user. */
export async function openDelivery(options: DeliveryOptions): Promise<Result<Delivery, string>> {
  const { destination, report } = options;
  const opening = await openSending(options);
  if (!opening.ok) return opening;
  const sending = opening.value;
  const states = new StateRegistry();
  const opened = await openQueue(options, states);
  if (!opened.ok) return opened;
  const { queue, restored, isDurable, noteJob } = opened.value;
  const sender = sending.start(queue);
  const known = await openRewrites(options);
  const isLocal = destination.kind !== 'influxdb';
  const leftovers =
    destination.kind === 'influxdb' && isDurable
      ? sendLeftovers({
          ...options,
          connection: destination.connection,
          sending,
          roles: options.role === 'serve' ? ['job', 'serve'] : ['job'],
        })
      : undefined;

  return ok({
    ...{ queue, sender, sending, states, restored, isLocal, destinationName: formatDestination(destination) },
    ...{ counters: new Counters(), noteJob, rewrites: known.rewrites },
    async close(timeoutMs) {
      known.stop();
      const drained = new AbortController();
      const away = new AbortController();
      // What waits in a spool is not lost, so a store that is away does not keep the job from its end.
      if (isDurable) void untilAway(options.clock, sending, drained.signal).then(() => away.abort());
      await sender.drain(timeoutMs, [away.signal]).finally(() => drained.abort());
      await leftovers?.stop();
      await queue.close();
      const left = queue.waitingPoints;
      if (left > 0) report.error(describeLeft(left, options, isDurable));
      await sending.close();
      return left === 0 && !queue.hasLost;
    },
  });
}

/** A file keeps all versions of a point in their order. */
async function openRewrites({ destination, clock }: DeliveryOptions): Promise<KnownRewrites> {
  if (destination.kind !== 'influxdb') return { rewrites: () => true, stop: () => undefined };
  const { askRewrites } = await import('../sinks/influxdb/ask-rewrites.js');
  return askRewrites(destination.connection, clock);
}

/** Resolves when the store has been away for a while without a break, or when the signal is aborted. */
async function untilAway(clock: Clock, sending: Pick<Sending, 'isHealthy'>, signal: AbortSignal): Promise<void> {
  for (let awayMs = 0; awayMs < AWAY_PATIENCE_MS && !signal.aborted;) {
    await clock.sleep(HEALTH_STEP_MS, signal);
    awayMs = sending.isHealthy ? 0 : awayMs + HEALTH_STEP_MS;
  }
}

interface OpenedQueue {
  readonly queue: PointQueue;
  readonly restored: Delivery['restored'];
  /** Whether its points outlive the process. */
  readonly isDurable: boolean;
  readonly noteJob: Delivery['noteJob'];
}

/**
 * Opens the queue. A file of this machine needs no spool in front of it. A job is logged even where there is no room
 * for a spool.
 */
async function openQueue(options: DeliveryOptions, states: StateRegistry): Promise<Result<OpenedQueue, string>> {
  const { destination, spool } = options;
  if (destination.kind !== 'influxdb') {
    return ok(openMemory(options));
  }
  const { createSpoolPlace, formatSpoolDestination, openSpool } = await import('./spool-place.js');
  const opened = await openSpool({
    ...createSpoolPlace(options),
    role: options.role,
    destination: formatSpoolDestination(destination.connection),
    maxBytes: spool.maxBytes,
    sources: states,
  });
  if (opened.ok) {
    const { value: queue } = opened;
    return ok({ queue, restored: queue.states, isDurable: true, noteJob: (job) => queue.noteJob(job) });
  }
  // Without its states a daemon would log everything again, and points confirmed to a sender could be lost.
  if (options.role !== 'job') return opened;
  options.report.warn(`${opened.error}; until then points wait in memory, and are lost with this process`);
  return ok(openMemory(options));
}

function openMemory({ bufferBytes }: DeliveryOptions): OpenedQueue {
  const queue = new MemoryQueue(bufferBytes);
  return { queue, restored: new Map(), isDurable: false, noteJob: () => undefined };
}

function describeLeft(left: number, { destination, spool }: DeliveryOptions, isDurable: boolean): string {
  const tried = `could not send ${formatPoints(left)} to ${formatDestination(destination)}`;
  if (!isDurable) return `${tried}: lost, as no spool keeps what waits`;
  return `${tried}: the next joblens, or \`joblens drain\`, sends what waits in ${spool.root}`;
}
