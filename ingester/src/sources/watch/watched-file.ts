import { SECOND_MS } from '@joblens/core/numbers/time-units';
import type { Stream } from '@joblens/core/schema/measurements';
import type { Clock } from '../../clock/clock.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { Checkpoint, RestorableWriter, RestoredStream } from '../../pipeline/job-stream.js';
import type { WritingTime } from '../file-discovery.js';
import { FileFollower, type FollowState } from './files/file-follower.js';
import type { FileSystem } from './files/file-system.js';
import { FileTimeline } from './file-timeline.js';
import { HeldOutput, type HeldPiece } from './held-output.js';

const SHORTEST_MS = 500;
/** A file that has not changed for some time is unlikely to change within an eighth of it. */
const WAIT_SHARE = 1 / 8;
/** A file that passes from one job to the next is read this often, as a job's output may soon be gone. */
const SHARED_MS = 200;
/** The most bytes held while their job is unknown. */
const MAX_HELD_BYTES = 2 ** 16;

export interface WatchedFileOptions {
  readonly path: string;
  readonly stream: Stream;
  /** It carries both streams of the job (DiscoveredFile). */
  readonly isMerged: boolean;
  /** Undefined when nothing of the job is logged: its output is skipped. */
  readonly pipeline: JobPipeline | undefined;
  readonly uid: number;
  /** The time of the file's last change, by the wall clock. */
  readonly changedMs: number;
  readonly fileSystem: FileSystem;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly idleMs: () => number;
  readonly pollBytes: () => number;
  /** How soon a file is looked at again that has not changed for long. */
  readonly longestWaitMs: () => number;
  /** After this time without a change, the last line of a file counts as complete. */
  readonly quietTimeoutMs: number;
  /** The checkpoint of an earlier follower, where to begin. */
  readonly checkpoint?: string | undefined;
  /** The stream from before a restart. */
  readonly restored?: RestoredStream | undefined;
}

/** The jobs that write to a file, as far as a scheduler knows. */
export interface FileShare {
  /** The writing time of the job that gets the output now; undefined when it does not write. */
  readonly writing: WritingTime | undefined;
  /** The next job, if it has begun. */
  readonly next: WritingTime | undefined;
  /** Other jobs write to the file too, or will. */
  readonly isShared: boolean;
  /** The job's output is complete. */
  readonly isEnded: boolean;
}

/**
 * One followed file and the stream of the job that it feeds. The stream is open while the file changes. If several jobs
 * write to the file in turn, its bytes are held until their job is known, and the file is then handed over to the next
 * job.
 */
export class WatchedFile {
  readonly path: string;
  readonly follower: FileFollower;
  readonly #options: WatchedFileOptions;
  #target: Pick<WatchedFileOptions, 'pipeline' | 'stream' | 'isMerged'>;
  #writer: RestorableWriter | undefined;
  /** Forgets the checkpoint left by an ended stream. */
  #forgetEnded: (() => void) | undefined;
  /** By the monotonic clock. */
  #changedMs: number;
  #hasCaughtUp = false;
  /** Present while others may write to the file. */
  #timeline: FileTimeline | undefined;
  readonly #held = new HeldOutput();
  /** The bytes read, and the bytes known to be this job's. */
  #readBytes = 0;
  #ownBytes = 0;
  /** The next piece begins other content, found at that time. */
  #isAnew = false;
  #restartedMs = -Infinity;
  /** The follower's position at the end of the bytes given to the job; undefined: its present position. */
  #givenCheckpoint: Checkpoint | undefined;
  #isOver = false;

