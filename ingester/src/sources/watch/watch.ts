import { serveHealth } from '../../operate/serve-health.js';
import type { Delivery } from '../../delivery/delivery.js';
import type { ListenAddress } from '../../net/listen.js';
import type { SessionOptions } from '../../session/session.js';
import { openConfiguredDelivery } from '../../session/session.js';
import type { FileDiscovery } from '../file-discovery.js';
import { createFileSystem } from './file-system.js';
import { FolderHints } from './folder-hints.js';
import { findMissing } from './find-files.js';
import type { FindOwner } from './owner.js';
import { createPathDiscovery } from './path-discovery.js';
import { WatchedJobs } from './watched-jobs.js';
import { Watcher } from './watcher.js';

interface WatchOptions extends SessionOptions {
  readonly paths: readonly string[];
  /** Finds the files instead of the paths. */
  readonly createDiscovery?: ((delivery: Delivery) => FileDiscovery) | undefined;
  readonly findOwner: FindOwner;
  /** After this time without a change, the last line of a file counts as complete. */
  readonly quietTimeoutMs: number;
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

  const nowMs = (): number => host.clock.nowMs();
  const jobs = new WatchedJobs({ ...options, delivery, restored: delivery.restored, typedUser: settings.options.user });
  const watcher = new Watcher({
    ...{ jobs, report, findOwner: options.findOwner, clock: host.clock, random: host.random },
    quietTimeoutMs,
    discovery:
      options.createDiscovery?.(delivery) ??
      createPathDiscovery({ paths, typedJob: settings.options.job, jobPrefix: settings.options.jobPrefix, nowMs }),
    fileSystem: createFileSystem(),
    createHints: (onHint) => new FolderHints(onHint, nowMs, (message) => report.debug(message)),
  });
  stop.signal.addEventListener('abort', () => jobs.hurry());
  await sayWhat(options, delivery.destinationName);
  const health = await serveHealth(options, options.health, { delivery, jobs: () => jobs.loggedJobs });
  await watcher.run(stop.signal);
  await watcher.close(!delivery.isLocal);
  await jobs.suspend();
  const isSent = await delivery.close(settings.options.drainTimeoutMs);
  await health?.close();
  return isSent ? 0 : 1;
}

async function sayWhat({ createDiscovery, paths, report }: WatchOptions, destinationName: string): Promise<void> {
  const to = `logging to ${destinationName}`;
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
