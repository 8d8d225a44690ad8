import type { Clock } from '../../clock/clock.js';
import type { Reporter } from '../../host/report.js';
import type { StatePlace } from '../../queue/kept-map.js';
import type { DiscoveredJob, FileDiscovery } from '../file-discovery.js';
import type { AccountedFacts } from './followed-job.js';
import { FollowedJob } from './followed-job.js';
import { ACCOUNTING_ENVIRONMENT, accountingArgs, mergeAccounting, parseAccounting } from './parse-accounting.js';
import type { AccountedEnd } from './parse-end.js';
import { endArgs, parseEnds } from './parse-end.js';
import type { NodeUsage } from './node-usage.js';
import type { Queue } from './parse-queue.js';
import { parseQueue } from './parse-queue.js';
import type { RunProgram } from './run-program.js';
import type { SlurmJob } from './slurm-job.js';
import { isEnded } from './slurm-job.js';
import type { RememberedJob } from './slurm-memory.js';
import { SlurmMemory } from './slurm-memory.js';

const DEFAULT_SLURM_INTERVAL_MS = 2000;
const MAX_BACK_OFF_MS = 60_000;
/** How long after its end a job's files are read: the last bytes appear late on a network file system. */
const SETTLE_MS = 5000;
/**
 * After this long without an answer from squeue, accounting is asked for missed jobs. squeue lists ended jobs for 300 s
 * by default.
 */
const OUTAGE_MS = 60_000;
/** Clocks differ, and accounting learns of events a little later. */
const OVERLAP_MS = 60_000;
/** Bounds one question about ends; the other jobs are in the next one. */
const MAX_ENDS_A_QUESTION = 500;
/** How long accounting is asked for a job that squeue no longer lists. */
const GIVE_UP_MS = 60_000;

interface SlurmDiscoveryOptions {
  readonly run: RunProgram;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly report: Reporter;
  /** Our own effective user id: root sees all jobs, anyone else only their own. */
  readonly uid: number;
  /** Put before every job id, if several clusters write into one bucket: `alpha/` makes `alpha/123`. */
  readonly idPrefix?: string;
  readonly intervalMs?: number;
  /** The spool's states, to keep the facts about jobs over a restart. */
  readonly memory: StatePlace;
  /** Names a user; by number, if this machine does not know the user. */
  readonly findUser: (uid: number) => Promise<{ readonly name: string }>;
  /** Adds what the jobs use on this node. */
  readonly usage?: Pick<NodeUsage, 'sample' | 'close'> | undefined;
}

/**
 * Finds running jobs and their output files through squeue, and writes every change of a job's state to its owner's
 * log, at Slurm's own time. Looks up jobs that ended unseen with sacct, if accounting is on.
 */
export class SlurmDiscovery implements FileDiscovery {
  readonly knowsWriting = true;
  readonly #options: SlurmDiscoveryOptions;
  readonly #memory: SlurmMemory;
  readonly #jobs = new Map<number, FollowedJob>();
  /** Since when squeue has not listed a job that had not ended. */
  readonly #missingSinceMs = new Map<number, number>();
  /** The number of jobs that write to a path, or will. Tasks that wait together count once. */
  #claims: ReadonlyMap<string, number> = new Map();
  #query: Promise<void> | undefined;
  #error: Error | undefined;
  #failures = 0;
  #nextMs = 0;
  #hasAnswered = false;
  #hasAccounting = true;
  #hasWarned = false;

