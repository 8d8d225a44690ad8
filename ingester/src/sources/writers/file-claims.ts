import { findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { Clock } from '../../clock/clock.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import { type KnownLoggers, type OtherLogger, type OtherLoggers, RENEW_MS } from './other-loggers.js';
import { StandBy } from './stand-by.js';

/** A claim is asked about after this time: `run`, which cannot wait, may have begun without having seen it. */
export const CLAIM_MS = 1500;
/** How long a claim may take to the store. A file whose claim does not arrive is logged: nothing is to be lost. */
const ARRIVAL_MS = 20_000;
/** How soon it is asked again what has become of another's claim. */
const PENDING_MS = 1000;
const [FINEST] = HEARTBEAT_GRIDS;

/** The file is claimed here, and not followed yet. */
interface Claim {
  readonly madeMs: number;
  /** The time of the claim by the wall clock, which the store says. */
  readonly saidMs: number;
  /** The store is asked at this time (monotonic) or later. */
  askMs: number;
  /** The store was asked, and did not have it. */
  isLate: boolean;
}

/** The file is followed here. */
interface Following {
  /** Undefined: it was followed before a restart, and nobody was asked since. */
  file: string | undefined;
  /** Undefined: the file as it was when that was said first. */
  identity: string | undefined;
  /** When that was said last, and the slot of it. */
  saidMs: number;
  slotMs: number;
  /** The store is asked at this time (monotonic) who else follows it. */
  lookMs: number;
  /** When others that are dead have last said that they follow it. */
  readonly dead: Map<string, number>;
}

/** A file that is to be followed, and what is known of others that log it. */
export interface ClaimedFile {
  /** The file exists since then, or is known since then. */
  sinceMs: number;
  claim?: Claim | undefined;
  /** Another joblens logs the file, or has logged it until now. */
  standBy?: StandBy | undefined;
  following?: Following | undefined;
  /** Others that had claimed the file when they were first seen, by the claim, and when that was (monotonic). */
  pending?: Map<string, number> | undefined;
}

/** What is read of a file. */
export interface FollowedFile {
  /** Tells the file from one that comes in its place. */
  readonly identity: string;
  /** Whether it has grown since that time (monotonic). */
  readonly hasGrown: (sinceMs: number) => boolean;
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

type Decision = 'ours' | 'theirs' | 'unknown';

interface FileClaimsOptions {
  readonly others: OtherLoggers;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
}

/**
 * Decides for each file which of several joblens logs it. Each `watch` first says that it claims the file, then asks
 * who else does: of two, one at least sees the other. Who follows the file goes before who claims it, and of two that
 * claim it at once, the lower id first. `run`, which cannot wait, goes before all that have only claimed it.
 */
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
  async decide(claimed: ClaimedFile, now: FileNow, pipeline: JobPipeline | undefined): Promise<Decision> {
    if (claimed.following !== undefined) return 'ours';
    const { standBy, claim } = claimed;
    // What is covered by what the other has said need not be asked about.
    if (claim === undefined && standBy !== undefined && now.changedMs < standBy.untilMs) return 'theirs';
    const sinceMs = this.#isHurried ? -Infinity : (claim?.askMs ?? claimed.sinceMs);
    const changedMs = standBy === undefined ? now.changedMs : Infinity;
    const found = await this.#options.others.find({ ...now, sinceMs, changedMs });
    if (found === 'later') return 'unknown';
    if (claim !== undefined && pipeline !== undefined) return this.#confirm(claimed, claim, { now, found, pipeline });
    if (standBy !== undefined) return this.#waitOn(claimed, standBy, { now, found });
    return this.#decideFirst(claimed, now, found);
  }

  /** Claims a file that is ours so far. True if that is to be confirmed, by deciding once more in CLAIM_MS. */
  claim(claimed: ClaimedFile, file: string, pipeline: JobPipeline): boolean {
    const { others, clock } = this.#options;
    if (claimed.following !== undefined) return false;
    if (others.isBeside || !others.isAnswered || this.#isHurried) {
      this.#follow(claimed, file, pipeline, []);
      return false;
    }
    const [nowMs, saidMs] = [clock.monotonicMs(), clock.nowMs()];
    claimed.claim = { madeMs: nowMs, saidMs, askMs: nowMs + CLAIM_MS, isLate: false };
    this.#say(pipeline, 'claim', file);
    return true;
  }

  /** Whether it is time to keep a file that is followed here. */
  isToKeep({ following }: ClaimedFile, { identity, hasGrown }: FollowedFile): boolean {
    if (following === undefined || this.#isHurried || this.#options.others.isBeside) return false;
    following.identity ??= identity;
    return this.#options.clock.monotonicMs() >= following.lookMs || this.#isToSay(following, { identity, hasGrown });
  }

  /**
   * Says again that a file is followed here, and looks whether another does so, too: after a restart, or when the store
   * was away. `theirs`: it is left to the other from now on. The place of `now` is up to where it was logged here.
   */
  async keep(claimed: ClaimedFile, now: FileNow, followed: FollowedFile, pipeline: JobPipeline): Promise<Decision> {
    const { others, clock } = this.#options;
    const { following } = claimed;
    if (following === undefined) return 'ours';
    const isRestored = following.file === undefined;
    if (!isRestored && this.#isToSay(following, followed)) this.#renew(following, now.file, followed, pipeline);
    if (clock.monotonicMs() < following.lookMs) return 'ours';
    const found = await others.find({ ...now, sinceMs: following.lookMs });
    if (found === 'later') return isRestored ? 'unknown' : 'ours';
    // A store that was away is asked again.
    following.lookMs = others.isAnswered ? Infinity : clock.monotonicMs() + ARRIVAL_MS;
    const rival = found.logging.find((one) => this.#isRival(one, isRestored ? found.own : undefined, following));
    if (rival === undefined) {
      if (isRestored) this.#follow(claimed, now.file, pipeline, found.logging);
      return 'ours';
    }
    const place = await now.noteEnd();
    claimed.standBy = new StandBy(place, rival.untilMs, place);
    this.#leave(claimed, now.file, pipeline);
    others.sayStandBy(now.source, rival);
    return 'theirs';
  }

  /** Goes on with a file that was followed before a restart. */
  restore(claimed: ClaimedFile): void {
    const lookMs = this.#options.clock.monotonicMs();
    const never = { file: undefined, identity: undefined, saidMs: -Infinity, slotMs: -Infinity };
    claimed.following = { ...never, lookMs, dead: new Map() };
  }

  async #decideFirst(claimed: ClaimedFile, now: FileNow, found: KnownLoggers): Promise<Decision> {
    const [logger] = found.logging;
    if (logger !== undefined) return this.#standBy(claimed, now, logger);
    return this.#isAnyPending(claimed, found.claiming) ? this.#askLater(claimed) : 'ours';
  }

  async #confirm(
    claimed: ClaimedFile,
    claim: Claim,
    { now, found, pipeline }: { now: FileNow; found: KnownLoggers; pipeline: JobPipeline }
  ): Promise<Decision> {
    if (!this.#hasArrived(claim, found.own)) return 'unknown';
    const untilMs = claimed.standBy?.untilMs ?? -Infinity;
    // Whose place this one takes is dead.
    const logger = found.logging.find((one) => one.untilMs > untilMs);
    if (logger !== undefined) {
      this.#leave(claimed, now.file, pipeline);
      return this.#standBy(claimed, now, logger);
    }
    const { id } = this.#options.others;
    if (this.#isAnyPending(claimed, found.claiming)) {
      if (found.claiming.some((one) => one.id < id)) this.#leave(claimed, now.file, pipeline);
      return this.#askLater(claimed);
    }
    if (claimed.standBy !== undefined) this.#options.others.sayTakeOver(now.source, now.path);
    this.#follow(claimed, now.file, pipeline, found.logging);
    return 'ours';
  }

  /** Whether the store has had the claim long enough for another to read it. A claim that is late waits anew. */
  #hasArrived(claim: Claim, own: KnownLoggers['own']): boolean {
    const { others, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    if (this.#isHurried || !others.isAnswered || nowMs - claim.madeMs >= ARRIVAL_MS) return true;
    const isThere = own !== undefined && own.saidMs >= claim.saidMs;
    if (isThere && !claim.isLate) return true;
    // A slow store is asked ever more seldom.
    claim.askMs = nowMs + (isThere ? CLAIM_MS : Math.max(CLAIM_MS, nowMs - claim.madeMs));
    claim.isLate = !isThere;
    return false;
  }

  async #waitOn(
    claimed: ClaimedFile,
    standBy: StandBy,
    { now, found }: { now: FileNow; found: KnownLoggers }
  ): Promise<Decision> {
    const untilMs = found.logging[0]?.untilMs;
    if (untilMs !== undefined && standBy.takeHeartbeat(untilMs)) standBy.note(await now.noteEnd());
    if (!standBy.hasStopped(now.changedMs, this.#options.clock.monotonicMs())) return 'theirs';
    return this.#isAnyPending(claimed, found.claiming) ? this.#askLater(claimed) : 'ours';
  }

  async #standBy(claimed: ClaimedFile, now: FileNow, logger: OtherLogger): Promise<Decision> {
    const { standBy } = claimed;
    if (standBy === undefined) claimed.standBy = new StandBy(await now.noteEnd(), logger.untilMs);
    else if (standBy.takeHeartbeat(logger.untilMs)) standBy.note(await now.noteEnd());
    this.#options.others.sayStandBy(now.source, logger);
    return 'theirs';
  }

  /** Whether another is about to follow the file. Who says no more of it for a while is dead. */
  #isAnyPending(claimed: ClaimedFile, claiming: readonly OtherLogger[]): boolean {
    if (this.#isHurried) return false;
    const nowMs = this.#options.clock.monotonicMs();
    const before = claimed.pending;
    claimed.pending = new Map(
      claiming.map(({ id, saidMs }) => [`${id} ${saidMs}`, before?.get(`${id} ${saidMs}`) ?? nowMs])
    );
    return [...claimed.pending.values()].some((sinceMs) => nowMs - sinceMs < ARRIVAL_MS);
  }

  #askLater(claimed: ClaimedFile): Decision {
    const askMs = this.#options.clock.monotonicMs() + PENDING_MS;
    if (claimed.claim === undefined) claimed.sinceMs = askMs;
    else claimed.claim.askMs = askMs;
    return 'unknown';
  }

  #isRival({ kind, id, saidMs }: OtherLogger, own: KnownLoggers['own'], { file, dead }: Following): boolean {
    if (kind !== 'watch') return false;
    // Before a restart, another may have taken the file over.
    if (file === undefined) return saidMs > (own?.saidMs ?? -Infinity);
    return id < this.#options.others.id && saidMs > (dead.get(id) ?? -Infinity);
  }

  #isToSay({ identity: before, saidMs, slotMs, file }: Following, { identity, hasGrown }: FollowedFile): boolean {
    if (file === undefined) return false;
    const { clock } = this.#options;
    const isNewSlot = findSlotStartMs(clock.nowMs(), FINEST) !== slotMs;
    const isOld = clock.monotonicMs() - saidMs >= RENEW_MS - FINEST.slotMs;
    return identity !== before || isOld || (hasGrown(saidMs) && isNewSlot);
  }

  #renew(following: Following, file: string, { identity }: FollowedFile, pipeline: JobPipeline): void {
    const { clock, others } = this.#options;
    const saidMs = clock.monotonicMs();
    if (file !== following.file) pipeline.noteWriter({ kind: 'watch', id: others.id, files: [file] });
    const lookMs = Math.min(following.lookMs, saidMs + PENDING_MS);
    Object.assign(following, { file, identity, saidMs, lookMs, slotMs: findSlotStartMs(clock.nowMs(), FINEST) });
    this.#say(pipeline, 'watch', file);
  }

  #follow(claimed: ClaimedFile, file: string, pipeline: JobPipeline, dead: readonly OtherLogger[]): void {
    const { clock, others } = this.#options;
    const saidMs = clock.monotonicMs();
    claimed.claim = undefined;
    claimed.pending = undefined;
    claimed.following = {
      ...{ file, identity: undefined, saidMs, lookMs: saidMs + ARRIVAL_MS },
      slotMs: findSlotStartMs(clock.nowMs(), FINEST),
      dead: new Map(dead.map((one) => [one.id, one.saidMs])),
    };
    pipeline.noteWriter({ kind: 'watch', id: others.id, files: [file] });
    this.#say(pipeline, 'watch', file);
  }

  #leave(claimed: ClaimedFile, file: string, pipeline: JobPipeline): void {
    claimed.claim = undefined;
    claimed.following = undefined;
    pipeline.leaveFile(file);
    this.#say(pipeline, 'left', file);
  }

  #say(pipeline: JobPipeline, kind: 'claim' | 'watch' | 'left', file: string): void {
    const { id, host } = this.#options.others;
    pipeline.claimFile({ kind, id, file, host });
  }
}
