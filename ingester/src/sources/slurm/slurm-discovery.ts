import { HOUR_MS } from '@joblens/core/numbers/time-units';
import type { Clock } from '../../clock/clock.js';
import type { StatePlace } from '../../queue/kept-map.js';
import type { DiscoveredJob, FileDiscovery } from '../file-discovery.js';
import { backOff, DEFAULT_SLURM_INTERVAL_MS } from './back-off.js';
import { ClaimedPaths } from './claimed-paths.js';
import { FollowedJob } from './followed-job.js';
import { HOOKED_INTERVAL_MS, type HooksInUse } from './hooks-in-use.js';
import type { NodeUsage } from './node-usage.js';
import { mergeAccounting } from './parse-accounting.js';
import { QueueReader } from './parse-queue.js';
import type { RunForBytes } from '../../slurm/run-program.js';
import { SlurmAccounting, type SlurmAccountingOptions } from './slurm-accounting.js';
import { isEnded, type SlurmJob } from './slurm-job.js';
import { type RememberedJob, SlurmMemory } from './slurm-memory.js';

/** How long after its end a job's files are read: the last bytes appear late on a network file system. */
const SETTLE_MS = 5000;
/**
 * After this long without an answer from squeue, accounting is asked for missed jobs. squeue lists ended jobs for 300 s
 * by default.
 */
const OUTAGE_MS = 60_000;
/** Where hooks tell of all starts and ends, the pause between two questions, in times that the last one took. */
const PAUSE_IN_ANSWERS = 10;
/** How long accounting is asked for a job that squeue no longer lists. */
const GIVE_UP_MS = 60_000;
/** The same while accounting does not answer. */
const GIVE_UP_UNANSWERED_MS = HOUR_MS;

interface SlurmDiscoveryOptions extends SlurmAccountingOptions {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** Runs squeue. */
  readonly runForBytes: RunForBytes;
  /** Put before every job id, if several clusters write into one bucket: `alpha/` makes `alpha/123`. */
  readonly idPrefix?: string;
  /** The spool's states, to keep the facts about jobs over a restart. */
  readonly memory: StatePlace;
  /** Adds what the jobs use on this node. */
  readonly usage?: Pick<NodeUsage, 'sample' | 'close'> | undefined;
  /** What slurmctld's hooks tell, so that squeue need not be asked all the time. */
  readonly hooks: HooksInUse;
}

/**
 * Finds running jobs and their output files through squeue, and writes every change of a job's state to its owner's
 * log, at Slurm's own time. Looks up jobs that ended unseen with sacct, if accounting is on.
 */
export class SlurmDiscovery implements FileDiscovery {
  readonly knowsWriting = true;
  readonly #options: SlurmDiscoveryOptions;
  readonly #memory: SlurmMemory;
  readonly #accounting: SlurmAccounting;
  readonly #jobs = new Map<number, FollowedJob>();
  /** Since when squeue has not listed a job that had not ended. */
  readonly #missingSinceMs = new Map<number, number>();
  readonly #queue = new QueueReader();
  #lastList: readonly DiscoveredJob[] = [];
  #claims = new ClaimedPaths({ jobs: [], waitingPaths: [] });
  #query: Promise<void> | undefined;
  #error: Error | undefined;
  #failures = 0;
  /** By the monotonic clock, as are the times of what is missing. */
  #nextMs = -Infinity;
  /** When squeue is asked although the hooks have told of nothing. */
  #latestMs = -Infinity;
  /** When squeue has last answered, and when nothing was missed. */
  #answeredMs: number | undefined;
  #completeMs: number | undefined;
  /** There may be jobs that came, went or ended unseen, and accounting has not told of them yet. */
  #hasMissed = false;
  #hasAnswered = false;
  #hasSaidUnreadable = false;