  constructor(options: WatchedFileOptions) {
    this.path = options.path;
    this.#options = options;
    this.#target = options;
    const { path, uid, fileSystem, clock, idleMs, pollBytes, restored, pipeline, stream } = options;
    this.#changedMs = clock.monotonicMs() - Math.max(0, clock.nowMs() - options.changedMs);
    this.follower = new FileFollower({
      ...{ path, uid, fileSystem, clock, idleMs, pollBytes },
      checkpoint: restored?.checkpoint ?? options.checkpoint,
      sink: {
        write: (bytes) => this.#take(bytes),
        skip: (bytes) => void (this.#readBytes += bytes),
        restart: () => this.#restart(),
      },
    });
    if (restored?.wasOpen === true) {
      this.#writer = pipeline?.openStream(stream, (unread) => this.checkpoint(unread), restored);
    } else if (restored !== undefined) {
      this.#forgetEnded = () => pipeline?.forgetRestored(restored);
    }
  }

  get uid(): number {
    return this.#options.uid;
  }

  /** When it was last seen to change, by the monotonic clock. */
  get changedMs(): number {
    return this.#changedMs;
  }

  /** Whether the stream has ended, or never began. */
  get isQuiet(): boolean {
    return this.#writer === undefined;
  }

  /** The place up to which the file was given to its job, less the last `unread` bytes. */
  checkpoint(unread = 0): string {
    return (this.#givenCheckpoint ?? this.follower.snapshot())(unread);
  }

  /** Whether the job of the last bytes is not known yet. */
  get isHolding(): boolean {
    return !this.#held.isEmpty;
  }

  /** Whether all of the job's output was read, so that all further output is the next job's. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Reads new bytes; ends the stream after a quiet time. */
  async poll(share?: FileShare): Promise<FollowState> {
    const { clock } = this.#options;
    const state = await this.#read(share).catch((error: unknown) => {
      // What cannot be read for so long does not keep its job open.
      if (this.#isQuietForLong) this.end();
      throw error;
    });
    // Content from before the file was first seen does not count as a change now.
    if (this.#hasCaughtUp && (state === 'grown' || state === 'more')) this.#changedMs = clock.monotonicMs();
    if (state !== 'more') this.#hasCaughtUp = true;
    if (state === 'more') return state;
    if (state === 'gone') {
      await this.giveRest();
      this.forget();
    } else if (!this.follower.hasHole && this.#isQuietForLong) this.end();
    return state;
  }

  get #isQuietForLong(): boolean {
    const { clock, quietTimeoutMs } = this.#options;
    return clock.monotonicMs() - this.#changedMs > quietTimeoutMs;
  }

  async #read(share: FileShare | undefined): Promise<FollowState> {
    return share === undefined || !this.#isDivided(share) ? this.#readAll() : this.#readShare(share);
  }

  /** The time to wait before the next poll. `random`: from 0 to 1. */
  waitMs(random: number): number {
    if (this.#timeline !== undefined) return SHARED_MS;
    if (this.follower.hasHole) return SHORTEST_MS;
    const quietMs = this.#options.clock.monotonicMs() - this.#changedMs;
    const waitMs = Math.min(this.#options.longestWaitMs(), Math.max(SHORTEST_MS, quietMs * WAIT_SHARE));
    // Files that became quiet together must not be polled together.
    return waitMs * (1 - 0.2 * random);
  }

  /** Hands the file over to another job and forgets the stream of the one before. */
  moveTo(target: Pick<WatchedFileOptions, 'pipeline' | 'stream' | 'isMerged'>): void {
    this.forget();
    this.#target = target;
    this.#isOver = false;
    this.#timeline?.forget(this.#ownBytes);
  }

  /** Gives the job all held bytes, even those that may be another job's. */
  async giveRest(): Promise<void> {
    this.#ownBytes = Infinity;
    await this.#giveOwn();
    this.#ownBytes = this.#readBytes;
  }

  /** Ends the stream and closes the files. */
  async close(): Promise<void> {
    this.end();
    await this.follower.close();
  }

  /** Ends the stream, whose last line is then complete. Only the checkpoint stays. */
  end(): void {
    const writer = this.#writer;
    if (writer === undefined) return;
    writer.end();
    this.#forgetEnded = () => writer.forget();
    this.#writer = undefined;
  }

  /** Forgets everything about the file. */
  forget(): void {
    this.end();
    this.#forgetEnded?.();
    this.#forgetEnded = undefined;
  }

  #isDivided({ isShared, next, writing }: FileShare): boolean {
    if (isShared || next !== undefined || writing?.untilMs !== undefined) return true;
    // Other content may come from a job that is not known yet.
    return writing !== undefined && writing.knownMs <= this.#restartedMs;
  }

  async #readAll(): Promise<FollowState> {
    if (!this.#held.isEmpty) await this.giveRest();
    this.#timeline = undefined;
    this.#givenCheckpoint = undefined;
    return this.follower.poll();
  }

  /** Reads up to each place where the file was seen to end, so that the follower's checkpoint is known there. */
  async #readShare(share: FileShare): Promise<FollowState> {
    if (this.#timeline === undefined) {
      this.#timeline = new FileTimeline(this.#readBytes);
      if (this.#isAnew) this.#timeline.restart(this.#readBytes);
      this.#ownBytes = this.#readBytes;
      this.#givenCheckpoint = this.follower.snapshot();
    }
    const look = await this.follower.look();
    const nowMs = this.#options.clock.nowMs();
    if (look !== undefined) this.#timeline.add(nowMs, look.changedMs, this.#readBytes + look.unreadBytes);
    const endBytes = this.#findEnd(share, this.#timeline);
    this.#ownBytes = Math.max(this.#ownBytes, endBytes ?? this.#findConfirmed(share, this.#timeline));
    await this.#giveOwn();
    const state = await this.#readNext(this.#timeline, look === undefined);
    await this.#giveOwn();
    const isReadToEnd = state !== 'more' && !this.follower.hasHole;
    this.#isOver = endBytes !== undefined && (isReadToEnd || this.#readBytes >= endBytes);
    return this.#isOver && state === 'more' ? 'grown' : state;
  }

  async #readNext(timeline: FileTimeline, isMissing: boolean): Promise<FollowState> {
    const before = this.#readBytes;
    const room = Math.max(0, this.#ownBytes - before) + MAX_HELD_BYTES - this.#held.bytes;
    if (room <= 0) return 'grown';
    const next = timeline.next(before);
    // Up to the last place seen nothing is read, but other content may be found. A file without its name cannot be
    // seen.
    const seenBytes = next === Infinity ? (isMissing ? Infinity : 0) : next - before;
    const state = await this.follower.poll(Math.min(room, seenBytes));
    const hasMore = this.#readBytes > before && timeline.next(this.#readBytes) < Infinity;
    return hasMore ? 'more' : state;
  }

  /** The end of the job's part, if another job has begun and this one no longer writes. */
  #findEnd({ writing, next }: FileShare, timeline: FileTimeline): number | undefined {
    const isWriting = writing !== undefined && writing.untilMs === undefined;
    if (next === undefined || isWriting) return undefined;
    return Math.max(this.#ownBytes, timeline.endOf(writing?.untilMs, next.sinceMs));
  }

  /** The place up to which the file is known to be the job's. */
  #findConfirmed({ writing, isEnded }: FileShare, timeline: FileTimeline): number {
    if (writing === undefined) return this.#ownBytes;
    const { untilMs, knownMs } = writing;
    // No other job had begun by then.
    if (untilMs === undefined || isEnded) return timeline.positionAt(knownMs);
    return timeline.positionBefore(Math.min(untilMs + SECOND_MS, knownMs));
  }

  async #take(bytes: Uint8Array): Promise<void> {
    this.#readBytes += bytes.length;
    const piece = { bytes, isAnew: this.#isAnew, position: this.#readBytes };
    this.#isAnew = false;
    if (this.#timeline === undefined) return this.#give(piece);
    const checkpoint = this.follower.snapshot();
    const isOwn = this.#held.isEmpty && this.#readBytes <= this.#ownBytes;
    if (isOwn) return this.#give({ ...piece, checkpoint });
    this.#held.add({ ...piece, checkpoint, bytes: new Uint8Array(bytes) });
  }

  async #giveOwn(): Promise<void> {
    for (;;) {
      const piece = this.#held.takeUntil(this.#ownBytes);
      if (piece === undefined) return;
      await this.#give(piece);
    }
  }

  async #give({
    bytes,
    isAnew,
    checkpoint,
  }: Omit<HeldPiece, 'checkpoint'> & { checkpoint?: Checkpoint }): Promise<void> {
    if (isAnew) this.end();
    this.#givenCheckpoint = checkpoint;
    await this.#open()?.write(bytes);
  }

  #open(): RestorableWriter | undefined {
    if (this.#writer === undefined) {
      this.#forgetEnded?.();
      this.#forgetEnded = undefined;
      const { pipeline, stream, isMerged } = this.#target;
      const checkpoint = (unread: number): string => this.checkpoint(unread);
      this.#writer = isMerged ? pipeline?.openMixedStream(checkpoint) : pipeline?.openStream(stream, checkpoint);
    }
    return this.#writer;
  }

  #restart(): void {
    this.#isAnew = true;
    this.#restartedMs = this.#options.clock.nowMs();
    this.#timeline?.restart(this.#readBytes);
    // The old content's rows are complete now.
    if (this.#timeline === undefined) this.end();
  }
}
