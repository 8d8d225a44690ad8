import { err, ok, type Result } from '@joblens/core/result/result';

/** What `scontrol` prints of Slurm's configuration in effect. It needs slurmctld. */
export const SHOW_CONFIG = ['show', 'config'] as const;

/** Slurm's parameters by name. */
export type SlurmConfig = ReadonlyMap<string, string>;

/** Parses `scontrol show config`, which has `Name = value` on each line. */
export function parseSlurmConfig(text: string): SlurmConfig {
  const lines = text.split('\n').filter((line) => line.includes('='));
  return new Map(lines.map((line) => [line.split('=', 1)[0]?.trim() ?? '', line.slice(line.indexOf('=') + 1).trim()]));
}

/** The name of the cluster, or why it has none. */
export function findClusterName(config: SlurmConfig): Result<string, string> {
  const name = config.get('ClusterName') ?? '';
  return name === '' || name === '(null)' ? err('slurm.conf has no ClusterName') : ok(name);
}
