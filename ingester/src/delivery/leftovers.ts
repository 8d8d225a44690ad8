import type { InfluxConnection } from '../sinks/influxdb/connection.js';
import type { SpoolRole } from '../spool/writer-name.js';
import { describeLostJob } from './lost-job.js';
import type { Sending } from './sending.js';
import type { SpoolPlaceOptions } from './spool-place.js';

interface LeftoverOptions extends SpoolPlaceOptions {
  readonly connection: InfluxConnection;
  readonly sending: Sending;
  readonly roles: readonly SpoolRole[];
}

export interface Leftovers {
  /** Resolves when everything is sent or `stop` was called. `sentPoints` includes rejected points. */
  readonly done: Promise<LeftoverResult>;
  stop(): Promise<void>;
}

interface LeftoverResult {
  readonly sentPoints: number;
  readonly leftPoints: number;
  /** Whether the spool could be read. */
  readonly isRead: boolean;
  /** Whether some of the leftovers could not be read. */
  readonly hasLost: boolean;
}

/**
 * Sends the points that dead processes left in the spool for this destination, while this process sends its own: they
 * belong to other jobs, or are older. Points not sent before `stop` wait for the next process.
 */
export function sendLeftovers(options: LeftoverOptions): Leftovers {
  const stopped = new AbortController();
  const done = send(options, stopped.signal);
  return {
    done,
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

async function send(options: LeftoverOptions, stopped: AbortSignal): Leftovers['done'] {
  const { connection, report, sending, roles } = options;
  const { adoptLeftovers, createSpoolPlace, formatSpoolDestination } = await import('./spool-place.js');
  const found = await adoptLeftovers(createSpoolPlace(options), {
    destination: formatSpoolDestination(connection),
    ...{ roles, stopped, describeLost: describeLostJob },
  });
  if (!found.ok) report.warn(found.error);
  let [sentPoints, leftPoints] = [0, 0];
  let hasLost = found.ok && found.value.hasLost;
  for (const queue of found.ok ? found.value.spools : []) {
    const foundPoints = queue.waitingPoints;
    const sender = sending.start(queue, { isComplete: true });
    await queue.untilFill(0, stopped);
    const left = await sender.drain(0);
    await queue.close();
    hasLost ||= queue.hasLost;
    leftPoints += left;
    sentPoints += foundPoints - left;
  }
  if (sentPoints > 0) report.info(`sent ${sentPoints} points that an earlier process had left in the spool`);
  return { sentPoints, leftPoints, isRead: found.ok, hasLost };
}
