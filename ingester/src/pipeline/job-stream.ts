import type { Stream } from '@joblens/core';
import type { ConsoleRenderer } from '../render/console-renderer.js';
import { createConsoleRenderer } from '../render/console-renderer.js';
import type { JobLog } from '../rules/job-log.js';
import type { StreamLog } from '../rules/stream-log.js';
import type { JobStreamState } from './job-state.js';

/** A stream that was there before a restart. */
export interface RestoredStream {
  readonly name: Stream;
  readonly checkpoint: string;
  /** False when it had ended. */
  readonly wasOpen: boolean;
}

/** Where the bytes of one stream go. */
export interface StreamWriter {
  /** Resolves when the next bytes are welcome: a source that waits for it is slowed down. */
  write(bytes: Uint8Array): Promise<void>;
  /** The last line is complete, too. What the checkpoint says then stays known. */
  end(): void;
  /** Ends, and nothing stays known. */
  forget(): void;
}

/** One stream of a job: bytes → rendered rows → rules. */
export class JobStream {
  readonly id: number;
  readonly name: Stream;
  readonly #jobLog: JobLog;
  readonly #checkpoint: () => string;
  #open: { readonly renderer: ConsoleRenderer; readonly log: StreamLog } | undefined;
  /** The checkpoint at the end. */
  #lastCheckpoint = '';
  #isWriting = false;

  /** `checkpoint`: where the source stands now, in its own words. `state`: where the stream stood before a restart. */
  constructor(options: {
    readonly id: number;
    readonly name: Stream;
    readonly jobLog: JobLog;
    readonly checkpoint: () => string;
    readonly state?: JobStreamState | undefined;
  }) {
    const { state } = options;
    this.id = options.id;
    this.name = options.name;
    this.#jobLog = options.jobLog;
    this.#checkpoint = options.checkpoint;
    this.#open = {
      renderer: createConsoleRenderer(state?.renderer),
      log: options.jobLog.openStream(options.name, state?.log),
    };
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  get isChanging(): boolean {
    return this.#open?.renderer.hasChangedRows === true;
  }

  write(bytes: Uint8Array): void {
    if (this.#open === undefined) return;
    this.#isWriting = true;
    this.#open.renderer.write(bytes, this.#open.log);
    this.#isWriting = false;
  }

  /** Hands on the rows that keep changing; within a `write` they come by themselves. */
  update(): void {
    if (this.#open === undefined || this.#isWriting) return;
    const { renderer, log } = this.#open;
    log.update(renderer.takeChangedRows(), renderer.firstRewritableId);
  }

  end(): void {
    if (this.#open === undefined) return;
    const { renderer, log } = this.#open;
    log.update(renderer.end(), renderer.firstRewritableId);
    this.#jobLog.closeStream(log);
    this.#lastCheckpoint = this.#checkpoint();
    this.#open = undefined;
  }

  /** `change`: what changed since this was last called. Of a stream that has ended only the checkpoint is left. */
  takeState(kind: 'whole' | 'change'): JobStreamState {
    const { id, name } = this;
    if (this.#open === undefined) return { id, name, checkpoint: this.#lastCheckpoint };
    const { renderer, log } = this.#open;
    return {
      id,
      name,
      checkpoint: this.#checkpoint(),
      renderer: renderer.takeState(kind),
      log: log.takeState(kind),
    };
  }
}
