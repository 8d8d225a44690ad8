import { parseStates, type RecordHeader } from './record.js';
import type { Segment } from './segment.js';
import type { Break, StoredRecord } from './segment-reader.js';

/** A record as it is stored. */
export interface EncodedRecord {
  readonly sequence: number;
  readonly encoded: Buffer;
  readonly salt: number;
}

/** The result of the records up to `next`. */
interface Fold {
  readonly next: number;
  readonly states: Map<string, string[]>;
  readonly headSequence: number | undefined;
  readonly waitingPoints: number;
  readonly waitingBytes: number;
}

/** A gap between the records. */
interface Gap {
  readonly first: number;
  readonly end: number;
  /** The number of unsettled records in it. */
  readonly records: number;
  /** The records were durable, or no crash explains the bytes in their place. */
  isDamage: boolean;
  /** The result of the records before the gap. */
  readonly before: Fold;
}

const NOTHING = { headSequence: undefined, waitingPoints: 0, waitingBytes: 0 };

/** Folds the records of a log, in order, into what they leave behind. */
export class LogFold {
  readonly #checkpoint: number | undefined;
  readonly #settled: number;
  readonly #keepsStates: boolean;
  #fold: Fold;
  #gaps: Gap[] = [];
  /** The breaks since the last record, and their segments. */
  #breaks: { readonly isTorn: boolean; readonly segment: Segment }[] = [];
  #synced = 0;
  #lastPointNs = 0n;
  #unsynced: EncodedRecord[] = [];
  /** The head that is being read, and the sources whose states it has had so far. */
  #head: { readonly sequence: number; readonly keys: Set<string> } | undefined;

  constructor(checkpoint: number | undefined, first: number, keepsStates: boolean) {
    this.#checkpoint = checkpoint;
    this.#keepsStates = keepsStates;
    this.#settled = checkpoint ?? 0;
    const next = Math.min(this.#settled, first);
    this.#fold = { next, states: new Map(), ...NOTHING };
  }

  get unsynced(): readonly EncodedRecord[] {
    return this.#unsynced;
  }

  get lastPointNs(): bigint {
    return this.#lastPointNs;
  }

  /** Adds the breaks before the next record. Settled records do not count. */
  addBreaks(breaks: readonly Break[], segment: Segment): void {
    for (const { isTorn, sequence = Infinity } of breaks) {
      if (this.#keepsStates || sequence >= this.#settled) this.#breaks.push({ isTorn, segment });
    }
  }

  /** Takes the next record. */
  add({ header, states, points, encoded }: StoredRecord, salt: number): void {
    const { next } = this.#fold;
    if (header.sequence < next) return;
    if (header.sequence > next) this.#passGap(header);
    this.#breaks = [];
    this.#noteSynced(header.syncedSequence);
    this.#unsynced.push({ sequence: header.sequence, encoded, salt });
    this.#applyStates(header, states);
    const timeNs = readLastTimeNs(points);
    if (timeNs > this.#lastPointNs) this.#lastPointNs = timeNs;
    const isWaiting = header.sequence >= this.#settled;
    this.#fold = {
      ...this.#fold,
      next: header.sequence + 1,
      waitingPoints: this.#fold.waitingPoints + (isWaiting ? header.points : 0),
      waitingBytes: this.#fold.waitingBytes + (isWaiting ? header.pointBytes : 0),
    };
  }

  /** `isCut`: damage ends the log before whole records. */
  finish(): {
    readonly fold: Fold;
    readonly lostRecords: number;
    readonly gaps: readonly Gap[];
    readonly isCut: boolean;
  } {
    const cut = this.#keepsStates ? this.#gaps.find((gap) => gap.before.next >= this.#synced) : undefined;
    const gaps = this.#gaps.filter(({ first }) => cut === undefined || first <= cut.first);
    const damaged = gaps.filter(({ isDamage }) => isDamage);
    const lostInside = damaged.reduce((sum, { records }) => sum + records, 0);
    const lostAtEnd = cut === undefined ? this.#noteDamage() : 0;
    return {
      fold: cut?.before ?? this.#fold,
      lostRecords: lostInside + lostAtEnd,
      gaps,
      isCut: cut?.isDamage === true,
    };
  }

  /** Notes that all records before `sequence` were durable. */
  #noteSynced(sequence: number): void {
    if (sequence <= this.#synced) return;
    this.#synced = sequence;
    for (const gap of this.#gaps) gap.isDamage ||= gap.first < sequence;
    this.#unsynced = this.#unsynced.filter((record) => record.sequence >= sequence);
  }

  #passGap(header: RecordHeader): void {
    const { next, states } = this.#fold;
    // The missing records may have been in the head.
    this.#head = undefined;
    const copy = Array.from(states, ([key, values]): [string, string[]] => [key, [...values]]);
    const before = { ...this.#fold, states: new Map(copy) };
    // Without its checkpoint, the start of the log is not known.
    const isKnown = this.#checkpoint !== undefined || next > 0;
    const unsettled = isKnown ? Math.max(0, header.sequence - Math.max(next, this.#settled)) : Infinity;
    const damaged = unsettled > 0 || this.#keepsStates ? this.#noteDamage() : 0;
    const records = isKnown ? Math.max(unsettled, damaged) : damaged;
    this.#gaps.push({ first: next, end: header.sequence, records, isDamage: damaged > 0, before });
  }

  /** Counts the breaks that no crash explains. Marks their segments, which must not be removed. */
  #noteDamage(): number {
    const damaged = this.#breaks.filter(({ isTorn }) => !isTorn);
    for (const { segment } of damaged) segment.isDamaged = true;
    this.#breaks = [];
    return damaged.length;
  }

  #applyStates(header: RecordHeader, bytes: Buffer): void {
    const { states } = this.#fold;
    if (header.kind === 'headStart') this.#head = { sequence: header.sequence, keys: new Set() };
    for (const { key, kind, value } of parseStates(bytes)) {
      if (kind === 'whole') this.#head?.keys.add(key);
      if (kind === 'whole') states.set(key, [value]);
      else if (kind === 'gone') states.delete(key);
      // A change without its whole value is useless.
      else states.get(key)?.push(value);
    }
    if (header.kind === 'headEnd') this.#endHead();
  }

  /** Forgets sources that are not in the head. */
  #endHead(): void {
    if (this.#head === undefined) return;
    const { sequence, keys } = this.#head;
    for (const key of this.#fold.states.keys()) if (!keys.has(key)) this.#fold.states.delete(key);
    this.#fold = { ...this.#fold, headSequence: sequence };
    this.#head = undefined;
  }
}

const TIME_BYTES = 24;

/** Reads the time at the end of line protocol. */
function readLastTimeNs(points: Buffer): bigint {
  const end = points.toString('latin1', Math.max(0, points.length - TIME_BYTES));
  return BigInt(/ (\d{1,19})\n$/.exec(end)?.[1] ?? 0);
}
