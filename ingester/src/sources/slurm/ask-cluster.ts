import type { Clock } from '../../clock/clock.js';
import type { Reporter } from '../../host/report.js';
import { backOff, DEFAULT_SLURM_INTERVAL_MS } from './back-off.js';
import type { RunProgram } from '../../slurm/run-program.js';
import { findClusterName, parseSlurmConfig, SHOW_CONFIG } from '../../slurm/slurm-config.js';

/** The name of this cluster, asked until slurmctld answers: no id can be told before. */
export async function askCluster(
  run: RunProgram,
  { clock, report }: { readonly clock: Pick<Clock, 'sleep'>; readonly report: Pick<Reporter, 'warn'> }
): Promise<string> {
  for (let failures = 0; ; failures += 1) {
    const answer = await run('scontrol', SHOW_CONFIG);
    const name = answer.ok ? findClusterName(parseSlurmConfig(answer.value)) : answer;
    if (name.ok) return name.value;
    if (failures === 0) {
      report.warn(
        `cannot ask Slurm for the name of the cluster, which --job-prefix wants: ${name.error}; it is asked again; check SLURM_CONF and slurmctld`
      );
    }
    await clock.sleep(backOff(DEFAULT_SLURM_INTERVAL_MS, failures));
  }
}
