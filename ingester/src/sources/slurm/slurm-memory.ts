import { formatJobKey } from '../../pipeline/job-state.js';
import { KeptMap, type StatePlace } from '../../queue/kept-map.js';
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

/** The name of the time of the last poll, among jobs named by their raw ids. */
const POLLED = 'polled';
/** The time of the last poll by itself is saved this often: a restarted daemon asks accounting for as much more. */
const SAVE_TIME_MS = 30_000;

/** Keeps the facts about the jobs in the spool, with their points. */
export class SlurmMemory {
  readonly #place: StatePlace;
  readonly #kept: KeptMap<RememberedJob | number>;
  #polledMs: number;

  constructor(place: StatePlace) {
    this.#place = place;
    this.#kept = new KeptMap('slurm', place);
    this.#polledMs = this.#savedMs;
  }

  get #savedMs(): number {
    return Number(this.#kept.get(POLLED) ?? 0);
  }

  /** The time of squeue's last answer; 0 for never. */
  get polledMs(): number {
    return this.#polledMs;
  }

  get jobs(): readonly RememberedJob[] {
    return [...this.#kept.values()].filter((value) => typeof value !== 'number');
  }

  /** Whether a job's log was still open when the last daemon ended. */
  wasOpen(job: string, user: string): boolean {
    return this.#place.restored.has(formatJobKey({ job, user }));
  }

  /** Drops texts that the owner's opt-in may forbid to store. Slurm gives them again. */
  remember({ job, ...rest }: RememberedJob): void {
    this.#kept.set(String(job.rawId), { ...rest, job: { ...job, command: '', workdir: '' } });
  }

  forget(rawId: number): void {
    this.#kept.delete(String(rawId));
  }

  /** Saves the time of a poll once all facts of squeue's answer are kept. */
  savePoll(nowMs: number): void {
    this.#polledMs = nowMs;
    this.commit();
  }

  commit(): void {
    const isDue = this.#kept.hasChanged || this.#polledMs - this.#savedMs >= SAVE_TIME_MS;
    if (isDue) this.#kept.set(POLLED, this.#polledMs);
    this.#kept.commit();
  }

  close(): void {
    this.commit();
    this.#place.states.delete(this.#kept);
  }
}
