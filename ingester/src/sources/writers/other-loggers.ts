import {
  fileClaimsQuery,
  jobWritersQuery,
  readFileClaims,
  readJobWriters,
  type StoredClaim,
  type WriterHeartbeat,
} from '@joblens/core/ask/heartbeats/job-writers';
import { groupBy } from '@joblens/core/lists/group-by';
import { findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
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
const [FINEST] = HEARTBEAT_GRIDS;
/** The claim of a file that does not grow is renewed so often. */
export const RENEW_MS = 7_200_000;

interface OtherLoggersOptions {
  /** Tells the spool of this `watch` from others. */
  readonly id: string;
  readonly host: string;
  readonly ask: AskStore;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly report: Pick<Reporter, 'warn' | 'info' | 'debug'>;
  /** Log what others log, too. */
  readonly isBeside: boolean;
}

/** Another joblens that logs a file, or is about to. */
export interface OtherLogger {
  readonly kind: 'run' | 'watch' | 'claim';
  /** The spool of a `watch`. */
  readonly id: string;
  /** Where it runs, if that is known. */
  readonly host: string;
  /** When it said so, by its clock. */
  readonly saidMs: number;
  /** The end of the slot in which it did: until then it need not say so again. */
  readonly untilMs: number;
}

/** What the store knows of one file. */
export interface KnownLoggers {
  /** Others that log it, `run` before the newest `watch`. */
  readonly logging: readonly OtherLogger[];
  /** Others that are about to. */
  readonly claiming: readonly OtherLogger[];
  /** What this `watch` has said of it last, and when. */
  readonly own: Pick<OtherLogger, 'kind' | 'saidMs'> | undefined;
}

/** Which file is asked about, and how new the answer must be. */
export interface LoggersRequest {
  readonly source: JobSource;
  readonly file: string;
  /** The store is asked at this time (monotonic) or later. */
  readonly sinceMs: number;
  /** The file last changed then. What does not grow is claimed seldom. */
  readonly changedMs: number;
}

interface Answer {
  readonly heartbeats: ReadonlyMap<string, readonly WriterHeartbeat[]>;
  readonly claims: ReadonlyMap<string, readonly StoredClaim[]>;
}

const NOTHING: Answer = { heartbeats: new Map(), claims: new Map() };
const NOBODY: KnownLoggers = { logging: [], claiming: [], own: undefined };

/**
 * Finds out from the store whether another joblens logs a file: `run`, or a `watch` with another spool. A store that
 * does not answer knows nobody: losing nothing is better than doubles.
 */
export class OtherLoggers {
  readonly #options: OtherLoggersOptions;
  #askedMs = -Infinity;
  /** Whether the answer has also the claims of files that do not grow. */
  #isLong = false;
  #isAnswered = false;
  #answer: Promise<Answer> = Promise.resolve(NOTHING);
  readonly #said = new Set<string>();

  constructor(options: OtherLoggersOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#options.id;
  }

  get host(): string {
    return this.#options.host;
  }

  get isBeside(): boolean {
    return this.#options.isBeside;
  }

  /** Whether the store has answered when it was last asked. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Who logs the file; `later` while that cannot be asked. */
  async find(request: LoggersRequest): Promise<KnownLoggers | 'later'> {
    const { clock, isBeside } = this.#options;
    if (isBeside) return NOBODY;
    const { sinceMs, changedMs } = request;
    const nowMs = clock.monotonicMs();
    const isLong = changedMs < findRecentMs(clock.nowMs());
    const isFresh = this.#askedMs >= sinceMs && nowMs - this.#askedMs < FRESH_MS && (this.#isLong || !isLong);
    if (!isFresh && (nowMs < sinceMs || nowMs - this.#askedMs < SOONEST_MS)) return 'later';
    if (!isFresh) {
      this.#askedMs = nowMs;
      this.#isLong = isLong;
      this.#answer = this.#ask(isLong);
    }
    return this.#read(await this.#answer, request);
  }

  /** Says once of each job that it is left to another. */
  sayStandBy({ job, user }: JobSource, { kind, host }: OtherLogger): void {
    const key = formatJobKey({ job, user });
    if (this.#said.has(key)) return;
    this.#said.add(key);
    const where = host === '' ? '' : ` on ${host}`;
    const whom = kind === 'run' ? 'joblens run' : `joblens watch with another spool${where}`;
    const advice = kind === 'run' ? '' : 'stop one of the two; ';
    this.#options.report.warn(
      `job ${job} of ${user} is logged by another joblens, as its heartbeats say: nothing is logged here while that ` +
        `goes on. It is ${whom}; ${advice}--beside logs it here all the same`
    );
  }

  sayTakeOver({ job }: JobSource, path: string): void {
    this.#options.report.info(`the other joblens has stopped logging job ${job}: ${path} is logged here from now on`);
  }

  #read({ heartbeats, claims }: Answer, { source, file, changedMs }: LoggersRequest): KnownLoggers {
    const key = formatJobKey(source);
    const beats = heartbeats.get(key) ?? [];
    const newest = new Map<string, StoredClaim>();
    for (const one of claims.get(key) ?? []) {
      if (one.claim.file === file && !newest.has(one.claim.id)) newest.set(one.claim.id, one);
    }
    const recentMs = findRecentMs(this.#options.clock.nowMs());
    const claimed = [...newest.values()].flatMap(toLogger);
    const said = beats.flatMap((beat) => (concerns(beat.writer, file) ? readBeat(beat, newest) : []));
    // An old claim counts while the file has not grown since.
    const all = [...claimed, ...said].filter(({ saidMs, untilMs }) => saidMs >= recentMs || changedMs < untilMs);
    const others = all.filter(({ id }) => id !== this.id).sort(compareLoggers);
    const ofOwn = newest.get(this.id);
    return {
      logging: others.filter(({ kind }) => kind !== 'claim'),
      claiming: others.filter(({ kind }) => kind === 'claim'),
      own:
        ofOwn === undefined
          ? this.#readOwnBeat(beats, file)
          : { kind: ofOwn.claim.kind === 'watch' ? 'watch' : 'claim', saidMs: ofOwn.timeMs },
    };
  }

  /** Which of very many files are ours, a heartbeat does not say. */
  #readOwnBeat(beats: readonly WriterHeartbeat[], file: string): KnownLoggers['own'] {
    const own = beats.find(
      ({ writer }) =>
        writer.kind === 'watch' && writer.id === this.id && (writer.files.includes(file) || isFullOfFiles(writer))
    );
    return own && { kind: 'watch', saidMs: own.slotMs };
  }

  async #ask(isLong: boolean): Promise<Answer> {
    const { ask, clock, report } = this.#options;
    const nowMs = clock.nowMs();
    const fromMs = findRecentMs(nowMs) - (isLong ? RENEW_MS : 0);
    const answer = await ask([jobWritersQuery(nowMs), fileClaimsQuery(fromMs)]);
    this.#isAnswered = answer.ok;
    if (!answer.ok) {
      report.debug(`who else logs the jobs is not known: ${answer.error}`);
      return NOTHING;
    }
    const heartbeats = groupBy(readJobWriters(answer.value[0]), formatJobKey);
    const claims = groupBy(readFileClaims(answer.value[1]), formatJobKey);
    // Others that are heard of no more need not be remembered.
    for (const key of this.#said) if (!heartbeats.has(key) && !claims.has(key)) this.#said.delete(key);
    return { heartbeats, claims };
  }
}

/** The start of the slot before the present one. */
function findRecentMs(nowMs: number): number {
  return findSlotStartMs(nowMs, FINEST) - FINEST.slotMs;
}

function toLogger({ claim: { kind, id, host }, timeMs }: StoredClaim): OtherLogger[] {
  const untilMs = findSlotStartMs(timeMs, FINEST) + FINEST.slotMs;
  return kind === 'left' ? [] : [{ kind, id, host, saidMs: timeMs, untilMs }];
}

/** A `watch` whose claims are known says nothing more by a heartbeat. */
function readBeat({ writer, slotMs }: WriterHeartbeat, claimed: ReadonlyMap<string, unknown>): OtherLogger[] {
  const id = writer.kind === 'watch' ? writer.id : '';
  if (writer.kind === 'watch' && claimed.has(id)) return [];
  return [{ kind: writer.kind, id, host: '', saidMs: slotMs, untilMs: slotMs + FINEST.slotMs }];
}

function compareLoggers(a: OtherLogger, b: OtherLogger): number {
  return Number(b.kind === 'run') - Number(a.kind === 'run') || b.untilMs - a.untilMs || b.saidMs - a.saidMs;
}

/** A `run` whose output passes through a pipe may log any file of its job. */
function concerns({ kind, files }: JobWriter, file: string): boolean {
  return files.includes(file) || (kind === 'run' && files.length === 0);
}