  constructor(options: SlurmDiscoveryOptions) {
    this.#options = options;
    this.#memory = new SlurmMemory(options.memory);
    for (const remembered of this.#memory.jobs) this.#restore(remembered);
  }

  /** Answers from memory and asks squeue in the background, once at a time. Only the first answer waits for squeue. */
  async poll(): Promise<readonly DiscoveredJob[]> {
    const { nowMs } = this.#options.clock;
    if (this.#query === undefined && nowMs() >= this.#nextMs) {
      this.#query = this.#ask().finally(() => (this.#query = undefined));
    }
    if (!this.#hasAnswered) await this.#query;
    this.#options.usage?.sample(this.#jobs.values());
    if (this.#error !== undefined) throw this.#error;
    return this.#list();
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

  #list(): DiscoveredJob[] {
    const { clock } = this.#options;
    const nowMs = clock.nowMs();
    const open = [...this.#jobs.values()].filter((entry) => !entry.isDone && !entry.takeIsBackAgain());
    const jobs = open.map((entry) => {
      const { state, isCompleting, endedMs = 0 } = entry.job;
      const isOpen = isCompleting || (this.#hasAccounting && entry.awaitsAccounting);
      const hasEnded = isEnded(state) && !isOpen && nowMs >= endedMs + SETTLE_MS;
      if (hasEnded && entry.remembered.phase !== 'ended')
        this.#memory.remember({ ...entry.remembered, phase: 'ended' });
      const own = isEnded(state) ? 0 : 1;
      const isShared = (path: string): boolean => (this.#claims.get(path) ?? 0) > own;
      return entry.list(this.#formatId(entry.job), hasEnded, isShared);
    });
    // The job's end is saved before the watcher can forget the job.
    this.#memory.commit();
    return jobs;
  }

  #formatId({ id }: SlurmJob): string {
    return (this.#options.idPrefix ?? '') + id;
  }

  async #ask(): Promise<void> {
    const { run, clock, intervalMs = DEFAULT_SLURM_INTERVAL_MS } = this.#options;
    const askedMs = clock.nowMs();
    const answer = await run('squeue', ['--all', '--states=all', '--json']);
    const queue = answer.ok ? parseQueue(answer.value) : answer;
    if (!queue.ok) {
      this.#failures += 1;
      this.#nextMs = clock.nowMs() + Math.min(intervalMs * 2 ** this.#failures, MAX_BACK_OFF_MS);
      this.#error = new Error(
        `cannot ask Slurm for its jobs: ${queue.error}; it is asked again; check SLURM_CONF and slurmctld`
      );
      return;
    }
    if (queue.value.unreadable > 0) this.#warnOnce(`${queue.value.unreadable} jobs of squeue --json could not be read`);
    this.#claims = countClaims(queue.value);
    await this.#take(queue.value.jobs, askedMs);
    this.#hasAnswered = true;
    this.#failures = 0;
    this.#error = undefined;
    this.#nextMs = clock.nowMs() + intervalMs;
  }

  /** Takes squeue's answer, and asks accounting for facts that squeue cannot know. */
  async #take(all: readonly SlurmJob[], askedMs: number): Promise<void> {
    const { clock, uid } = this.#options;
    const jobs = all.filter((job) => uid === 0 || job.uid === uid);
    const nowMs = clock.nowMs();
    const { polledMs } = this.#memory;
    for (const job of jobs) this.#update(job, askedMs);
    this.#findMissing(new Set(jobs.map(({ rawId }) => rawId)), nowMs);

    const wasOut = polledMs > 0 && nowMs - polledMs > OUTAGE_MS;
    const isRestored = polledMs > 0 && !this.#hasAnswered;
    const hasMissed = wasOut || isRestored;
    if (hasMissed || this.#missingSinceMs.size > 0) await this.#reconcile(polledMs || nowMs, hasMissed);
    this.#giveUp(nowMs);
    await this.#askForEnds();
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
  #findMissing(listed: ReadonlySet<number>, nowMs: number): void {
    for (const [rawId, entry] of this.#jobs) {
      if (listed.has(rawId)) continue;
      if (entry.isDone) {
        this.#jobs.delete(rawId);
        this.#memory.forget(rawId);
      } else if (!isEnded(entry.job.state) && !this.#missingSinceMs.has(rawId)) {
        this.#missingSinceMs.set(rawId, nowMs);
      }
    }
  }

  /** `addUnknown`: also adds jobs that came and went unseen. */
  async #reconcile(sinceMs: number, addUnknown: boolean): Promise<void> {
    if (!this.#hasAccounting) return;
    const { run, uid } = this.#options;
    const answer = await run('sacct', accountingArgs(sinceMs - OVERLAP_MS), ACCOUNTING_ENVIRONMENT);
    if (!answer.ok) {
      this.#noteAccountingFault(answer.error, 'missed jobs');
      return;
    }
    const attempts = parseAccounting(answer.value).filter((attempt) => uid === 0 || attempt.uid === uid);
    if (addUnknown) this.#followUnseen(attempts);
    for (const attempt of attempts) this.#takeAttempt(attempt);
  }

  #noteAccountingFault(error: string, what: string): void {
    this.#hasAccounting = !/disabled/i.test(error);
    if (this.#hasAccounting) this.#warnOnce(`cannot ask Slurm's accounting for ${what}: ${error}`);
    else this.#options.report.info('Slurm keeps no accounting: the end of a job that nobody saw stays unknown');
  }

  /** Without an answer, the reasons of these ends say what squeue knows. */
  async #askForEnds(): Promise<void> {
    if (!this.#hasAccounting) return;
    const open = [...this.#jobs.values()].filter(({ isEndOpen }) => isEndOpen).slice(0, MAX_ENDS_A_QUESTION);
    if (open.length === 0) return;
    const rawIds = open.map(({ job }) => job.rawId);
    const answer = await this.#options.run('sacct', endArgs(rawIds), ACCOUNTING_ENVIRONMENT);
    if (!answer.ok) this.#noteAccountingFault(answer.error, 'how jobs ended');
    const ends = parseEnds(answer.ok ? answer.value : '');
    for (const entry of open) entry.addAccountedEnd(await this.#nameCanceller(ends.get(entry.job.rawId)));
  }

  async #nameCanceller({ cancelledByUid: uid, ...facts }: AccountedEnd = {}): Promise<AccountedFacts> {
    if (uid === undefined) return facts;
    const { name } = await this.#options.findUser(uid);
    return { ...facts, cancelledBy: name === String(uid) ? `user ${uid}` : name };
  }

  /** Follows jobs that came and went, by their last attempts. */
  #followUnseen(attempts: readonly SlurmJob[]): void {
    const last = new Map(attempts.map((attempt) => [attempt.rawId, attempt]));
    for (const [rawId, job] of last) {
      if (this.#jobs.has(rawId) || !isEnded(job.state) || job.startedMs === undefined) continue;
      this.#follow(job, this.#options.clock.nowMs());
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
  #giveUp(nowMs: number): void {
    for (const [rawId, sinceMs] of this.#missingSinceMs) {
      if (this.#hasAccounting && nowMs - sinceMs < GIVE_UP_MS) continue;
      this.#missingSinceMs.delete(rawId);
      const entry = this.#jobs.get(rawId);
      if (entry === undefined) continue;
      const { job } = entry;
      const seenMs = Math.max(Math.min(this.#memory.polledMs || nowMs, sinceMs), job.startedMs ?? job.submittedMs);
      const endedMs = Math.floor(seenMs / 1000) * 1000;
      entry.update({ ...job, state: 'UNKNOWN', isCompleting: false, endedMs, reason: 'Slurm forgot it' }, nowMs);
      entry.addNotice('how this job ended is not known: Slurm forgot it before its end was seen');
      this.#options.report.warn(`job ${job.id}: Slurm no longer lists it, and how it ended is not known`);
      this.#memory.remember(entry.remembered);
    }
  }

  #warnOnce(message: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.report.warn(message);
  }
}

function countClaims({ jobs, waitingPaths }: Queue): ReadonlyMap<string, number> {
  const claims = new Map<string, number>();
  const count = (path: string): void => void claims.set(path, (claims.get(path) ?? 0) + 1);
  for (const { state, stdoutPaths, stderrPaths } of jobs) {
    if (!isEnded(state)) for (const path of [...stdoutPaths, ...stderrPaths]) count(path);
  }
  for (const path of waitingPaths) count(path);
  return claims;
}
