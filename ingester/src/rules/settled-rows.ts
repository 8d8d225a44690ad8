/** A settled row as JSON: id, time in microseconds, 1 when it has colours. */
export type SettledState = readonly [id: number, timeUs: number, hasColours: 0 | 1];

/** In one number, which is exact up to 2^53: microseconds, then a bit for colours and one for not saved. */
const UNSAVED = 1;
const COLOURS = 2;
const TIME = 4;
const NS_PER_US = 1000n;

/**
 * Rows that may still change, and need next to nothing until they do: lines that are stored just as they are shown, followed by one that
 * is. Thousands of followed files have hundreds of them each.
 */
export class SettledRows {
  readonly #rows = new Map<number, number>();

  constructor(states: readonly SettledState[] = []) {
    for (const [id, timeUs, hasColours] of states) this.#rows.set(id, timeUs * TIME + hasColours * COLOURS);
  }

  /** Whether a time can be kept: it is of whole microseconds. */
  static canKeep(timeNs: bigint): boolean {
    return timeNs % NS_PER_US === 0n;
  }

  add(id: number, timeNs: bigint, hasColours: boolean): void {
    this.#rows.set(id, Number(timeNs / NS_PER_US) * TIME + (hasColours ? COLOURS : 0) + UNSAVED);
  }

  /** Takes a row out that has changed. */
  take(id: number): { readonly timeNs: bigint; readonly hasColours: boolean } | undefined {
    const packed = this.#rows.get(id);
    if (packed === undefined) return undefined;
    this.#rows.delete(id);
    return { timeNs: BigInt(Math.floor(packed / TIME)) * NS_PER_US, hasColours: packed % TIME >= COLOURS };
  }

  delete(id: number): void {
    this.#rows.delete(id);
  }

  takeState(kind: 'whole' | 'change'): SettledState[] {
    const states: SettledState[] = [];
    for (const [id, packed] of this.#rows) {
      const isUnsaved = packed % COLOURS === UNSAVED;
      if (kind === 'change' && !isUnsaved) continue;
      if (isUnsaved) this.#rows.set(id, packed - UNSAVED);
      states.push([id, Math.floor(packed / TIME), packed % TIME >= COLOURS ? 1 : 0]);
    }
    return states;
  }
}
