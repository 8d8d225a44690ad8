import type { Delivery } from '../../delivery/delivery.js';
import type { SessionOptions } from '../../session/session.js';
import type { FileDiscovery } from '../file-discovery.js';
import { createCommandRunner } from './run-command.js';
import { createSlurmDiscovery } from './slurm-discovery.js';

/**
 * Follows the files of Slurm's jobs for `watch --slurm`, instead of paths. The facts about the jobs are kept in the
 * spool.
 */
export function discoverSlurmJobs(
  { settings, host, report }: SessionOptions,
  delivery: Delivery,
  intervalMs: number
): FileDiscovery {
  return createSlurmDiscovery({
    ...{ report, clock: host.clock, uid: host.uid, memory: delivery },
    run: createCommandRunner(host.environment),
    intervalMs,
    idPrefix: settings.jobPrefix,
  });
}
