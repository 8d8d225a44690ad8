import type { Environment } from '../host/host.js';

/** In a prefix, it stands for the name of the Slurm cluster, so that one line of settings suits all clusters. */
const CLUSTER = '{cluster}';

export const namesCluster = (prefix: string): boolean => prefix.includes(CLUSTER);

/** The cluster of a job's environment (sbatch manual, OUTPUT ENVIRONMENT VARIABLES). */
export function readCluster(environment: Environment): string | undefined {
  return environment['SLURM_CLUSTER_NAME'] || undefined;
}

/** The prefix of ids on this cluster. A prefix that names a cluster is none where there is no cluster. */
export function fillJobPrefix(prefix: string, cluster: string | undefined): string {
  if (!namesCluster(prefix)) return prefix;
  return cluster === undefined ? '' : prefix.replaceAll(CLUSTER, () => cluster);
}
