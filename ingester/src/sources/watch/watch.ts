import { resolve } from 'node:path';
import { serveHealth } from '../../operate/serve-health.js';
import type { Delivery } from '../../delivery/delivery.js';
import type { ListenAddress } from '../../net/listen.js';
import type { SessionOptions } from '../../session/session-options.js';
import { openConfiguredDelivery } from '../../session/session.js';
import type { FileDiscovery } from '../file-discovery.js';
import { fillJobPrefix, readCluster } from '../../config/job-prefix.js';
import { SourceFaults } from '../guard/source-faults.js';
import { createFileSystem } from './files/file-system.js';
import { FolderHints } from './discovery/folder-hints.js';
import { OtherLoggers } from '../writers/other-loggers.js';
import { shortHash } from '../writers/short-hash.js';
import { createAskStore } from '../../read-back/shell/ask-store.js';
import { findMissing } from './discovery/find-files.js';
import type { FindOwner } from './jobs/owner.js';
import { createPathDiscovery } from './discovery/path-discovery.js';
import { WatchedJobs } from './jobs/watched-jobs.js';
import { Watcher } from './watcher.js';

/** The time that the store has to say who else logs the jobs. */
const OTHERS_PATIENCE_MS = 2000;

interface WatchOptions extends SessionOptions {
  readonly paths: readonly string[];
  /** Files of stdout carry stderr, too. */
  readonly isMerged: boolean;
  /** Finds the files instead of the paths. */
  readonly createDiscovery?: ((delivery: Delivery, faults: SourceFaults) => FileDiscovery) | undefined;
  readonly findOwner: FindOwner;
  /** After this time without a change, the last line of a file counts as complete. */
  readonly quietTimeoutMs: number;
  /** Log what another joblens logs, too. */
  readonly isBeside: boolean;
  /** The address of /health and /metrics; undefined: none. */
  readonly health: ListenAddress | undefined;
}

/** Follows output files, including those that appear later, until SIGINT or SIGTERM. Returns the exit code. */
export async function watch(options: WatchOptions): Promise<number> {
  const { host, settings, report, paths, quietTimeoutMs } = options;
  const delivery = await openConfiguredDelivery(options, 'watch');
  if (delivery === undefined) return 1;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.onSignal(signal, () => stop.abort());

  const monotonicMs = (): number => host.clock.monotonicMs();
  const faults = new SourceFaults(delivery.counters, report, monotonicMs);
  // What nobody waits for, in a timer or a socket, must not end the log of everybody.
  const removeFaults = host.onFault((error) => faults.note('a step beside the jobs', error));
  const { user: typedUser } = settings.options;
  const jobs = new WatchedJobs({ ...options, delivery, faults, restored: delivery.restored, typedUser });
  const watcher = new Watcher({
    ...{ jobs, faults, report, findOwner: options.findOwner, clock: host.clock, random: host.random },
    quietTimeoutMs,
    others: createOthers(options),
    discovery:
      options.createDiscovery?.(delivery, faults) ??
      createPathDiscovery({
        warn: (message) => report.warn(message),
        faults,
        paths,
        isMerged: options.isMerged,
        typedJob: settings.options.job,
        jobPrefix: fillJobPrefix(settings.options.jobPrefix, readCluster(host.environment)),
        monotonicMs,
      }),
    fileSystem: createFileSystem(),
    createHints: (onHint) => new FolderHints(onHint, monotonicMs, (message) => report.debug(message)),
  });
  stop.signal.addEventListener('abort', () => jobs.hurry());
  await sayWhat(options, delivery.destinationName);
  const health = await serveHealth(options, options.health, { delivery, jobs: () => jobs.loggedJobs });
  await watcher.run(stop.signal);
  await watcher.close(!delivery.isLocal);
  await jobs.suspend();
  const isSent = await delivery.close(settings.options.drainTimeoutMs);
  await health?.close();
  removeFaults();
  return isSent ? 0 : 1;
}

/** A file of this machine cannot be asked. */
function createOthers({ settings, host, report, isBeside }: WatchOptions): OtherLoggers | undefined {
  const { destination, spool } = settings;
  if (destination?.kind !== 'influxdb') return undefined;
  return new OtherLoggers({
    id: shortHash(`${host.machine.host} ${resolve(spool.root)}`),
    host: host.machine.host,
    ask: createAskStore({ ...destination.connection, timeoutMs: OTHERS_PATIENCE_MS }),
    ...{ clock: host.clock, report, isBeside },
  });
}

async function sayWhat(
  { createDiscovery, paths, report, settings: { optIn } }: WatchOptions,
  destinationName: string
): Promise<void> {
  const isOfOwners = optIn.kind === 'file' && !optIn.isExplicit;
  const to = isOfOwners
    ? `logging those whose owners have opted in to ${destinationName}`
    : `logging to ${destinationName}`;
  if (createDiscovery !== undefined) {
    report.info(`following the output of the jobs of Slurm, ${to}`);
    return;
  }
  const missing = await findMissing(paths);
  const present = paths.filter((path) => !missing.includes(path));
  if (present.length > 0) report.info(`following ${present.join(' ')}, ${to}`);
  const [be, come] = missing.length > 1 ? ['are', 'they come'] : ['is', 'it comes'];
  const where = present.length > 0 ? '' : `, ${to}`;
  if (missing.length > 0) report.info(`${missing.join(' ')} ${be} not there yet: followed when ${come}${where}`);
}
