import type { JobDescription, JsonValue } from '@joblens/core/schema/job-point';
import type { DiscoveredFile, DiscoveredJob, JobWriter, WritingTime } from '../file-discovery.js';
import type { Clock } from '../../clock/clock.js';
import type { EndFacts } from '../../rules/signals/job-signals.js';
import type { ClaimedPaths } from './claimed-paths.js';
import { type ActiveState, listChanges } from './job-changes.js';
import type { RememberedJob } from './slurm-memory.js';
import { isEnded, type SlurmJob } from './slurm-job.js';

/** The number of times a job is listed as ended, enough for the watcher to read the rest. */
const END_LISTINGS = 30;

/** The ends about which accounting knows more than squeue: who cancelled a job, and the memory that it used. */
const ACCOUNTED_ENDS: ReadonlySet<string> = new Set([
  ...['CANCELLED', 'FAILED', 'OUT_OF_MEMORY'],
  // For `joblens report job`, which compares what they asked for with what they used.
  ...['COMPLETED', 'TIMEOUT'],
]);
/** Accounting learns of an end a little later, so it is asked some times. */
const MAX_END_QUESTIONS = 3;

/** What accounting tells about an end. */
export type AccountedFacts = Pick<EndFacts, 'usedBytes' | 'requestedBytes' | 'cancelledBy'>;

/** The time of Slurm's answer, of which newer ones may confirm what was listed. */
interface KnownTime {
  ms: number;
}

/** A job as it was listed, and what it was made of. */
interface ListedJob {
  readonly job: DiscoveredJob;
  readonly facts: SlurmJob;
  readonly isRefused: boolean;
  readonly known: KnownTime;
}

/** One job that has started: its latest facts from Slurm, those of them that were written, and its files to read. */
export class FollowedJob {
  #job: SlurmJob;
  #phase: RememberedJob['phase'];
  #lastActive: ActiveState;
  #writer: JobWriter | undefined;
  /** The newest facts of each attempt, for a writer that comes later. */
  readonly #attempts = new Map<number, { job: SlurmJob; lastActive: ActiveState }>();
  readonly #writtenNs = new Set<bigint>();
  /** What accounting has told about the end of the last attempt. */
  #accounted: AccountedFacts = {};
  #endQuestions = 0;
  /** The time of Slurm's answer. */
  #knownMs = 0;
  /** The start of its last attempt. */
  #ranSinceMs: number | undefined;
  /** As it was last listed, if it stays so until something changes. */
  #listed: ListedJob | undefined;
  #listings = 0;
  #endListings = 0;
  /** When its files are complete, by the monotonic clock. */
  #settledMs: number | undefined;
  #isDone = false;
  #isBackAgain = false;

  constructor({ job, phase, lastActive, ranSinceMs }: RememberedJob, knownMs = 0) {
    this.#job = job;
    this.#knownMs = knownMs;
    this.#ranSinceMs = job.startedMs ?? ranSinceMs;
    this.#phase = phase;
    this.#lastActive = lastActive;
    this.#attempts.set(job.restarts, { job, lastActive });
  }

  get job(): SlurmJob {
    return this.#job;
  }

