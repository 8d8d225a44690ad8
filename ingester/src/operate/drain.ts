import { formatDestination, openSending } from '../pipeline/sending.js';
import { sendLeftovers } from '../pipeline/leftovers.js';
import { createSpoolPlace, formatSpoolDestination, listSpools } from '../pipeline/spool-place.js';
import type { SessionOptions } from '../session.js';
import { createOutputOptions } from '../session.js';

/**
 * Sends what dead processes have left in the spool, as long as the store takes it; says what else waits there. Returns the exit code: 1 when
 * points are left.
 */
export async function drain(options: SessionOptions): Promise<number> {
  const { settings, host, report } = options;
  const { destination, spool } = settings;
  if (destination?.kind !== 'influxdb') {
    report.error('nothing was sent: nothing says where to; set INFLUX_HOST or give --url URL');
    return 1;
  }
  const outputOptions = createOutputOptions(options, destination, 'job');
  const sending = await openSending(outputOptions);
  if (!sending.ok) {
    report.error(sending.error);
    return 1;
  }
  const { connection } = destination;
  const leftovers = sendLeftovers({ ...outputOptions, connection, sending: sending.value, roles: ['job', 'watch'] });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) host.onSignal(signal, () => stop.abort());
  const isOver = leftovers.done.then(() => true);
  let awaySinceMs: number | undefined;
  while (!(await Promise.race([isOver, host.clock.sleep(200, stop.signal).then(() => false)]))) {
    const nowMs = host.clock.nowMs();
    awaySinceMs = sending.value.isHealthy ? undefined : (awaySinceMs ?? nowMs);
    const isAway = awaySinceMs !== undefined && nowMs - awaySinceMs >= settings.drainTimeoutMs;
    if (isAway || stop.signal.aborted) await leftovers.stop();
  }
  await sending.value.close();
  const { sentPoints, leftPoints } = await leftovers.done;
  host.writeStdout(`sent ${sentPoints} points to ${formatDestination(destination)}; ${leftPoints} are left\n`);
  await listOthers(options);
  return leftPoints === 0 ? 0 : 1;

  async function listOthers({ host: { writeStdout } }: SessionOptions): Promise<void> {
    const own = JSON.stringify(Object.fromEntries(Object.entries(formatSpoolDestination(connection)).sort()));
    for (const found of await listSpools(createSpoolPlace(outputOptions))) {
      if (found.waitingPoints === 0 || (!found.isAlive && found.destination === own)) continue;
      const whose = found.isAlive
        ? `of process ${found.writer.pid} on ${found.writer.hostName}, which sends them itself`
        : `for another destination: ${found.destination}`;
      writeStdout(`${found.waitingPoints} points in ${spool.root} ${whose}\n`);
    }
  }
}
