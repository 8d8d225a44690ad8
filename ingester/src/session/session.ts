import type { Destination, OptInSource, Settings } from '../config/settings.js';
import { createFdWriter } from '../host/fd-writer.js';
import type { Host } from '../host/host.js';
import { openPeers } from '../peers/open-peers.js';
import { JobPipeline } from '../pipeline/job-pipeline.js';
import type { Delivery, DeliveryOptions } from '../delivery/delivery.js';
import { openDelivery } from '../delivery/delivery.js';
import type { Reporter } from '../host/report.js';
import { DEFAULT_LOG_CONFIG } from '../rules/log-config.js';
import { createSecrets } from '../secrets/secrets.js';
import { readHostFacts } from '../host/host-facts.js';
import type { OptIn } from '../rules/read-opt-in.js';
import { readOptIn } from '../rules/read-opt-in.js';

/** One job that `run` or `pipe` logs. */
export interface Session {
  /** Undefined when nothing of the job's output is logged. */
  readonly pipeline: JobPipeline | undefined;
  /** Sends the rest, for a bounded time. Resolves to false if something that should have been logged was not. */
  close(): Promise<boolean>;
}

/** On a busy machine, the pipe that was written first may be read this much later than the other. */
const SETTLE_MS = 25;
const OFF: Session = { pipeline: undefined, close: () => Promise.resolve(true) };
const FAILED: Session = { pipeline: undefined, close: () => Promise.resolve(false) };

export interface SessionOptions {
  readonly settings: Settings;
  readonly host: Host;
  readonly report: Reporter;
}

/** Finds out whether the owner wants the job logged, and opens the destination. Reports in one line what is wrong. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { settings, host, report } = options;
  const optIn = await resolveOptIn(settings.optIn, host.uid);
  if (optIn.kind === 'absent') {
    reportAbsentOptIn(options);
    return OFF;
  }
  if (optIn.kind === 'invalid') report.error(optIn.message);
  const delivery = await openConfiguredDelivery(options);
  if (delivery === undefined) return FAILED;

  const config = optIn.kind === 'config' ? optIn.config : DEFAULT_LOG_CONFIG;
  const { source, limits } = settings;
  const pipeline = new JobPipeline({
    source,
    config,
    limits,
    onFull: settings.options.onFull === 'block' ? 'wait' : 'drop',
    delivery,
    clock: host.clock,
    report,
    secrets: createSecrets(settings.secrets),
    onState(state) {
      if (state !== 'RUNNING') return;
      const { job, user } = source;
      const { transitionOrigin: origin } = settings;
      delivery.noteJob({ job, user, state, sinceNs: String(host.clock.nextNs()), origin });
    },
    peers: openPeers(source, host, report),
    settleMs: SETTLE_MS,
    livesWithLog: true,
  });
  if (optIn.kind === 'invalid') {
    pipeline.addNotice('stdout', optIn.message);
    return { pipeline: undefined, close: () => closeAll(pipeline, delivery, settings).then(() => false) };
  }
  // One task reports it for all of them.
  report[settings.isLeader ? 'info' : 'debug'](
    `logging job ${source.job} of ${source.user}, mode ${config.mode}, to ${delivery.destinationName}`
  );
  return { pipeline, close: () => closeAll(pipeline, delivery, settings) };
}

/** `--mode` is an opt-in of its own; then no file is read. */
export function resolveOptIn(source: OptInSource, ownerUid: number): Promise<OptIn> {
  if (source.kind === 'file') return readOptIn(source.path, ownerUid);
  return Promise.resolve({ kind: 'config', config: { ...DEFAULT_LOG_CONFIG, mode: source.mode } });
}

/**
 * Opens the delivery that the settings name. Returns undefined, and reports one line, if they name none or it fails.
 */
export async function openConfiguredDelivery(
  options: SessionOptions,
  role: DeliveryOptions['role'] = 'job'
): Promise<Delivery | undefined> {
  const { settings, report } = options;
  const outcome = `nothing is ${role === 'serve' ? 'received' : 'logged'}`;
  if (settings.destination === undefined) {
    report.error(`${outcome}: nothing says where to write; set INFLUX_HOST, or give --url URL or --out FILE`);
    return undefined;
  }
  const delivery = await openDelivery(createDeliveryOptions(options, settings.destination, role));
  if (delivery.ok) return delivery.value;
  report.error(`${outcome}: ${delivery.error}`);
  return undefined;
}

export function createDeliveryOptions(
  { settings, host, report }: SessionOptions,
  destination: Destination,
  role: DeliveryOptions['role']
): DeliveryOptions {
  const { options, spool, rejectedPath } = settings;
  return {
    ...{ destination, role, bufferBytes: options.bufferBytes, spool, rejectedPath, report },
    hostFacts: () => readHostFacts(host.machine.pid, host.uid),
    stdout: createFdWriter(host.stdoutFd, (message) => report.error(message)),
    clock: host.clock,
    random: host.random,
  };
}

async function closeAll(pipeline: JobPipeline, delivery: Delivery, { options }: Settings): Promise<boolean> {
  const { drainTimeoutMs } = options;
  await pipeline.untilQueued(drainTimeoutMs);
  pipeline.close();
  delivery.noteJob(undefined);
  const isSent = await delivery.close(drainTimeoutMs);
  return isSent && pipeline.droppedPoints === 0;
}

function reportAbsentOptIn({ settings: { optIn, isLeader, options }, report }: SessionOptions): void {
  if (optIn.kind !== 'file') return;
  const message = `nothing is logged: there is no ${optIn.path}`;
  // A user who names a file expects it to be there.
  if (optIn.isExplicit) report.warn(message);
  else
    report[options.quiet || !isLeader ? 'debug' : 'info'](
      `${message}; make it (empty is enough) or give --mode enabled`
    );
}
