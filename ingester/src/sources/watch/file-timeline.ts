/** Slurm's times are whole seconds: what happened at one of them happened within the second that it begins. */
const SECOND_MS = 1000;
/** Beyond, every other one is forgotten, and bounds in the past are less exact. */
const MAX_STATES = 512;

/** A state in which a file was found, once or several times in a row. Times in ms since the epoch. */
interface FoundState {
  readonly firstMs: number;
  lastMs: number;
  readonly mtimeMs: number;
  /** The same, but never later than it was found: clocks differ. */
  readonly changedMs: number;
  /** How much had been written by then, counted over all of its contents. */
  position: number;
  /** Its content does not continue the one before. */
  isAnew: boolean;
}

/**
 * When a file was found how long: tells which of its bytes were there at a time, and so which of several writers wrote
 * them.
 */
export class FileTimeline {
  #states: FoundState[] = [];
  #firstPosition: number;
  /** The next state that is longer begins other content. */
  #isAnew = false;

  /** `position`: how much had been written when its writer began, or when the first look was taken. */
  constructor(position: number) {
    this.#firstPosition = position;
  }

  /**
   * A look at the file: `position` bytes were there at `nowMs`, and it was changed last at `changedMs` by the clock of
   * its file system.
   */
  add(nowMs: number, changedMs: number, position: number): void {
    const last = this.#states.at(-1);
    if (last?.position === position && last.mtimeMs === changedMs) {
      last.lastMs = nowMs;
      return;
    }
    const lastPosition = last?.position ?? this.#firstPosition;
    const isAnew = this.#isAnew && position > lastPosition;
    if (isAnew) this.#isAnew = false;
    this.#states.push({
      ...{ firstMs: nowMs, lastMs: nowMs, mtimeMs: changedMs, changedMs: Math.min(changedMs, nowMs) },
      ...{ position: Math.max(position, lastPosition), isAnew },
    });
    const { length } = this.#states;
    if (length > MAX_STATES) this.#states = this.#states.filter((_, i) => (length - i) % 2 === 1);
  }

  /** Other content begins at the position, as was found after the last look; what stood behind it before is gone. */
  restart(position: number): void {
    const last = this.#states.at(-1);
    this.#isAnew = last === undefined || last.position <= position;
    if (last !== undefined && !this.#isAnew) last.isAnew = true;
    for (const state of this.#states) if (state !== last) state.position = Math.min(state.position, position);
  }

  /** The nearest position behind this one at which the file was found; reading does not step over it. */
  next(position: number): number {
    return this.#states.find((state) => state.position > position)?.position ?? Infinity;
  }

  /** How much had been written at that time, as far as it was seen. */
  positionAt(timeMs: number): number {
    return this.#lastPosition(({ firstMs }) => firstMs <= timeMs);
  }

  /** How much was written before that time, by the time of the last change. */
  positionBefore(timeMs: number): number {
    return this.#lastPosition(({ changedMs }) => changedMs < timeMs);
  }

  /**
   * Where the bytes of a writer end who ended at `untilMs` (undefined: before the next one began), when the next one
   * began at `nextSinceMs`; both are whole seconds. Within one second the longest time without a change, or new
   * content, parts the two.
   */
  endOf(untilMs: number | undefined, nextSinceMs: number): number {
    if (untilMs === undefined || nextSinceMs > untilMs) return this.positionBefore(nextSinceMs);
    // A job that wrote at the same time as the one before cannot be told from it.
    if (nextSinceMs < untilMs) return this.positionBefore(untilMs + SECOND_MS);
    return this.#splitSecond(untilMs);
  }

  /** Forgets the times before that position. */
  forget(position: number): void {
    this.#firstPosition = Math.max(position, this.#firstPosition);
    this.#states = this.#states.filter((state) => state.position > position);
  }

  #splitSecond(secondMs: number): number {
    const endMs = secondMs + SECOND_MS;
    let known = { position: this.#firstPosition, changedMs: -Infinity };
    let best = { position: known.position, pauseMs: -Infinity };
    for (const next of [...this.#states, undefined]) {
      // How much of the second went by between two changes.
      const pauseMs = Math.min(next?.changedMs ?? endMs, endMs) - Math.max(known.changedMs, secondMs);
      if (pauseMs > best.pauseMs) best = { position: known.position, pauseMs };
      if (next === undefined) break;
      if (next.isAnew && next.changedMs >= secondMs) return known.position;
      if (next.changedMs >= endMs) break;
      known = next;
    }
    return best.position;
  }

  #lastPosition(holds: (state: FoundState) => boolean): number {
    return this.#states.findLast(holds)?.position ?? this.#firstPosition;
  }
}
