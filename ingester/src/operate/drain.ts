import type { InfluxConnection } from '../sinks/influxdb/connection.js';
import { type Leftovers, sendLeftovers } from '../delivery/leftovers.js';
import type { DeliveryOptions } from '../delivery/delivery.js';
import { openSending, type Sending } from '../delivery/sending.js';
import { formatDestination } from '../config/format-destination.js';
import { createSpoolPlace, formatSpoolDestination, listSpools } from '../delivery/spool-place.js';
import type { SessionOptions } from '../session/session-options.js';
import { createDeliveryOptions } from '../session/session.js';

/** How often to check whether the store is still away. */
const LOOK_MS = 100;

/**
 * Sends the points that dead processes left in the spool, for as long as the store takes them, and lists the points
 * that wait for other destinations. Returns the exit code: 1 when points are left or could not be read.
 */
export async function drain(options: SessionOptions): Promise<number> {
  const { settings, host, report } = options;
  const { destination, spool } = settings;
  if (destination?.kind !== 'influxdb') {
    report.error('nothing was sent: nothing says where to; set INFLUX_HOST or give --url URL');
    return 1;
  }
  const outputOptions = createDeliveryOptions(options, destination, 'job');
  const opened = await openSending(outputOptions);
  if (!opened.ok) {
    report.error(opened.error);
    return 1;
  }
  const sending = opened.value;
  const { connection } = destination;
  // The result goes to standard output, so messages about progress are not needed.
  const quiet = { ...report, info: report.debug.bind(report) };
  const leftovers = sendLeftovers({
    ...outputOptions,
    report: quiet,
    connection,
    sending,
    roles: ['job', 'watch', 'serve'],
  });
  const { sentPoints, leftPoints, isRead, hasLost } = await waitFor(leftovers, sending, options);
  await sending.close();
  if (!isRead) return 1;

  const where = formatDestination(destination);
  const isNothing = sentPoints === 0 && leftPoints === 0 && !hasLost;
  host.writeStdout(
    isNothing
      ? `nothing waits in ${spool.root} for ${where}, bucket ${connection.bucket}\n`
      : `sent ${sentPoints - sending.rejectedPoints} points to ${where}; ${leftPoints} are left\n`
  );
  for (const line of await describeOthers(outputOptions, connection)) host.writeStdout(`${line}\n`);
  return leftPoints === 0 && !hasLost ? 0 : 1;
}

/** Waits until all is sent, the store has been away for too long, or a signal asks to stop. */
async function waitFor(
  leftovers: Leftovers,
  sending: Sending,
  { host, settings }: SessionOptions
): Promise<Awaited<Leftovers['done']>> {
  const stop = new AbortController();
  const removers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) =>
    host.onSignal(signal, () => stop.abort())
  );
  const isOver = leftovers.done.then(() => true);
  let healthyMs = host.clock.monotonicMs();
  while (!(await Promise.race([isOver, host.clock.sleep(LOOK_MS, stop.signal).then(() => false)]))) {
    const monotonicMs = host.clock.monotonicMs();
    if (sending.isHealthy) healthyMs = monotonicMs;
    if (stop.signal.aborted || monotonicMs - healthyMs >= settings.options.drainTimeoutMs) await leftovers.stop();
  }
  for (const remove of removers) remove();
  return leftovers.done;
}

/** Returns a line for each destination and each living process whose points this command leaves alone. */
async function describeOthers(options: DeliveryOptions, connection: InfluxConnection): Promise<string[]> {
  const own = describeDestination(JSON.stringify(formatSpoolDestination(connection)));
  const pointsWaiting = new Map<string, number>();
  for (const { isAlive, writer, destination, waitingPoints } of await listSpools(createSpoolPlace(options))) {
    const where = describeDestination(destination);
    if (waitingPoints === 0 || (where === own && !isAlive)) continue;
    const advice = isAlive
      ? `process ${writer.pid} on ${writer.hostName} is about to send them`
      : 'give that address and bucket to send them';
    const what = `${where}: ${advice}`;
    pointsWaiting.set(what, (pointsWaiting.get(what) ?? 0) + waitingPoints);
  }
  return [...pointsWaiting].map(([what, points]) => `${points} points wait for ${what}`);
}

/** `text` is a destination as the spool stores it, JSON. */
function describeDestination(text: string): string {
  const { url = '?', org, bucket = '?' } = JSON.parse(text) as { url?: string; org?: string; bucket?: string };
  return `InfluxDB at ${url}, bucket ${bucket}${org === undefined ? '' : `, organisation ${org}`}`;
}
