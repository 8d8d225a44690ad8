import type { Queue } from './parse-queue.js';
import { isEnded, type SlurmJob } from './slurm-job.js';

/** How many jobs write to each path, or will. Tasks that wait together count once. */
export class ClaimedPaths {
  readonly #counts = new Map<string, number>();
  /** It is asked of each job each second. */
  readonly #isShared = new Map<SlurmJob, boolean>();

  constructor({ jobs, waitingPaths }: Pick<Queue, 'jobs' | 'waitingPaths'>) {
    for (const { state, stdoutPaths, stderrPaths } of jobs) {
      if (!isEnded(state)) for (const path of [...stdoutPaths, ...stderrPaths]) this.#count(path);
    }
    for (const path of waitingPaths) this.#count(path);
  }

  #count(path: string): void {
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
  }

  /** Whether others than this job claim the path. */
  hasOthers(path: string, { state }: SlurmJob): boolean {
    return (this.#counts.get(path) ?? 0) > (isEnded(state) ? 0 : 1);
  }

  /** Whether the job, which runs, shares a file with another one. */
  isShared(job: SlurmJob): boolean {
    let isShared = this.#isShared.get(job);
    if (isShared === undefined) {
      isShared =
        !isEnded(job.state) && [...job.stdoutPaths, ...job.stderrPaths].some((path) => this.hasOthers(path, job));
      this.#isShared.set(job, isShared);
    }
    return isShared;
  }
}
