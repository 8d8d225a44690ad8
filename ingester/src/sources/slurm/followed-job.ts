import { lstat } from 'node:fs/promises';
import type { DiscoveredFile, DiscoveredJob, JobWriter } from '../watch/file-discovery.js';
import type { ActiveState } from './job-changes.js';
import { listChanges } from './job-changes.js';
import type { RememberedJob } from './slurm-memory.js';
import type { SlurmJob } from './slurm-job.js';
import { isEnded } from './slurm-job.js';

/** When a path was changed last, ms since the epoch; undefined when there is none. */
export type ReadChangeTime = (path: string) => Promise<number | undefined>;

/** Asks the file system, of a link itself: the watcher refuses it, and says so. */
export async function readChangeTime(path: string): Promise<number | undefined> {
  const status = await lstat(path).catch(() => undefined);
  return status?.mtimeMs;
}

/** How often a job is listed as ended: time enough for the watcher to read what is left. */
const END_LISTINGS = 30;

/** One job that has started: what Slurm says of it now, what was written of that, and which of its files are to be read. */
export class FollowedJob {
  #job: SlurmJob;
  #phase: RememberedJob['phase'];
  #lastActive: ActiveState;
  #writer: JobWriter | undefined;
  /** The newest look at each attempt, for a writer that comes later. */
  readonly #attempts = new Map<number, { job: SlurmJob; lastActive: ActiveState }>();
  readonly #writtenNs = new Set<bigint>();
  readonly #ownFiles = new Set<string>();
  #listings = 0;
  #endListings = 0;
  #isDone = false;
  #isBackAgain = false;

  constructor({ job, phase, lastActive }: RememberedJob) {
    this.#job = job;
    this.#phase = phase;
    this.#lastActive = lastActive;
    this.#attempts.set(job.restarts, { job, lastActive });
  }

  get job(): SlurmJob {
    return this.#job;
  }

  get remembered(): RememberedJob {
    return { job: this.#job, phase: this.#phase, lastActive: this.#lastActive };
  }

  /** Nothing is left to be said of it. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Its owner had not opted in: it is listed, so that this stays known, but nothing is looked for. */
  get isRefused(): boolean {
    return this.#listings > 0 && this.#writer === undefined;
  }

  setDone(): void {
    this.#isDone = true;
    this.#writer = undefined;
  }

  /** Takes a newer look at the job. Returns whether anything has changed. */
  update(job: SlurmJob): boolean {
    if (JSON.stringify(job) === JSON.stringify(this.#job)) return false;
    if (this.#phase === 'ended' && !isEnded(job.state)) this.#beginAgain();
    this.#job = job;
    if (job.state === 'RUNNING' || job.state === 'SUSPENDED') this.#lastActive = job.state;
    this.addAttempt(job);
    return true;
  }

  /** A job can be requeued after its end. */
  #beginAgain(): void {
    this.#phase = 'followed';
    this.#isDone = false;
    this.#writer = undefined;
    this.#listings = 0;
    this.#endListings = 0;
    this.#ownFiles.clear();
    this.#isBackAgain = true;
  }

  /** Once true for a job that begins again: left out of one listing, the watcher takes it for a new one. */
  takeIsBackAgain(): boolean {
    const isBackAgain = this.#isBackAgain;
    this.#isBackAgain = false;
    return isBackAgain;
  }

  /** What is known of one attempt of the job, also an earlier one. */
  addAttempt(job: SlurmJob): void {
    const known = this.#attempts.get(job.restarts);
    const lastActive = job.restarts === this.#job.restarts ? this.#lastActive : (known?.lastActive ?? 'RUNNING');
    this.#attempts.set(job.restarts, { job, lastActive });
    this.#writeChanges(job, lastActive);
  }

  addNotice(text: string): void {
    this.#writer?.addNotice('stdout', text);
  }

  /** The job as the watcher is to know it. `hasEnded`: its files are complete. */
  async list(id: string, hasEnded: boolean, readTime: ReadChangeTime): Promise<DiscoveredJob> {
    const job = this.#job;
    const files = this.isRefused ? [] : await this.#listFiles(readTime);
    this.#listings += 1;
    if (hasEnded) {
      this.#phase = 'ended';
      this.#endListings += 1;
      if (this.#endListings > END_LISTINGS) this.setDone();
    }
    return {
      id,
      name: job.name,
      owner: { uid: job.uid, name: job.user },
      files,
      startedMs: job.startedMs ?? job.submittedMs,
      isEnded: hasEnded,
      onPipeline: (writer) => this.#attach(writer),
    };
  }

  #attach(writer: JobWriter): void {
    this.#writer = writer;
    this.#writtenNs.clear();
    const attempts = [...this.#attempts.values()].sort((a, b) => a.job.restarts - b.job.restarts);
    for (const { job, lastActive } of attempts) this.#writeChanges(job, lastActive);
  }

  #writeChanges(job: SlurmJob, lastActive: ActiveState): void {
    if (this.#writer === undefined) return;
    for (const { timeNs, description, event } of listChanges(job, lastActive)) {
      if (this.#writtenNs.has(timeNs)) continue;
      this.#writtenNs.add(timeNs);
      this.#writer.describe(description, timeNs);
      this.#writer.addEvent(event, timeNs);
    }
  }

  /**
   * A file belongs to the job once it was changed after the job's start: many jobs write to a file of one name, one after the other, and
   * until Slurm has truncated it, it holds what the job before wrote.
   */
  async #listFiles(readTime: ReadChangeTime): Promise<DiscoveredFile[]> {
    const { stdoutPaths, stderrPaths, startedMs, submittedMs } = this.#job;
    const sinceMs = startedMs ?? submittedMs;
    const isOwn = async (path: string): Promise<boolean> => {
      if (this.#ownFiles.has(path)) return true;
      const changedMs = await readTime(path);
      if (changedMs === undefined || changedMs < sinceMs) return false;
      this.#ownFiles.add(path);
      return true;
    };
    const files = [
      ...stdoutPaths.map((path) => ({ path, stream: 'stdout' as const })),
      ...stderrPaths.map((path) => ({ path, stream: 'stderr' as const })),
    ];
    const own = await Promise.all(files.map(({ path }) => isOwn(path)));
    return files.filter((_, i) => own[i]);
  }
}
