import { NS_PER_US } from '@joblens/core/numbers/time-units';

/** A settled row as JSON: id, time in microseconds, 1 when it has colours. */
export type SettledState = readonly [id: number, timeUs: number, hasColours: 0 | 1];

/** A row in one number, exact up to 2^53: microseconds, then a bit for colours and one for not saved. */
const UNSAVED = 1;
const COLOURS = 2;
const TIME = 4;
/** This many rows are forgotten at once. */
const FORGET_ROWS = 128;

interface SettledRun {
  readonly firstId: number;
  readonly count: number;
  readonly endNs: bigint;
  /** Absent if no line has colours. */
  readonly hasColours?: ((id: number) => boolean) | undefined;
}

/**
 * Rows that may still change and need almost no memory until then: lines that are stored as shown, followed by another
 * such line. Each of thousands of followed files has hundreds of them.
 */
export class SettledRows {
  /** By id from `#firstId` on; 0 where there is no row. An array of numbers takes 8 bytes for each. */
  #rows: number[] = [];
  #firstId = 0;

  constructor(states: readonly SettledState[] = []) {
    const ordered = [...states].sort(([a], [b]) => a - b);
    for (const [id, timeUs, hasColours] of ordered) this.#set(id, timeUs * TIME + hasColours * COLOURS);
  }

  /** Only times of whole microseconds can be kept. */
  static canKeep(timeNs: bigint): boolean {
    return timeNs % NS_PER_US === 0n;
  }

  add(id: number, timeNs: bigint, hasColours: boolean): void {
    this.#set(id, Number(timeNs / NS_PER_US) * TIME + (hasColours ? COLOURS : 0) + UNSAVED);
  }

  /**
   * Adds lines, 1 µs apart, the last one 1 µs before `endNs`. Those before `firstRewritableId` are left out.
   */
  addRun({ firstId, count, endNs, hasColours }: SettledRun, firstRewritableId: number): void {
    const endId = firstId + count;
    const endUs = Number(endNs / NS_PER_US);
    for (let id = Math.max(firstId, firstRewritableId); id < endId; id += 1) {
      const colours = hasColours?.(id) === true ? COLOURS : 0;
      this.#set(id, (endUs - (endId - id)) * TIME + colours + UNSAVED);
    }
  }

  /** Removes a row that has changed. */
  take(id: number): { readonly timeNs: bigint; readonly hasColours: boolean } | undefined {
    const packed = this.#rows[id - this.#firstId] ?? 0;
    if (packed === 0) return undefined;
    this.#rows[id - this.#firstId] = 0;
    return { timeNs: BigInt(Math.floor(packed / TIME)) * NS_PER_US, hasColours: packed % TIME >= COLOURS };
  }

  /** Forgets the rows before this one, which are final. */
  forgetBefore(id: number): void {
    const count = id - this.#firstId;
    if (count < FORGET_ROWS && count < this.#rows.length) return;
    this.#rows = this.#rows.slice(Math.max(count, 0));
    this.#firstId = id;
  }

  /** `firstId`: the id of the first row that may still change. */
  takeState(kind: 'whole' | 'change', firstId: number): SettledState[] {
    const states: SettledState[] = [];
    for (let i = Math.max(0, firstId - this.#firstId); i < this.#rows.length; i += 1) {
      const packed = this.#rows[i] ?? 0;
      const isUnsaved = packed % COLOURS === UNSAVED;
      if (packed === 0 || (kind === 'change' && !isUnsaved)) continue;
      if (isUnsaved) this.#rows[i] = packed - UNSAVED;
      states.push([this.#firstId + i, Math.floor(packed / TIME), packed % TIME >= COLOURS ? 1 : 0]);
    }
    return states;
  }

  /** Ids rise, except when a removed row returns. */
  #set(id: number, packed: number): void {
    if (this.#rows.length === 0) this.#firstId = id;
    const index = id - this.#firstId;
    if (index < 0) return;
    while (this.#rows.length < index) this.#rows.push(0);
    this.#rows[index] = packed;
  }
}
