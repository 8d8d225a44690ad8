import { LatelySaid } from '../../host/lately-said.js';
import type { Reporter } from '../../host/report.js';
import { createCgroupUsage } from '../../usage/cgroup-usage.js';
import { findSlurmCgroup } from '../../usage/find-cgroup.js';
import type { GpuWatch } from '../../usage/gpu-watch.js';
import { createJobGpus, findJobGpus } from '../../usage/job-gpus.js';
import type { SystemFiles } from '../../usage/system-files.js';
import { type SystemRow, UsageSampler } from '../../usage/usage-sampler.js';
import type { Clock } from '../../clock/clock.js';
import type { SlurmJob } from './slurm-job.js';

interface NodeUsageOptions {
  readonly files: SystemFiles;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly report: Reporter;
  readonly intervalMs: number;
  /** Starts to watch all GPUs of the node; called once there is a job that has some. */
  readonly watchGpus: () => GpuWatch;
}

/** A job that may run on this node. */
interface UsingJob {
  readonly job: SlurmJob;
  /** Whether its owner has opted in. */
  readonly isLogged: boolean;
  addRow(row: SystemRow): void;
}

interface Sampled {
  /** Undefined while it has no cgroup here: it runs on other nodes, or Slurm has not made it yet. */
  readonly sampler: UsageSampler | undefined;
  dueMs: number;
}

type SampledJob = readonly [readonly [key: string, sampled: Sampled]];

/** What each job of Slurm uses on this node, by the cgroup that slurmd made for it. */
export class NodeUsage {
  readonly #options: NodeUsageOptions;
  #sampled: ReadonlyMap<string, Sampled> = new Map();
  #gpus: GpuWatch | undefined;
  readonly #said: LatelySaid;

  constructor(options: NodeUsageOptions) {
    this.#options = options;
    this.#said = new LatelySaid(() => options.clock.monotonicMs());
  }

  /** Adds the rows that are due to the jobs that run. Call it often; never throws. */
  sample(jobs: Iterable<UsingJob>): void {
    // Forgets the others: a job that is requeued has another cgroup.
    this.#sampled = new Map([...jobs].flatMap((job) => this.#trySample(job) ?? []));
  }

  /** What one job uses may be unknown for a while, and is no matter of the others. */
  #trySample(using: UsingJob): SampledJob | undefined {
    try {
      return this.#sampleJob(using);
    } catch (error) {
      const { id, rawId } = using.job;
      const found = error instanceof Error ? error.message : String(error);
      if (this.#said.isNews(String(rawId)))
        this.#options.report.warn(`--metrics: what job ${id} uses is not known: ${found}; it is tried again`);
      // Its next row says what was used meanwhile.
      const key = keyOf(using.job);
      const before = this.#sampled.get(key);
      return before && [[key, before]];
    }
  }

  close(): void {
    this.#gpus?.close();
  }

  #sampleJob(using: UsingJob): SampledJob | undefined {
    const { job, isLogged } = using;
    if (!isLogged || job.state !== 'RUNNING') return undefined;
    const monotonicMs = this.#options.clock.monotonicMs();
    const key = keyOf(job);
    let sampled = this.#sampled.get(key);
    if (sampled === undefined || monotonicMs >= sampled.dueMs) {
      const dueMs = monotonicMs + this.#options.intervalMs;
      const row = sampled?.sampler?.take();
      if (row !== undefined) using.addRow(row);
      sampled = { sampler: sampled?.sampler ?? this.#createSampler(job), dueMs };
    }
    return [[key, sampled]];
  }

  #createSampler({ rawId, startedMs }: SlurmJob): UsageSampler | undefined {
    const { files, clock, watchGpus } = this.#options;
    const folders = findSlurmCgroup(files, String(rawId));
    if (folders === undefined) return undefined;
    const gpus = createJobGpus(
      () => findJobGpus(files, folders),
      () => (this.#gpus ??= watchGpus())
    );
    return new UsageSampler({
      ...{ source: createCgroupUsage(files, folders), gpus, clock },
      startedMs: startedMs ?? clock.nowMs(),
    });
  }
}

/** A job that is requeued has another cgroup. */
function keyOf({ rawId, restarts }: SlurmJob): string {
  return `${rawId}-${restarts}`;
}