  get remembered(): RememberedJob {
    const ranSinceMs = this.#ranSinceMs;
    return {
      ...{ job: this.#job, phase: this.#phase, lastActive: this.#lastActive },
      ...(ranSinceMs !== undefined && { ranSinceMs }),
    };
  }

  /** Whether accounting may tell more about its end. */
  get isEndOpen(): boolean {
    const isKnown = this.#writer !== undefined && ACCOUNTED_ENDS.has(this.#job.state);
    return isKnown && this.#endQuestions < MAX_END_QUESTIONS;
  }

  /** Whether accounting must be asked before its log may end: a job that ended unseen is opened only to be closed. */
  get awaitsAccounting(): boolean {
    return !this.isRefused && ACCOUNTED_ENDS.has(this.#job.state) && this.#endQuestions === 0;
  }

  /** Takes the answer of accounting, which may not know of the end yet. */
  addAccountedEnd(facts: AccountedFacts = {}): void {
    this.#endQuestions += 1;
    this.#accounted = facts;
    for (const { timeNs, description, end } of listChanges(this.#job, this.#lastActive)) {
      if (end !== undefined) this.#describeEnd(description, end, timeNs);
    }
  }

  #describeEnd(description: JobDescription, end: EndFacts, timeNs: bigint): void {
    const { usedBytes: usedMemoryBytes } = this.#accounted;
    const whole = { ...description, ...(usedMemoryBytes !== undefined && { usedMemoryBytes }) };
    this.#writer?.describeEnd(whole, { ...end, ...this.#accounted }, timeNs);
  }

  /** Whether nothing is left to write about it. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /**
   * Whether its owner had not opted in. It is then listed, so that this stays known, but its files are not searched.
   */
  get isRefused(): boolean {
    return this.#listings > 0 && this.#writer === undefined;
  }

  /** Whether it ended so long ago, `settleMs`, that its files are complete. */
  isSettled({ nowMs, monotonicMs }: Pick<Clock, 'nowMs' | 'monotonicMs'>, settleMs: number): boolean {
    const { state, endedMs = 0 } = this.#job;
    if (!isEnded(state)) this.#settledMs = undefined;
    // The time of its end is by Slurm's clock, so it can only shorten the wait.
    else this.#settledMs ??= monotonicMs() + Math.min(settleMs, Math.max(0, endedMs + settleMs - nowMs()));
    return this.#settledMs !== undefined && monotonicMs() >= this.#settledMs;
  }

  setDone(): void {
    this.#isDone = true;
    this.#writer = undefined;
  }

  /** Takes newer facts of the job, true as of `knownMs`. Returns whether anything has changed. */
  update(job: SlurmJob, knownMs: number): boolean {
    this.#knownMs = knownMs;
    if (job === this.#job || isLeaving(this.#job, job) || JSON.stringify(job) === JSON.stringify(this.#job))
      return false;
    if (this.#phase === 'ended' && !isEnded(job.state)) this.#beginAgain();
    this.#job = job;
    this.#ranSinceMs = job.startedMs ?? this.#ranSinceMs;
    if (job.state === 'RUNNING' || job.state === 'SUSPENDED') this.#lastActive = job.state;
    this.addAttempt(job);
    return true;
  }

  /** Slurm would tell the same now. */
  confirm(knownMs: number): void {
    if (!isEnded(this.#job.state)) this.#knownMs = Math.max(this.#knownMs, knownMs);
  }

  /** A job can be requeued after its end. */
  #beginAgain(): void {
    this.#phase = 'followed';
    this.#isDone = false;
    this.#writer = undefined;
    this.#listings = 0;
    this.#endListings = 0;
    this.#settledMs = undefined;
    this.#isBackAgain = true;
    this.#accounted = {};
    this.#endQuestions = 0;
  }

  /** True once for a job that begins again: the watcher takes a job that was left out of one listing for a new one. */
  takeIsBackAgain(): boolean {
    const isBackAgain = this.#isBackAgain;
    this.#isBackAgain = false;
    return isBackAgain;
  }

  /** Adds the facts of one attempt of the job, even an earlier one. */
  addAttempt(job: SlurmJob): void {
    const known = this.#attempts.get(job.restarts);
    const lastActive = job.restarts === this.#job.restarts ? this.#lastActive : (known?.lastActive ?? 'RUNNING');
    this.#attempts.set(job.restarts, { job, lastActive });
    this.#writeChanges(job, lastActive);
  }

  /** Whether its log is open. */
  get isLogged(): boolean {
    return this.#writer !== undefined;
  }

  /** Adds a row to one of its tables. */
  addRow(row: JsonValue): void {
    this.#writer?.addRow(row);
  }

  addNotice(text: string): void {
    this.#writer?.addNotice('stdout', text);
  }

  /**
   * The job as it was last listed, which is now known to be so until the time of Slurm's answer; undefined: it is to be
   * listed anew.
   */
  listAgain(claims: ClaimedPaths): DiscoveredJob | undefined {
    const listed = this.#listed;
    const isSame = listed?.facts === this.#job && listed.isRefused === this.isRefused && !claims.isShared(this.#job);
    if (!isSame) return undefined;
    listed.known.ms = this.#knownMs;
    return listed.job;
  }

  /** Lists the job for the watcher. `hasEnded`: its files are complete. `claims`: who else writes to its paths. */
  list(id: string, hasEnded: boolean, claims: ClaimedPaths): DiscoveredJob {
    const job = this.#job;
    const files = this.#listFiles((path) => claims.hasOthers(path, job));
    const known = { ms: this.#knownMs };
    const writing = this.#findWriting(known);
    // What is refused shows at the next look.
    const { isRefused } = this;
    this.#listings += 1;
    if (hasEnded) {
      this.#phase = 'ended';
      this.#endListings += 1;
      if (this.#endListings > END_LISTINGS) this.setDone();
    }
    const listed: DiscoveredJob = {
      id,
      name: job.name,
      owner: { uid: job.uid, name: job.user },
      files,
      startedMs: job.startedMs ?? job.submittedMs,
      ...(writing && { writing }),
      isEnded: hasEnded,
      onPipeline: (writer) => this.#attach(writer),
    };
    const isSteady = !isEnded(job.state) && files.every((file) => !file.isShared);
    this.#listed = isSteady ? { job: listed, facts: job, isRefused, known } : undefined;
    return listed;
  }

  #attach(writer: JobWriter): void {
    this.#writer = writer;
    this.#writtenNs.clear();
    const attempts = [...this.#attempts.values()].sort((a, b) => a.job.restarts - b.job.restarts);
    for (const { job, lastActive } of attempts) this.#writeChanges(job, lastActive);
  }

  #writeChanges(job: SlurmJob, lastActive: ActiveState): void {
    if (this.#writer === undefined) return;
    for (const { timeNs, description, change, end } of listChanges(job, lastActive)) {
      if (this.#writtenNs.has(timeNs)) continue;
      this.#writtenNs.add(timeNs);
      if (end === undefined) this.#writer.describe(description, timeNs);
      else this.#describeEnd(description, end, timeNs);
      this.#writer.changeState(change, timeNs);
    }
  }

  /** For a job that waits again, this is its last attempt: Slurm ended it when it reset the time of submission. */
  #findWriting(known: KnownTime): WritingTime | undefined {
    const { state, startedMs, endedMs, submittedMs } = this.#job;
    const sinceMs = startedMs ?? this.#ranSinceMs;
    if (sinceMs === undefined) return undefined;
    const endMs = startedMs === undefined ? submittedMs : (endedMs ?? known.ms);
    const hasEnd = startedMs === undefined || isEnded(state);
    return {
      sinceMs,
      ...(hasEnd && { untilMs: endMs }),
      get knownMs() {
        return known.ms;
      },
    };
  }

  #listFiles(isShared: (path: string) => boolean): DiscoveredFile[] {
    const { stdoutPaths, stderrPaths, isMerged = false } = this.#job;
    const files = [
      ...stdoutPaths.map((path) => ({ path, stream: 'stdout' as const, isMerged, isShared: isShared(path) })),
      ...stderrPaths.map((path) => ({ path, stream: 'stderr' as const, isShared: isShared(path) })),
    ];
    // For a job that is not logged, only the place where it ends matters.
    return this.isRefused ? files.filter((file) => file.isShared) : files;
  }
}

/**
 * Whether a requeued job still has processes. Slurm counts the restart at once, but submits the job again only when
 * these are gone (batch_requeue_fini in job_mgr.c); until then it tells the times of the attempt that ends.
 */
function isLeaving(known: SlurmJob, job: SlurmJob): boolean {
  return job.restarts > known.restarts && job.submittedMs === known.submittedMs;
}
