import type { Delivery } from '../../delivery/delivery.js';
import type { SessionOptions } from '../../session/session-options.js';
import type { FileDiscovery } from '../file-discovery.js';
import type { SourceFaults } from '../guard/source-faults.js';
import { watchGpus } from '../../usage/gpu-watch.js';
import { createSystemFiles } from '../../usage/system-files.js';
import { NodeUsage } from './node-usage.js';
import { fillJobPrefix, namesCluster, readCluster } from '../../config/job-prefix.js';
import { askCluster } from './ask-cluster.js';
import { HookEvents } from './hook-events.js';
import { HooksInUse } from './hooks-in-use.js';
import { createBytesRunner, createProgramRunner } from '../../slurm/run-program.js';
import { SlurmDiscovery } from './slurm-discovery.js';

interface SlurmDiscoverySettings {
  /** How often Slurm is asked. */
  readonly intervalMs: number;
  /** How often a row of what each job uses is added; undefined: never. */
  readonly metricsIntervalMs: number | undefined;
  /** The file in which slurmctld's hooks tell of the jobs that start and end; undefined: none. */
  readonly hookFile: string | undefined;
  /** Put before every id; `alpha/` makes `alpha/123`. */
  readonly idPrefix: string;
  /** Names a user. */
  readonly findUser: (uid: number) => Promise<{ readonly name: string }>;
}

/** The prefix of the ids of Slurm's jobs here: one that names the cluster waits until Slurm has told its name. */
export async function findIdPrefix({ settings, host, report }: SessionOptions): Promise<string> {
  const { jobPrefix } = settings.options;
  if (!namesCluster(jobPrefix)) return jobPrefix;
  const run = createProgramRunner(host.environment);
  const cluster = readCluster(host.environment) ?? (await askCluster(run, { clock: host.clock, report }));
  return fillJobPrefix(jobPrefix, cluster);
}

/**
 * Follows the files of Slurm's jobs for `watch --slurm`, instead of paths. The facts about the jobs are kept in the
 * spool.
 */
export function discoverSlurmJobs(
  { host, report }: SessionOptions,
  { delivery, faults }: { readonly delivery: Delivery; readonly faults: SourceFaults },
  { intervalMs, metricsIntervalMs, findUser, hookFile, idPrefix }: SlurmDiscoverySettings
): FileDiscovery {
  const usage =
    metricsIntervalMs === undefined
      ? undefined
      : new NodeUsage({
          ...{ files: createSystemFiles(), clock: host.clock, report, intervalMs: metricsIntervalMs },
          watchGpus: () => watchGpus({ selection: 'all', intervalMs: metricsIntervalMs, clock: host.clock, report }),
        });
  const events = hookFile === undefined ? undefined : new HookEvents(hookFile, (message) => report.warn(message));
  const hooks = new HooksInUse({
    ...{ read: () => events?.read() ?? [], warn: (message) => report.warn(message) },
    monotonicMs: () => host.clock.monotonicMs(),
  });
  return new SlurmDiscovery({
    ...{ report, faults, clock: host.clock, uid: host.uid, memory: delivery },
    run: createProgramRunner(host.environment),
    runForBytes: createBytesRunner(host.environment),
    ...{ intervalMs, findUser, usage, hooks },
    idPrefix,
  });
}
