import type { MetadataLine } from '@joblens/core/metadata/metadata-reader';

/** Rows of one table at one time are so far apart, as printed ones are. */
const APART_NS = 1000n;

interface Row {
  readonly line: MetadataLine;
  readonly timeNs: bigint;
  readonly bytes: number;
}

/** How much is held to bring rows into the order of their times. */
export interface HeldRows {
  readonly rows: number;
  readonly bytes: number;
}

const HELD: HeldRows = { rows: 65_536, bytes: 32 * 1024 * 1024 };

/** Gives rows on in the order of their times: a file may have its newest row first, or those of several programs. */
export class RowOrder {
  readonly #emit: (line: MetadataLine, timeNs: bigint) => void;
  readonly #limits: HeldRows;
  /** In the order of their times, from `#first` on. */
  #rows: Row[] = [];
  #first = 0;
  #bytes = 0;
  readonly #lastNs = new Map<string, bigint>();
  /** Rows that came so late that later ones of their table were given on: these have the time of the last one. */
  lateRows = 0;

  constructor(emit: (line: MetadataLine, timeNs: bigint) => void, limits = HELD) {
    this.#emit = emit;
    this.#limits = limits;
  }

  add(line: MetadataLine, timeNs: bigint, bytes: number): void {
    const row = { line, timeNs, bytes };
    const last = this.#rows.at(-1);
    if (last === undefined || last.timeNs <= timeNs) this.#rows.push(row);
    else this.#rows.splice(this.#findPlace(timeNs), 0, row);
    this.#bytes += bytes;
    while (this.#rows.length - this.#first > this.#limits.rows || this.#bytes > this.#limits.bytes) this.#release();
    if (this.#first > this.#limits.rows) {
      this.#rows = this.#rows.slice(this.#first);
      this.#first = 0;
    }
  }

  end(): void {
    while (this.#first < this.#rows.length) this.#release();
  }

  /** Behind all rows that are not later. */
  #findPlace(timeNs: bigint): number {
    let [low, high] = [this.#first, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rows[middle]?.timeNs ?? 0n) <= timeNs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #release(): void {
    const row = this.#rows[this.#first];
    if (row === undefined) return;
    this.#first += 1;
    this.#bytes -= row.bytes;
    const { line } = row;
    const lastNs = this.#lastNs.get(line.series);
    if (lastNs !== undefined && row.timeNs < lastNs - APART_NS * BigInt(this.#limits.rows)) this.lateRows += 1;
    const timeNs = lastNs !== undefined && row.timeNs < lastNs + APART_NS ? lastNs + APART_NS : row.timeNs;
    this.#lastNs.set(line.series, timeNs);
    this.#emit(line, timeNs);
  }
}
