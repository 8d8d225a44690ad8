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
/** How long a claim may take to the store. A file whose claim does not arrive is logged: nothing is to be lost. */
const ARRIVAL_MS = 20_000;

interface Claim {
  readonly madeMs: number;
  /** Since then it may be in the store. */
  sinceMs: number;
  /** The store was asked, and did not have it. */
  isLate: boolean;
}

/** A file that is to be followed, and what is known of others that log it. */
export interface ClaimedFile {
  /** The file exists since then, or is known since then. */
  sinceMs: number;
  claim: Claim | undefined;
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
    const { claim, sinceMs } = claimed;
    const settledMs = claim === undefined ? sinceMs : claim.sinceMs + waitMs(claim);
    const found = await others.findUntilMs(now.source, now.file, this.#isHurried ? -Infinity : settledMs);
    if (found === 'later') return 'unknown';
    if (typeof found !== 'number' && claimed.standBy === undefined && !this.#isConfirmed(claim, found))
      return 'unknown';
    const untilMs = found === 'own' ? undefined : found;
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

  /** Whether the store has had the claim long enough for another to read it. A claim that is late waits anew. */
  #isConfirmed(claim: Claim | undefined, found: 'own' | undefined): boolean {
    const { others, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    if (claim === undefined || this.#isHurried || !others.isAnswered) return true;
    if (nowMs - claim.madeMs >= ARRIVAL_MS || (found === 'own' && !claim.isLate)) return true;
    claim.isLate = found !== 'own';
    claim.sinceMs = nowMs;
    return false;
  }

  /** Claims a file that is ours so far. True if that is to be confirmed, by deciding once more in CLAIM_MS. */
  claim(claimed: ClaimedFile, file: string, pipeline: JobPipeline): boolean {
    const { others, clock } = this.#options;
    pipeline.noteWriter({ kind: 'watch', id: others.id, files: [file] });
    const isFirst = claimed.standBy === undefined && claimed.claim === undefined;
    if (!isFirst || !others.isAnswered || this.#isHurried) return false;
    const nowMs = clock.monotonicMs();
    claimed.claim = { madeMs: nowMs, sinceMs: nowMs, isLate: false };
    return true;
  }
}

/** A slow store is asked ever more seldom. */
function waitMs({ madeMs, sinceMs, isLate }: Claim): number {
  return isLate ? Math.max(CLAIM_MS, sinceMs - madeMs) : CLAIM_MS;
}
