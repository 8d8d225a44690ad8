import type { Host } from '../../host/host.js';
import { LatelySaid } from '../../host/lately-said.js';
import type { Reporter } from '../../host/report.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import { createCgroupUsage } from '../../usage/cgroup-usage.js';
import { findContainerCgroup, findSlurmCgroup } from '../../usage/find-cgroup.js';
import { selectGpus, watchGpus } from '../../usage/gpu-watch.js';
import { ProcessTree } from '../../usage/process-tree.js';
import { sampleUsage } from '../../usage/sample-usage.js';
import type { SystemFiles } from '../../usage/system-files.js';
import { UsageSampler } from '../../usage/usage-sampler.js';
import type { UsageSource } from '../../usage/usage-source.js';

interface CommandUsageOptions {
  readonly host: Pick<Host, 'environment' | 'clock'>;
  readonly report: Reporter;
  readonly files: SystemFiles;
  readonly intervalMs: number;
  readonly startedMs: number;
}

/** The sampling of one command's usage. */
export interface CommandUsage {
  /** Call it when the command has ended. Resolves when the last row is added. */
  end(): Promise<void>;
}

const NOTHING: CommandUsage = { end: () => Promise.resolve() };

/**
 * Adds what the job uses to its tables. A fault ends that, with one notice, and nothing else. The tasks of a job on one
 * node have one cgroup: the first of them speaks for it.
 */
export function startCommandUsage(
  pipeline: Pick<JobPipeline, 'addRow' | 'addNotice'>,
  pid: number,
  { host, report, files, intervalMs, startedMs }: CommandUsageOptions
): CommandUsage {
  const { environment, clock } = host;
  const onFault = (found: string): void => {
    report.warn(`--metrics: ${found}`);
    pipeline.addNotice('stdout', `the metrics of the job end here: ${found}`);
  };
  try {
    const cgroup = findCgroup(files, environment);
    const isFirstOnNode = Number(environment['SLURM_LOCALID'] ?? 0) === 0;
    if (cgroup !== undefined && !isFirstOnNode) return NOTHING;
    const source = cgroup ?? new ProcessTree(files, pid);
    report.debug(`metrics are those of ${source.name}`);
    const gpus = isFirstOnNode
      ? watchGpus({ selection: selectGpus(environment), intervalMs, clock, report })
      : undefined;
    const sampler = new UsageSampler({ source, gpus, clock, startedMs });
    const ended = new AbortController();
    const addRow = pipeline.addRow.bind(pipeline);
    const said = new LatelySaid(() => clock.monotonicMs());
    const onUnknown = (found: string): void => {
      if (said.isNews('unknown')) report.warn(`--metrics: what the job uses is not known: ${found}; it is tried again`);
    };
    const done = sampleUsage({ sampler, clock, intervalMs, addRow, onUnknown, onFault, ended: ended.signal });
    return {
      async end() {
        ended.abort();
        await done;
        gpus?.close();
      },
    };
  } catch (error) {
    onFault(error instanceof Error ? error.message : String(error));
    return NOTHING;
  }
}

/** The cgroup that holds this job and nothing else, as far as the environment tells; else undefined. */
function findCgroup(files: SystemFiles, environment: Host['environment']): UsageSource | undefined {
  const slurmId = environment['SLURM_JOB_ID'];
  const isPod = environment['KUBERNETES_SERVICE_HOST'] !== undefined;
  const folders =
    slurmId !== undefined ? findSlurmCgroup(files, slurmId) : isPod ? findContainerCgroup(files) : undefined;
  return folders && createCgroupUsage(files, folders);
}
