import type { PointQueue } from '../../queue/point-queue.js';
import { formatJobKey } from '../../pipeline/job-state.js';
import type { StateRegistry, StateSource } from '../../queue/state-registry.js';
import type { ActiveState } from './job-changes.js';
import type { SlurmJob } from './slurm-job.js';

/** Kept for each job that Slurm still lists, so that a restarted daemon neither forgets nor repeats it. */
export interface RememberedJob {
  readonly job: SlurmJob;
  /** `ended`: the watcher was told of the end, and may have forgotten the job by now. */
  readonly phase: 'followed' | 'ended';
  readonly lastActive: ActiveState;
  /** The start of the newest attempt that started. */
  readonly ranSinceMs?: number;
}

/** The state as JSON. In a change, null forgets a job. */
interface MemoryState {
  readonly polledMs: number;
  readonly jobs: Readonly<Record<string, RememberedJob | null>>;
}

/** The key under which the state is kept in the spool. */
const SLURM_STATE_KEY = 'slurm';
/**
 * The time of the last poll by itself is saved this often. After a restart, the queries of accounting overlap by as
 * much.
 */
const SAVE_TIME_MS = 30_000;

export interface SlurmMemoryOptions {
  readonly queue: Pick<PointQueue, 'append'>;
  readonly states: Pick<StateRegistry, 'add' | 'delete'>;
  /** The states in the spool at the start: ours, and those of the logged jobs. */
  readonly restored: ReadonlyMap<string, readonly string[]>;
}

/** Keeps the facts about the jobs in the spool, with their points; without options only in memory. */
export class SlurmMemory implements StateSource {
  readonly key = SLURM_STATE_KEY;
  readonly #options: SlurmMemoryOptions | undefined;
  readonly #jobs = new Map<string, RememberedJob>();
  readonly #changed = new Set<string>();
  #polledMs = 0;
  #savedMs = 0;
  #isKept = false;

  constructor(options?: SlurmMemoryOptions) {
    this.#options = options;
    const restored = options?.restored.get(this.key) ?? [];
    for (const value of restored) this.#merge(JSON.parse(value) as MemoryState);
    this.#isKept = restored.length > 0;
    options?.states.add(this);
  }

  /** The time of squeue's last answer; 0 for never. */
  get polledMs(): number {
    return this.#polledMs;
  }

  get jobs(): Iterable<RememberedJob> {
    return this.#jobs.values();
  }

  /** Whether a job's log was still open when the last daemon ended. */
  wasOpen(job: string, user: string): boolean {
    return this.#options?.restored.has(formatJobKey({ job, user })) === true;
  }

  remember(job: RememberedJob): void {
    const key = String(job.job.rawId);
    this.#jobs.set(key, job);
    this.#changed.add(key);
  }

  forget(rawId: number): void {
    if (this.#jobs.delete(String(rawId))) this.#changed.add(String(rawId));
  }

  /** Saves the time of a poll once all facts of squeue's answer are kept. */
  savePoll(nowMs: number): void {
    this.#polledMs = nowMs;
    this.commit();
  }

  commit(): boolean {
    if (this.#changed.size === 0 && this.#polledMs - this.#savedMs < SAVE_TIME_MS) return true;
    // A change needs a whole value before it.
    const [kind, value] = this.#isKept
      ? (['change', this.#takeChange()] as const)
      : (['whole', this.takeWholeState()] as const);
    const states = [{ key: this.key, kind, value }];
    const isKept = this.#options?.queue.append({ bytes: Buffer.alloc(0), points: 0, states, isUrgent: true }) ?? true;
    if (!isKept) return false;
    this.#isKept = true;
    this.#changed.clear();
    this.#savedMs = this.#polledMs;
    return true;
  }

  #takeChange(): string {
    const keep = (job: RememberedJob | undefined): RememberedJob | null =>
      job === undefined ? null : withoutText(job);
    const jobs = Object.fromEntries([...this.#changed].map((key) => [key, keep(this.#jobs.get(key))]));
    return JSON.stringify({ polledMs: this.#polledMs, jobs } satisfies MemoryState);
  }

  takeWholeState(): string {
    const jobs = Object.fromEntries([...this.#jobs].map(([key, job]) => [key, withoutText(job)]));
    return JSON.stringify({ polledMs: this.#polledMs, jobs } satisfies MemoryState);
  }

  close(): void {
    this.commit();
    this.#options?.states.delete(this);
  }

  #merge({ polledMs, jobs }: MemoryState): void {
    this.#polledMs = polledMs;
    for (const [key, job] of Object.entries(jobs)) {
      if (job === null) this.#jobs.delete(key);
      else this.#jobs.set(key, job);
    }
  }
}

/** Drops texts that the owner's opt-in may forbid to store. Slurm gives them again. */
function withoutText(remembered: RememberedJob): RememberedJob {
  return { ...remembered, job: { ...remembered.job, command: '', workdir: '' } };
}
