import type { Clock } from '../../clock/clock.js';
import type { Reporter } from '../../host/report.js';
import type { SourceFaults } from '../guard/source-faults.js';
import { backOff, DEFAULT_SLURM_INTERVAL_MS } from './back-off.js';
import type { AccountedFacts, FollowedJob } from './followed-job.js';
import { ACCOUNTING_ENVIRONMENT, accountingArgs, createDelimiter, parseAccounting } from './parse-accounting.js';
import { type AccountedEnd, endArgs, parseEnds } from './parse-end.js';
import type { RunProgram } from '../../slurm/run-program.js';
import type { SlurmJob } from './slurm-job.js';

/** Clocks differ, and accounting learns of events a little later. */
const OVERLAP_MS = 60_000;
/** Bounds one question about ends; the other jobs are in the next one. */
const MAX_ENDS_A_QUESTION = 500;

/** What accounting is asked for. */
const MISSED_JOBS = 'missed jobs';
const JOB_ENDS = 'how jobs ended';

export interface SlurmAccountingOptions {
  readonly run: RunProgram;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly report: Reporter;
  readonly faults: SourceFaults;
  /** Our own effective user id: root sees all jobs, anyone else only their own. */
  readonly uid: number;
  readonly intervalMs?: number;
  /** Names a user; by number, if this machine does not know the user. */
  readonly findUser: (uid: number) => Promise<{ readonly name: string }>;
}

/** Asks Slurm's accounting, through sacct, for what squeue does not tell. */
export class SlurmAccounting {
  readonly #options: SlurmAccountingOptions;
  #isKept = true;
  #failures = 0;
  #nextMs = -Infinity;
  /** The questions whose failure was said and still holds. */
  readonly #warned = new Set<string>();

  constructor(options: SlurmAccountingOptions) {
    this.#options = options;
  }

  /** False once it is known that Slurm keeps none. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Lists the attempts of jobs since then; none where there is no accounting. Undefined while it does not answer. */
  async listAttempts(sinceMs: number): Promise<readonly SlurmJob[] | undefined> {
    if (!this.#isKept) return [];
    const { run, uid, clock, faults, intervalMs = DEFAULT_SLURM_INTERVAL_MS } = this.#options;
    if (clock.monotonicMs() < this.#nextMs) return undefined;
    const delimiter = createDelimiter();
    const answer = await run('sacct', accountingArgs(sinceMs - OVERLAP_MS, delimiter), ACCOUNTING_ENVIRONMENT);
    if (!answer.ok) {
      this.#noteFailure(answer.error, MISSED_JOBS);
      this.#failures += 1;
      this.#nextMs = clock.monotonicMs() + backOff(intervalMs, this.#failures);
      // It may have become known that there is none.
      return this.isKept ? undefined : [];
    }
    this.#failures = 0;
    this.#warned.delete(MISSED_JOBS);
    const attempts = parseAccounting(answer.value, delimiter, (error) => faults.note('a record of sacct', error));
    return attempts.filter((attempt) => uid === 0 || attempt.uid === uid);
  }

  /** Asks how these jobs ended. Without an answer, the reasons of these ends say what squeue knows. */
  async tellEnds(jobs: Iterable<FollowedJob>): Promise<void> {
    if (!this.#isKept) return;
    const { run, faults } = this.#options;
    const open = [...jobs].filter(({ isEndOpen }) => isEndOpen).slice(0, MAX_ENDS_A_QUESTION);
    if (open.length === 0) return;
    const rawIds = open.map(({ job }) => job.rawId);
    const answer = await run('sacct', endArgs(rawIds), ACCOUNTING_ENVIRONMENT);
    if (!answer.ok) this.#noteFailure(answer.error, JOB_ENDS);
    else this.#warned.delete(JOB_ENDS);
    const ends = parseEnds(answer.ok ? answer.value : '', (error) => faults.note('a record of sacct', error));
    for (const entry of open) {
      const { id, rawId } = entry.job;
      const facts = await faults.containAll(`the end of job ${id}`, () => this.#nameCanceller(ends.get(rawId)));
      faults.contain(`the end of job ${id}`, () => entry.addAccountedEnd(facts));
    }
  }

  async #nameCanceller({ cancelledByUid: uid, ...facts }: AccountedEnd = {}): Promise<AccountedFacts> {
    if (uid === undefined) return facts;
    const { name } = await this.#options.findUser(uid);
    return { ...facts, cancelledBy: name === String(uid) ? `user ${uid}` : name };
  }

  #noteFailure(error: string, what: string): void {
    const { report } = this.#options;
    this.#isKept = !/disabled/i.test(error);
    if (!this.#isKept) report.info('Slurm keeps no accounting: the end of a job that nobody saw stays unknown');
    else if (!this.#warned.has(what)) report.warn(`cannot ask Slurm's accounting for ${what}: ${error}`);
    this.#warned.add(what);
  }
}
