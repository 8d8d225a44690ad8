import type { Stream } from '@joblens/core';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { RestoredStream, StreamWriter } from '../../pipeline/job-stream.js';
import type { FollowState } from './file-follower.js';
import { FileFollower } from './file-follower.js';
import type { FileSystem } from './file-system.js';

const SHORTEST_MS = 500;
const LONGEST_MS = 10_000;
/** A file that did not change for some time is not likely to change within an eighth of it. */
const WAIT_SHARE = 1 / 8;

export interface WatchedFileOptions {
  readonly path: string;
  readonly stream: Stream;
  readonly pipeline: JobPipeline;
  readonly uid: number;
  /** When the file changed last. */
  readonly changedMs: number;
  readonly fileSystem: FileSystem;
  readonly nowMs: () => number;
  readonly idleMs: () => number;
  readonly turnBytes: () => number;
  /** How long a file must not change until its last line counts as complete. */
  readonly quietTimeoutMs: number;
  /** From before a restart. */
  readonly restored?: RestoredStream | undefined;
}

/** One followed file and the stream of its job that it feeds; the stream is open while the file changes. */
export class WatchedFile {
  readonly path: string;
  readonly follower: FileFollower;
  readonly #options: WatchedFileOptions;
  #writer: StreamWriter | undefined;
  /** Forgets the checkpoint that an ended stream left. */
  #forgetEnded: (() => void) | undefined;
  #changedMs: number;
  #hasCaughtUp = false;

  constructor(options: WatchedFileOptions) {
    this.path = options.path;
    this.#options = options;
    this.#changedMs = options.changedMs;
    const { path, uid, fileSystem, nowMs, idleMs, turnBytes, restored, pipeline, stream } = options;
    this.follower = new FileFollower({
      ...{ path, uid, fileSystem, nowMs, idleMs, turnBytes },
      checkpoint: restored?.checkpoint,
      sink: { write: (bytes) => this.#open().write(bytes), restart: () => this.#restart() },
    });
    if (restored?.wasOpen === true) {
      this.#writer = pipeline.openStream(stream, () => this.follower.checkpoint(), restored);
    } else if (restored !== undefined) {
      this.#forgetEnded = () => pipeline.forgetRestored(restored);
    }
  }

  /** Whether the stream has ended, or never began. */
  get isQuiet(): boolean {
    return this.#writer === undefined;
  }

  /** Reads what is new, and ends the stream after a quiet time. */
  async poll(): Promise<FollowState> {
    const { nowMs, quietTimeoutMs } = this.#options;
    const state = await this.follower.poll();
    // What stood in the file when it was first seen says nothing about now.
    if (this.#hasCaughtUp && (state === 'grown' || state === 'more')) this.#changedMs = nowMs();
    if (state !== 'more') this.#hasCaughtUp = true;
    if (state === 'more') return state;
    if (state === 'gone') this.forget();
    else if (!this.follower.hasHole && nowMs() - this.#changedMs > quietTimeoutMs) this.end();
    return state;
  }

  /** How long to wait for the next poll. `random`: from 0 to 1. */
  waitMs(random: number): number {
    if (this.follower.hasHole) return SHORTEST_MS;
    const quietMs = this.#options.nowMs() - this.#changedMs;
    const waitMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, quietMs * WAIT_SHARE));
    // Files that became quiet together are not polled together.
    return waitMs * (1 - 0.2 * random);
  }

  /** The last line is complete; only the checkpoint stays. */
  end(): void {
    const writer = this.#writer;
    if (writer === undefined) return;
    writer.end();
    this.#forgetEnded = () => writer.forget();
    this.#writer = undefined;
  }

  /** Nothing of the file stays known. */
  forget(): void {
    this.end();
    this.#forgetEnded?.();
    this.#forgetEnded = undefined;
  }

  #open(): StreamWriter {
    if (this.#writer === undefined) {
      this.#forgetEnded?.();
      this.#forgetEnded = undefined;
      this.#writer = this.#options.pipeline.openStream(this.#options.stream, () => this.follower.checkpoint());
    }
    return this.#writer;
  }

  #restart(): void {
    this.end();
    this.#open();
  }
}