  constructor(options: SlurmDiscoveryOptions) {
    this.#options = options;
    this.#memory = new SlurmMemory(options.memory);
    this.#accounting = new SlurmAccounting(options);
    for (const remembered of this.#memory.jobs) this.#ofJob(remembered.job, () => this.#restore(remembered));
  }

  /** Answers from memory and asks squeue in the background, once at a time. Only the first answer waits for squeue. */
  async poll(): Promise<readonly DiscoveredJob[]> {
    this.#listen();
    if (this.#query === undefined && this.#isDue()) {
      this.#query = this.#ask()
        .catch((error: unknown) => this.#noteFault(error))
        .finally(() => (this.#query = undefined));
    }
    if (!this.#hasAnswered) await this.#query;
    this.#options.usage?.sample(this.#jobs.values());
    if (this.#error !== undefined) throw this.#error;
    return this.#list();
  }

  /** While the hooks tell of nothing, squeue's last answer holds, and no job that is not known writes to a file. */
  #listen(): void {
    const { clock, hooks } = this.#options;
    const nowMs = clock.nowMs();
    hooks.listen();
    if (!hooks.isWorking || hooks.hasNews || this.#query !== undefined) return;
    for (const entry of this.#jobs.values()) if (!this.#claims.isShared(entry.job)) entry.confirm(nowMs);
  }

  /** Where hooks work, squeue is asked when they tell of something, or when something is open that they do not tell. */
  #isDue(): boolean {
    const { clock, hooks } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs < this.#nextMs) return false;
    return !hooks.isWorking || hooks.hasNews || nowMs >= this.#latestMs || this.#isUnsettled();
  }

  #isUnsettled(): boolean {
    if (this.#missingSinceMs.size > 0 || this.#hasMissed) return true;
    return [...this.#jobs.values()].some((entry) => {
      const isEndOpen = this.#accounting.isKept && entry.isEndOpen;
      // What each of two jobs writes to a file is told apart by when they run.
      return (
        isEndOpen || (!entry.isDone && entry.job.isCompleting) || (entry.isLogged && this.#claims.isShared(entry.job))
      );
    });
  }

  async close(): Promise<void> {
    await this.#query;
    this.#options.usage?.close();
    this.#memory.close();
  }

  /** Restores a job. An ended one needs nothing more, unless its log was still open. */
  #restore(remembered: RememberedJob): void {
    const { job, phase } = remembered;
    const entry = new FollowedJob(remembered);
    if (phase === 'ended' && !this.#memory.wasOpen(this.#formatId(job), job.user)) entry.setDone();
    this.#jobs.set(job.rawId, entry);
  }

  /** The same list, and the same object for a job, while nothing has changed: the watcher does nothing then. */
  #list(): readonly DiscoveredJob[] {
    const jobs: DiscoveredJob[] = [];
    for (const entry of this.#jobs.values()) {
      if (entry.isDone || entry.takeIsBackAgain()) continue;
      const job = entry.listAgain(this.#claims) ?? this.#ofJob(entry.job, () => this.#listJob(entry));
      if (job !== undefined) jobs.push(job);
    }
    // The job's end is saved before the watcher can forget the job.
    this.#memory.commit();
    const last = this.#lastList;
    if (jobs.length !== last.length || jobs.some((job, i) => job !== last[i])) this.#lastList = jobs;
    return this.#lastList;
  }

  #listJob(entry: FollowedJob): DiscoveredJob {
    const isOpen = entry.job.isCompleting || (this.#accounting.isKept && entry.awaitsAccounting);
    const hasEnded = !isOpen && entry.isSettled(this.#options.clock, SETTLE_MS);
    if (hasEnded && entry.remembered.phase !== 'ended') this.#memory.remember({ ...entry.remembered, phase: 'ended' });
    return entry.list(this.#formatId(entry.job), hasEnded, this.#claims);
  }

  /** A fault with one job must not end the others. */
  #ofJob<T>({ id }: SlurmJob, step: () => T): T | undefined {
    return this.#options.faults.contain(`job ${id}`, step);
  }

  /** A fault that is not with one job: Slurm is asked again. */
  #noteFault(error: unknown): void {
    const { faults, clock, intervalMs = DEFAULT_SLURM_INTERVAL_MS } = this.#options;
    faults.note('an answer of Slurm', error);
    this.#failures += 1;
    this.#nextMs = clock.monotonicMs() + backOff(intervalMs, this.#failures);
  }

  #formatId({ id }: SlurmJob): string {
    return (this.#options.idPrefix ?? '') + id;
  }

  async #ask(): Promise<void> {
    const { runForBytes, clock, faults, hooks, intervalMs = DEFAULT_SLURM_INTERVAL_MS } = this.#options;
    const [askedMs, beganMs] = [clock.nowMs(), clock.monotonicMs()];
    hooks.ask();
    const answer = await runForBytes('squeue', ['--all', '--states=all', '--json']);
    const queue = answer.ok ? this.#queue.read(answer.value, (error) => faults.note('a job of squeue', error)) : answer;
    if (!queue.ok) {
      this.#failures += 1;
      this.#nextMs = clock.monotonicMs() + backOff(intervalMs, this.#failures);
      this.#error = new Error(
        `cannot ask Slurm for its jobs: ${queue.error}; it is asked again; check SLURM_CONF and slurmctld`
      );
      return;
    }
    const answeredMs = clock.monotonicMs();
    this.#noteUnreadable(queue.value.unreadable);
    hooks.compare(queue.value.jobs, (rawId) => this.#jobs.get(rawId)?.job);
    this.#claims = new ClaimedPaths(queue.value);
    await this.#take(queue.value.jobs, askedMs);
    this.#hasAnswered = true;
    this.#failures = 0;
    this.#error = undefined;
    const pauseMs = Math.min(PAUSE_IN_ANSWERS * (answeredMs - beganMs), HOOKED_INTERVAL_MS);
    this.#nextMs = clock.monotonicMs() + Math.max(intervalMs, hooks.isWorking ? pauseMs : 0);
    this.#latestMs = clock.monotonicMs() + Math.max(intervalMs, HOOKED_INTERVAL_MS);
  }

  /** Takes squeue's answer, and asks accounting for facts that squeue cannot know. */
  async #take(all: readonly SlurmJob[], askedMs: number): Promise<void> {
    const { clock, uid, hooks } = this.#options;
    const jobs = all.filter((job) => uid === 0 || job.uid === uid);
    const [nowMs, monotonicMs] = [clock.nowMs(), clock.monotonicMs()];
    const { polledMs } = this.#memory;
    for (const job of jobs) this.#ofJob(job, () => this.#update(job, askedMs));
    this.#findMissing(new Set(jobs.map(({ rawId }) => rawId)), monotonicMs);

    const outageMs = OUTAGE_MS + (hooks.isWorking ? HOOKED_INTERVAL_MS : 0);
    const isRestored = polledMs > 0 && !this.#hasAnswered;
    this.#hasMissed ||= isRestored || monotonicMs - (this.#answeredMs ?? monotonicMs) > outageMs;
    const mustAsk = this.#hasMissed || this.#missingSinceMs.size > 0;
    // The wall clock may have been set since.
    const sinceMs = Math.min(polledMs || nowMs, nowMs - (monotonicMs - (this.#completeMs ?? monotonicMs)));
    const isAnswered = !mustAsk || (await this.#reconcile(sinceMs, this.#hasMissed));
    this.#giveUp(isAnswered ? GIVE_UP_MS : GIVE_UP_UNANSWERED_MS);
    await this.#accounting.tellEnds(this.#jobs.values());
    this.#answeredMs = monotonicMs;
    // What was missed is asked for again, from the same time on, until accounting has answered.
    if (!isAnswered && this.#hasMissed) return;
    this.#hasMissed = false;
    this.#completeMs = monotonicMs;
    this.#memory.savePoll(nowMs);
  }

  #update(job: SlurmJob, askedMs: number): void {
    this.#missingSinceMs.delete(job.rawId);
    const entry = this.#jobs.get(job.rawId);
    if (entry !== undefined) {
      if (entry.update(job, askedMs)) this.#memory.remember(entry.remembered);
      return;
    }
    // The owner's opt-in is read when the job starts. For a job that never starts, nothing is written.
    if (job.startedMs === undefined && job.restarts === 0) return;
    this.#follow(job, askedMs);
  }

  #follow(job: SlurmJob, knownMs: number): void {
    const lastActive = job.state === 'SUSPENDED' ? 'SUSPENDED' : 'RUNNING';
    const entry = new FollowedJob({ job, phase: 'followed', lastActive }, knownMs);
    this.#jobs.set(job.rawId, entry);
    this.#memory.remember(entry.remembered);
  }

  /** Forgets jobs that squeue no longer lists once all is written about them; else asks accounting. */
  #findMissing(listed: ReadonlySet<number>, monotonicMs: number): void {
    for (const [rawId, entry] of this.#jobs) {
      if (listed.has(rawId)) continue;
      if (entry.isDone) {
        this.#jobs.delete(rawId);
        this.#memory.forget(rawId);
      } else if (!isEnded(entry.job.state) && !this.#missingSinceMs.has(rawId)) {
        this.#missingSinceMs.set(rawId, monotonicMs);
      }
    }
  }

  /** `addUnknown`: also adds jobs that came and went unseen. Returns false if accounting has not answered. */
  async #reconcile(sinceMs: number, addUnknown: boolean): Promise<boolean> {
    const attempts = await this.#accounting.listAttempts(sinceMs);
    if (attempts === undefined) return false;
    if (addUnknown) this.#followUnseen(attempts);
    for (const attempt of attempts) this.#ofJob(attempt, () => this.#takeAttempt(attempt));
    return true;
  }

  /** Follows jobs that came and went, by their last attempts. */
  #followUnseen(attempts: readonly SlurmJob[]): void {
    const last = new Map(attempts.map((attempt) => [attempt.rawId, attempt]));
    for (const [rawId, job] of last) {
      if (this.#jobs.has(rawId) || !isEnded(job.state) || job.startedMs === undefined) continue;
      this.#ofJob(job, () => this.#follow(job, this.#options.clock.nowMs()));
    }
  }

  #takeAttempt(attempt: SlurmJob): void {
    const entry = this.#jobs.get(attempt.rawId);
    if (entry === undefined || entry.isDone) return;
    if (attempt.submittedMs < entry.job.submittedMs) entry.addAttempt(attempt);
    else if (this.#missingSinceMs.has(attempt.rawId) && isEnded(attempt.state)) {
      this.#missingSinceMs.delete(attempt.rawId);
      entry.update(mergeAccounting(entry.job, attempt), this.#options.clock.nowMs());
      this.#memory.remember(entry.remembered);
    }
  }

  /** Gives up jobs that neither squeue nor accounting knows: they ended somehow after they were last seen. */
  #giveUp(patienceMs: number): void {
    const { clock } = this.#options;
    const nowMs = clock.nowMs();
    for (const [rawId, sinceMs] of this.#missingSinceMs) {
      const missingMs = clock.monotonicMs() - sinceMs;
      if (this.#accounting.isKept && missingMs < patienceMs) continue;
      this.#missingSinceMs.delete(rawId);
      const entry = this.#jobs.get(rawId);
      if (entry !== undefined) this.#ofJob(entry.job, () => this.#giveUpJob(entry, nowMs, missingMs));
    }
  }

  #giveUpJob(entry: FollowedJob, nowMs: number, missingMs: number): void {
    const { job } = entry;
    const polledMs = Math.min(this.#memory.polledMs || nowMs, nowMs - missingMs);
    const seenMs = Math.max(polledMs, job.startedMs ?? job.submittedMs);
    const endedMs = Math.floor(seenMs / 1000) * 1000;
    entry.update({ ...job, state: 'UNKNOWN', isCompleting: false, endedMs, reason: 'Slurm forgot it' }, nowMs);
    entry.addNotice('how this job ended is not known: Slurm forgot it before its end was seen');
    this.#options.report.warn(`job ${job.id}: Slurm no longer lists it, and how it ended is not known`);
    this.#memory.remember(entry.remembered);
  }

  /** Says it once until it is over. */
  #noteUnreadable(jobs: number): void {
    if (jobs > 0 && !this.#hasSaidUnreadable)
      this.#options.report.warn(`${jobs} jobs of squeue --json could not be read`);
    this.#hasSaidUnreadable = jobs > 0;
  }
}
