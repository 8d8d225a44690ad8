import type { PointRowRules } from '@joblens/core/metadata/point-row';
import { isLoopback, type ListenAddress } from '../../net/listen.js';
import { serveHealth } from '../../operate/serve-health.js';
import type { Delivery } from '../../delivery/delivery.js';
import type { SessionOptions } from '../../session/session-options.js';
import { openConfiguredDelivery } from '../../session/session.js';
import { SourceFaults } from '../guard/source-faults.js';
import { startHttpReceiver } from './http-receiver.js';
import { DEFAULT_MAX_TABLES } from '../../rules/tables/metadata-tables.js';
import { InvalidLines } from './invalid-lines.js';
import { MadeRows } from './made-rows.js';
import { PointIntake } from './point-intake.js';
import type { Receiver, ReceiverOptions } from './receiver.js';
import { startTcpReceiver } from './tcp-receiver.js';
import { startUdpReceiver } from './udp-receiver.js';

/** Nothing is received where an address is undefined. */
interface ServeOptions extends SessionOptions {
  readonly http: ListenAddress | undefined;
  readonly udp: ListenAddress | undefined;
  readonly tcp: ListenAddress | undefined;
  /** The address of /health and /metrics; undefined: none. */
  readonly health: ListenAddress | undefined;
  /** Integers and booleans are stored as such. */
  readonly keepsTypes: boolean;
  /** The token that HTTP requests must show; undefined: none. */
  readonly token: string | undefined;
  /** Which points are rows of a job as well. */
  readonly rowRules: PointRowRules;
  /** Names of databases or buckets that clients may give besides that of the destination; `any`: all. */
  readonly databases: readonly string[];
  /** Host names that clients use besides this machine's own. */
  readonly allowedHosts: readonly string[];
}

/** Receives line protocol until SIGINT or SIGTERM. Returns the exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  const { host, settings, report } = options;
  const { clock } = host;
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.onSignal(signal, () => stop.abort());
  const delivery = await openConfiguredDelivery(options, 'serve');
  if (delivery === undefined) return 1;

  const faults = new SourceFaults(delivery.counters, report, () => host.clock.monotonicMs());
  // What nobody waits for, in a timer or a socket, must not end the service for all senders.
  const removeFaults = host.onFault((error) => faults.note('a step beside the receivers', error));
  const invalidLines = new InvalidLines(settings.rejectedPath, delivery.counters, report);
  const { rowRules: rules, keepsTypes } = options;
  const rows = new MadeRows({
    delivery,
    clock,
    report,
    faults,
    rules,
    maxTables: settings.limits.maxTables ?? DEFAULT_MAX_TABLES,
  });
  const intake = new PointIntake({ delivery, clock, invalidLines, faults, keepsTypes, rows });
  const receivers = await startReceivers(options, delivery, { intake, clock, report });
  if (receivers !== undefined) {
    const where = receivers.map(({ name }) => name).join(', ');
    report.info(`receiving line protocol on ${where}, writing to ${delivery.destinationName}`);
    const health = await serveHealth(options, options.health, { delivery, jobs: () => rows.jobs });
    await stopped;
    await Promise.all(receivers.map((receiver) => receiver.close()));
    rows.close();
    await invalidLines.close();
    const isSent = await delivery.close(settings.options.drainTimeoutMs);
    await health?.close();
    removeFaults();
    return isSent ? 0 : 1;
  }
  await delivery.close(0);
  removeFaults();
  return 1;
}

/** Starts all receivers of the settings, or none and reports why: a sender that finds no receiver loses its points. */
async function startReceivers(
  { http, udp, tcp, token, allowedHosts, databases, settings: { destination } }: ServeOptions,
  { counters }: Delivery,
  options: ReceiverOptions
): Promise<readonly Receiver[] | undefined> {
  const bucket = destination?.kind === 'influxdb' ? destination.connection.bucket : undefined;
  const started = await Promise.all([
    ...(http === undefined
      ? []
      : [
          startHttpReceiver(http, {
            ...options,
            rules: { bucket, databases, token, allowedHosts, isLocal: isLoopback(http) },
          }),
        ]),
    ...(udp === undefined ? [] : [startUdpReceiver(udp, { ...options, counters })]),
    ...(tcp === undefined ? [] : [startTcpReceiver(tcp, options)]),
  ]);
  const receivers = started.flatMap((result) => (result.ok ? [result.value] : []));
  if (receivers.length === started.length) return receivers;
  for (const result of started) if (!result.ok) options.report.error(result.error);
  await Promise.all(receivers.map((receiver) => receiver.close()));
  return undefined;
}
