import { withDeadline } from '../clock/deadline.js';
import type { StateChange } from '../queue/point-queue.js';
import { PendingPoints } from './pending-points.js';
import { RecordPlacer, type RecordPlacerOptions } from './record-placer.js';

/**
 * The longest time for which points wait to be queued. A kill can cost a source that cannot be read again this much.
 */
const COMMIT_MS = 30;
/** At this many bytes, points are queued at once. */
const COMMIT_BYTES = 512 * 1024;

interface RecordCommitterOptions extends RecordPlacerOptions {
  /** The job's state, kept with its points; undefined where it is not kept. */
  readonly state: CommittedState | undefined;
  /** Renders the output that has arrived. Called before each commit. */
  readonly render: () => void;
  /** Told of what could not be committed: its points are lost, and later ones are committed. */
  readonly onFault: (error: unknown) => void;
  /** After its abort, nothing is committed on a timer. */
  readonly stopped: AbortSignal;
}

interface CommittedState {
  readonly key: string;
  /** Whether the queue already has the whole state, so that changes are enough. */
  readonly isKnown: boolean;
  /** The state as JSON. */
  readonly take: (kind: 'whole' | 'change') => string;
}

/** Commits a job's points to the queue as records, each with the state that belongs to its points. */
export class RecordCommitter {
  readonly #options: RecordCommitterOptions;
  readonly #pending: PendingPoints;
  readonly #placer: RecordPlacer;
  #isStateKnown: boolean;
  #hasChanged = false;
  #isCommitDue = false;
  #hasSaidFault = false;

  constructor(options: RecordCommitterOptions) {
    this.#options = options;
    this.#isStateKnown = options.state?.isKnown === true;
    this.#placer = new RecordPlacer(options);
    this.#pending = new PendingPoints(
      (message) => this.#sayFault(message),
      // A state belongs to whole pieces of output, so it cannot be committed in the middle of one.
      () => options.state === undefined && this.#queuePending()
    );
  }

  /** Takes the points to commit. */
  get points(): PendingPoints {
    return this.#pending;
  }

  /** The number of points dropped so far for lack of room. */
  get droppedPoints(): number {
    return this.#placer.droppedPoints;
  }

  /**
   * Call it when the job has new points or another state. Commits soon, or now when there are many points. While there
   * is no room, it tries again and again.
   */
  noteChange(): void {
    this.#hasChanged = true;
    if (this.#pending.length < COMMIT_BYTES || !this.commit()) this.#commitSoon();
  }

  /** Commits now. False when there is no room yet. */
  commit(): boolean {
    try {
      if (!this.#placer.placeWaiting()) return false;
      this.#options.render();
      return this.#queuePending();
    } catch (error) {
      // A change fits only a state that was kept.
      this.#isStateKnown = false;
      this.#options.onFault(error);
      return true;
    }
  }

  /** Commits as soon as there is room. False when there was none in time. */
  async untilCommitted(timeoutMs: number): Promise<boolean> {
    return withDeadline(timeoutMs, [], async (late) => {
      while (!this.commit()) {
        if (late.aborted) return false;
        await this.#placer.untilRoom(late);
      }
      return true;
    });
  }

  /** Resolves when the queue takes more output without filling up, or when the committer is stopped. */
  async untilWelcome(): Promise<void> {
    const { stopped } = this.#options;
    while (this.#placer.mustWait && !stopped.aborted) {
      await this.#placer.untilRoom(stopped);
      this.#placer.placeWaiting();
    }
  }

  /** Commits for the last time. Drops points that cannot be committed, unless a restart reads their output again. */
  finish(): void {
    if (!this.commit() && this.#options.state === undefined) this.#placer.drop(this.#pending.take().points);
  }

  /** Once there is room again: the number of points missing since the last call, and since when. */
  takeGap(): ReturnType<RecordPlacer['takeGap']> {
    return this.#placer.takeGap();
  }

  #queuePending(): boolean {
    if (!this.#placer.placeWaiting()) return false;
    const { state } = this.#options;
    if (this.#pending.length === 0 && (state === undefined || !this.#hasChanged)) return true;
    this.#hasChanged = false;
    const batch = this.#pending.take();
    const outcome = this.#placer.place({ ...batch, states: state === undefined ? [] : [this.#takeChange(state)] });
    this.#isStateKnown = outcome !== 'dropped';
    return outcome !== 'waits';
  }

  #takeChange({ key, take }: CommittedState): StateChange {
    const kind = this.#isStateKnown ? 'change' : 'whole';
    return { key, kind, value: take(kind) };
  }

  #commitSoon(): void {
    const { clock, stopped } = this.#options;
    if (this.#isCommitDue || stopped.aborted) return;
    this.#isCommitDue = true;
    void clock.sleep(COMMIT_MS, stopped).then(async () => {
      // A job that prints nothing more does not try again itself.
      while (!this.commit() && !stopped.aborted) await this.#placer.untilRoom(stopped);
      this.#isCommitDue = false;
    });
  }

  #sayFault(message: string): void {
    if (this.#hasSaidFault) return;
    this.#hasSaidFault = true;
    this.#options.report.error(message);
  }
}
