import type { JobSource } from '@joblens/core/schema/measurements';
import type { Clock } from '../../clock/clock.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { OtherLoggers } from './other-loggers.js';
import { StandBy } from './stand-by.js';

/**
 * The time after which a claimed file is asked about once more: another that has begun at the same time, and has not
 * seen the claim, has claimed it by then. Of two that claim one file, the later has it, as both read then; `run`, which
 * cannot wait, always has it.
 */
export const CLAIM_MS = 1500;

/** A file that is to be followed, and what is known of others that log it. */
export interface ClaimedFile {
  /** The file exists since then, or is known since then. */
  sinceMs: number;
  claimedMs: number | undefined;
  /** Another joblens logs the file, or has logged it until now. */
  standBy: StandBy | undefined;
}

/** How the file is now. */
export interface FileNow {
  readonly file: string;
  readonly source: JobSource;
  readonly path: string;
  readonly changedMs: number;
  /** The place where it ends. */
  noteEnd(): Promise<string>;
}

interface FileClaimsOptions {
  readonly others: OtherLoggers;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Decides for each file which of several joblens logs it. */
export class FileClaims {
  readonly #options: FileClaimsOptions;
  #isHurried = false;

  constructor(options: FileClaimsOptions) {
    this.#options = options;
  }

  /** From now on, what is known decides: the process is about to end. */
  hurry(): void {
    this.#isHurried = true;
  }

  /** Whether the file is to be logged here, by others, or that is not known yet. */
  async decide(
    claimed: ClaimedFile,
    now: FileNow,
    pipeline: JobPipeline | undefined
  ): Promise<'ours' | 'theirs' | 'unknown'> {
    const { others, clock } = this.#options;
    const { claimedMs, sinceMs } = claimed;
    const settledMs = claimedMs === undefined ? sinceMs : claimedMs + CLAIM_MS;
    const untilMs = await others.findUntilMs(now.source, now.file, this.#isHurried ? -Infinity : settledMs);
    if (untilMs === 'later') return 'unknown';
    if (claimed.standBy === undefined) {
      if (untilMs === undefined) return 'ours';
      claimed.standBy = new StandBy(await now.noteEnd(), untilMs);
      pipeline?.leaveFile(now.file);
      others.sayStandBy(now.source);
      return 'theirs';
    }
    if (untilMs !== undefined && claimed.standBy.takeHeartbeat(untilMs)) claimed.standBy.note(await now.noteEnd());
    if (!claimed.standBy.hasStopped(now.changedMs, clock.monotonicMs())) return 'theirs';
    others.sayTakeOver(now.source, now.path);
    return 'ours';
  }

  /** Claims a file that is ours so far. True if that is to be confirmed, by deciding once more in CLAIM_MS. */
  claim(claimed: ClaimedFile, file: string, pipeline: JobPipeline): boolean {
    const { others, clock } = this.#options;
    pipeline.noteWriter({ kind: 'watch', id: others.id, files: [file] });
    const isFirst = claimed.standBy === undefined && claimed.claimedMs === undefined;
    if (!isFirst || !others.isAnswered || this.#isHurried) return false;
    claimed.claimedMs = clock.monotonicMs();
    return true;
  }
}
