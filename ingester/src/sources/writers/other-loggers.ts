import { jobWritersQuery, readJobWriters, type WriterHeartbeat } from '@joblens/core/ask/heartbeats/job-writers';
import { HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { isFullOfFiles, type JobWriter } from '@joblens/core/schema/job-writer';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { Clock } from '../../clock/clock.js';
import type { Reporter } from '../../host/report.js';
import { formatJobKey } from '../../pipeline/job-state.js';
import type { AskStore } from '../../read-back/shell/ask-store.js';

/** One answer serves all jobs for this time. */
const FRESH_MS = 20_000;
/** However many files ask, the store is not asked more often. */
const SOONEST_MS = 1000;
const [{ slotMs: SLOT_MS }] = HEARTBEAT_GRIDS;

interface OtherLoggersOptions {
  /** Tells the spool of this `watch` from others. */
  readonly id: string;
  readonly ask: AskStore;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly report: Pick<Reporter, 'warn' | 'info' | 'debug'>;
  /** Log what others log, too. */
  readonly isBeside: boolean;
}

/**
 * Finds out from the heartbeats in the store whether another joblens logs a job: `run`, or a `watch` with another spool
 * that follows the same file. A store that does not answer knows nobody: losing nothing is better than doubles.
 */
export class OtherLoggers {
  readonly #options: OtherLoggersOptions;
  #askedMs = -Infinity;
  #isAnswered = false;
  #answer: Promise<ReadonlyMap<string, readonly WriterHeartbeat[]>> = Promise.resolve(new Map());
  readonly #said = new Set<string>();

  constructor(options: OtherLoggersOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#options.id;
  }

  /** Whether the store has answered when it was last asked. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /**
   * The end of the newest slot in which another logged this file of the job, as it was at `sinceMs` (monotonic) or
   * later; `own` if it was this one, undefined if none did of late, `later` while that cannot be asked.
   */
  async findUntilMs(source: JobSource, file: string, sinceMs: number): Promise<number | 'own' | undefined | 'later'> {
    const { clock, isBeside, id } = this.#options;
    if (isBeside) return undefined;
    const nowMs = clock.monotonicMs();
    const isFresh = this.#askedMs >= sinceMs && nowMs - this.#askedMs < FRESH_MS;
    if (!isFresh && (nowMs < sinceMs || nowMs - this.#askedMs < SOONEST_MS)) return 'later';
    if (!isFresh) {
      this.#askedMs = nowMs;
      this.#answer = this.#ask();
    }
    const heartbeats = (await this.#answer).get(formatJobKey(source)) ?? [];
    // The newest one counts: this one may have taken the file over.
    const newest = heartbeats.find(({ writer }) => concerns(writer, file));
    const isOwn = ({ writer }: WriterHeartbeat): boolean => writer.kind === 'watch' && writer.id === id;
    // Which of very many files are ours is not known.
    if (newest === undefined)
      return heartbeats.some((one) => isOwn(one) && isFullOfFiles(one.writer)) ? 'own' : undefined;
    return isOwn(newest) ? 'own' : newest.slotMs + SLOT_MS;
  }

  /** Says once of each job that it is left to another. */
  sayStandBy({ job, user }: JobSource): void {
    const key = formatJobKey({ job, user });
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.#options.report.warn(
      `job ${job} of ${user} is logged by another joblens, as its heartbeats say: nothing is logged here while that ` +
        'goes on; --beside logs it here all the same'
    );
  }

  sayTakeOver({ job }: JobSource, path: string): void {
    this.#options.report.info(`the other joblens has stopped logging job ${job}: ${path} is logged here from now on`);
  }

  async #ask(): Promise<ReadonlyMap<string, readonly WriterHeartbeat[]>> {
    const { ask, clock, report } = this.#options;
    const byJob = new Map<string, WriterHeartbeat[]>();
    const answer = await ask([jobWritersQuery(clock.nowMs())]);
    this.#isAnswered = answer.ok;
    if (!answer.ok) report.debug(`who else logs the jobs is not known: ${answer.error}`);
    for (const heartbeat of answer.ok ? readJobWriters(answer.value[0]) : []) {
      const key = formatJobKey(heartbeat);
      byJob.set(key, [...(byJob.get(key) ?? []), heartbeat]);
    }
    // Others that are heard of no more need not be remembered.
    if (answer.ok) for (const key of this.#said) if (!byJob.has(key)) this.#said.delete(key);
    return byJob;
  }
}

/** A `run` whose output passes through a pipe may log any file of its job. */
function concerns({ kind, files }: JobWriter, file: string): boolean {
  return files.includes(file) || (kind === 'run' && files.length === 0);
}
