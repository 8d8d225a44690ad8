import type { Destination, Settings } from '../config/settings.js';
import { createFdWriter } from '../host/fd-writer.js';
import { openPeers } from '../peers/open-peers.js';
import { JobPipeline } from '../pipeline/job-pipeline.js';
import { type Delivery, type DeliveryOptions, openDelivery } from '../delivery/delivery.js';
import { DEFAULT_LOG_CONFIG } from '../rules/options/log-config.js';
import { createSecrets } from '../secrets/secrets.js';
import { readHostFacts } from '../host/host-facts.js';
import type { SessionOptions } from './session-options.js';
import { type LoggingDecision, NO_DESTINATION } from './decide-logging.js';

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

/** Opens the destination, if the job is to be logged. Reports in one line what is wrong. */
export async function openSession(options: SessionOptions, optIn: LoggingDecision): Promise<Session> {
  const { settings, host, report } = options;
  if (optIn.kind === 'absent') return OFF;
  if (optIn.kind === 'no-destination') return FAILED;
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
    rewrites: delivery.rewrites,
    peers: openPeers(source, host, report),
    settleMs: SETTLE_MS,
    livesWithLog: true,
  });
  if (optIn.kind === 'invalid') {
    pipeline.addNotice('stdout', optIn.message);
    return { pipeline: undefined, close: () => closeAll(pipeline, delivery, settings).then(() => false) };
  }
  if (optIn.notice !== undefined && settings.isLeader) pipeline.addNotice('stdout', optIn.notice);
  return { pipeline, close: () => closeAll(pipeline, delivery, settings) };
}

/**
 * Opens the delivery that the settings name. Returns undefined, and reports one line, if they name none or it fails.
 * `done`: what is then not done, in that line.
 */
export async function openConfiguredDelivery(
  options: SessionOptions,
  role: DeliveryOptions['role'] = 'job',
  done = role === 'serve' ? 'received' : 'logged'
): Promise<Delivery | undefined> {
  const { settings, report } = options;
  const outcome = `nothing is ${done}`;
  if (settings.destination === undefined) {
    report.error(`${outcome}: ${NO_DESTINATION}`);
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
