import { SECOND_MS } from '@joblens/core/numbers/time-units';

/** Beyond this, every other state is forgotten, and bounds in the past are less exact. */
const MAX_STATES = 512;

/** A state in which a file was found, once or several times in a row. Times in ms since the epoch. */
interface FoundState {
  readonly firstMs: number;
  lastMs: number;
  readonly mtimeMs: number;
  /** The time of the last change, but never later than it was found: clocks differ. */
  readonly changedMs: number;
  /** The number of bytes written by then, over all contents. */
  position: number;
  /** Its content does not continue the content before. */
  isAnew: boolean;
}

/**
 * Records the length of a file over time. It tells which bytes were there at a time, and so which of several writers
 * wrote them.
 */
export class FileTimeline {
  #states: FoundState[] = [];
  #firstPosition: number;
  /** The next longer state begins other content. */
  #isAnew = false;

  /** `position`: the bytes written when the writer began, or before the first look. */
  constructor(position: number) {
    this.#firstPosition = position;
  }

  /**
   * Adds a look at the file: at `nowMs`, `position` bytes were there, and the last change was at `changedMs` by the
   * clock of its file system.
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

  /** Notes that other content, found after the last look, begins at the position. The old content behind it is gone. */
  restart(position: number): void {
    const last = this.#states.at(-1);
    this.#isAnew = last === undefined || last.position <= position;
    if (last !== undefined && !this.#isAnew) last.isAnew = true;
    for (const state of this.#states) if (state !== last) state.position = Math.min(state.position, position);
  }

  /** The nearest position behind this one at which the file was found. Reading stops at each. */
  next(position: number): number {
    return this.#states.find((state) => state.position > position)?.position ?? Infinity;
  }

  /** The number of bytes written at that time, as far as looks tell. */
  positionAt(timeMs: number): number {
    return this.#lastPosition(({ firstMs }) => firstMs <= timeMs);
  }

  /** The number of bytes written before that time, by the times of the changes. */
  positionBefore(timeMs: number): number {
    return this.#lastPosition(({ changedMs }) => changedMs < timeMs);
  }

  /**
   * The end of the bytes of a writer that ended at `untilMs`, or, if undefined, before the next one began at
   * `nextSinceMs`. Both are whole seconds. Within one second, the longest pause between changes, or new content,
   * separates the two writers.
   */
  endOf(untilMs: number | undefined, nextSinceMs: number): number {
    if (untilMs === undefined || nextSinceMs > untilMs) return this.positionBefore(nextSinceMs);
    // Jobs that wrote at the same time cannot be told apart.
    if (nextSinceMs < untilMs) return this.positionBefore(untilMs + SECOND_MS);
    return this.#splitSecond(untilMs);
  }

  /** Forgets the states before that position. */
  forget(position: number): void {
    this.#firstPosition = Math.max(position, this.#firstPosition);
    this.#states = this.#states.filter((state) => state.position > position);
  }

  #splitSecond(secondMs: number): number {
    const endMs = secondMs + SECOND_MS;
    let known = { position: this.#firstPosition, changedMs: -Infinity };
    let best = { position: known.position, pauseMs: -Infinity };
    for (const next of [...this.#states, undefined]) {
      // The time in that second between the two changes.
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
