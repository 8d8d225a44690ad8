import { LatelySaid } from '../../host/lately-said.js';
import type { HookEvent } from './hook-events.js';
import { isEnded, type SlurmJob } from './slurm-job.js';

/** How often Slurm is asked where hooks tell of each start and end. */
export const HOOKED_INTERVAL_MS = 60_000;
/** squeue may show a start or an end a little after the hook, which slurmctld waits for. */
const MAX_LOOKS = 10;

/** What the hooks have told of a job that Slurm may still list. */
interface Told {
  readonly kinds: Set<HookEvent['kind']>;
  /** What was told last, until squeue has shown it. */
  news: HookEvent['kind'] | undefined;
  looks: number;
  /** The number of the question to squeue before which it was told. */
  question: number;
}

interface HooksInUseOptions {
  /** What was told since the last call. */
  readonly read: () => readonly HookEvent[];
  readonly warn: (message: string) => void;
  readonly monotonicMs?: () => number;
}

/**
 * Whether something has happened that Slurm must be asked about. Hooks are relied on once they have told of a job, and
 * as long as squeue shows no start or end that they have not told of.
 */
export class HooksInUse {
  readonly #options: HooksInUseOptions;
  readonly #told = new Map<number, Told>();
  #isWorking = false;
  /** The hooks had worked at the last answer of squeue, so they must have told what is new in the next one. */
  #hadWorked = false;
  #question = 0;
  readonly #said: LatelySaid;

  constructor(options: HooksInUseOptions) {
    this.#options = options;
    this.#said = new LatelySaid(options.monotonicMs ?? (() => performance.now()));
  }

  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** Whether a job has started or ended since squeue was last asked. */
  get hasNews(): boolean {
    return [...this.#told.values()].some(({ news }) => news !== undefined);
  }

  listen(): void {
    for (const { kind, rawId } of this.#options.read()) {
      this.#isWorking = true;
      const kinds = this.#told.get(rawId)?.kinds ?? new Set();
      this.#told.set(rawId, { kinds: kinds.add(kind), news: kind, looks: 0, question: this.#question });
    }
  }

  /** squeue is asked now. */
  ask(): void {
    this.listen();
    this.#question += 1;
  }

  /**
   * Takes squeue's answer. `known`: what was known of a job before it. A hook runs before its job runs, or is over, for
   * squeue: so whatever squeue shows has been told.
   */
  compare(jobs: readonly SlurmJob[], known: (rawId: number) => SlurmJob | undefined): void {
    this.listen();
    if (this.#hadWorked) {
      const missed = jobs.find((job) => this.#isMissed(job, known(job.rawId)));
      if (missed !== undefined) this.#stop(missed);
    }
    this.#hadWorked = this.#isWorking;
    const byId = new Map(jobs.map((job) => [job.rawId, job]));
    for (const [rawId, told] of this.#told) {
      // Array tasks that wait together are not listed before they start.
      if (told.question === this.#question) continue;
      told.looks += 1;
      const job = byId.get(rawId);
      if (job === undefined) this.#told.delete(rawId);
      else if (told.looks >= MAX_LOOKS || isShown(told.news, job)) told.news = undefined;
    }
  }

  #isMissed(job: SlurmJob, before: SlurmJob | undefined): boolean {
    if (job.startedMs === undefined) return false;
    const kinds = this.#told.get(job.rawId)?.kinds;
    if (before?.startedMs === undefined && kinds?.has('start') !== true) return true;
    const wasOver = before !== undefined && isEnded(before.state);
    return isOver(job) && !wasOver && kinds?.has('end') !== true;
  }

  #stop({ id }: SlurmJob): void {
    this.#isWorking = false;
    if (!this.#said.isNews('missed')) return;
    this.#options.warn(
      `Slurm's hooks did not tell of job ${id}: squeue is asked at the usual interval until they tell of another; check PrologSlurmctld and EpilogSlurmctld with joblens doctor --site`
    );
  }
}

function isOver({ state, isCompleting }: SlurmJob): boolean {
  return isEnded(state) && !isCompleting;
}

function isShown(kind: HookEvent['kind'] | undefined, job: SlurmJob): boolean {
  if (isOver(job)) return true;
  // A requeued job waits again.
  return kind === 'end' ? job.startedMs === undefined && !job.isCompleting : job.startedMs !== undefined;
}
