import type { Output } from '../../delivery/output.js';
import type { SessionOptions } from '../../session/session.js';
import type { FileDiscovery } from '../file-discovery.js';
import { createCommandRunner } from './run-command.js';
import { createSlurmDiscovery } from './slurm-discovery.js';

/** What `watch --slurm` follows in place of paths: the files of Slurm's jobs, with what is known of the jobs kept in the spool. */
export function discoverSlurmJobs(
  { settings, host, report }: SessionOptions,
  output: Output,
  intervalMs: number
): FileDiscovery {
  return createSlurmDiscovery({
    ...{ report, clock: host.clock, uid: host.uid, memory: output },
    run: createCommandRunner(host.environment),
    intervalMs,
    idPrefix: settings.jobPrefix,
  });
}
