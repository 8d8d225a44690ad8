import { readCheckpoint } from './checkpoint.js';
import type { RecordHeader } from './record.js';
import { parseStates } from './record.js';
import type { Segment } from './segment.js';
import { parseSegmentName } from './segment.js';
import type { Break, StoredRecord } from './segment-reader.js';
import { SegmentReader } from './segment-reader.js';
import type { SpoolFs } from './spool-fs.js';

/** The content of a spool folder. */
export interface StoredLog {
  readonly segments: Segment[];
  /** Files without any record that counts. */
  readonly leftovers: readonly string[];
  /** Files without a readable record that counts, where no crash explains it. */
  readonly damagedFiles: readonly string[];
  /** For each source, the whole value, then its changes. */
  readonly states: ReadonlyMap<string, readonly string[]>;
  /** The record from which on alone the states can be read; undefined when no such record is known. */
  readonly headSequence: number | undefined;
  /** The first unsettled record. */
  readonly settled: number;
  /** The sequence number of the next record. */
  readonly next: number;
  readonly waitingPoints: number;
  readonly waitingBytes: number;
  /**
   * The number of records that were taken, are not settled, and are damaged. If the damaged ones cannot be counted, it
   * is at least 1.
   */
  readonly lostRecords: number;
  /** Gaps between the records: `first` to before `end` are missing. */
  readonly gaps: readonly { readonly first: number; readonly end: number }[];
  /**
   * The last records, which the writer did not call durable. All have one salt, because a writer starts with a durable
   * log.
   */
  readonly unsynced: readonly EncodedRecord[];
  /** The highest segment number in use. */
  readonly lastNumber: number;
  /** The newest time at the end of a record, in nanoseconds; 0 when there is none. */
  readonly lastPointNs: bigint;
}

/** A record as it is stored. */
interface EncodedRecord {
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

/**
 * Reads a spool folder and changes nothing. A damaged durable record loses only itself. With `keepsStates`, the log
 * ends before the first record that is neither whole nor durable: later records may have become durable before it, and
 * states are useless without the points before them. Without states, all whole records count.
 */
export async function readLog(
  fs: SpoolFs,
  folder: string,
  { keepsStates }: { readonly keepsStates: boolean }
): Promise<StoredLog> {
  const names = (await fs.list(folder)).sort();
  const checkpoint = await readCheckpoint(fs, folder);
  const { segments, leftovers, damagedFiles } = await findSegments(fs, folder, names);
  const reader = new LogFold(checkpoint, segments[0]?.first ?? 0, keepsStates);
  for (const segment of segments) {
    await readSegment(fs, segment, (record, breaks) => {
      reader.addBreaks(breaks, segment);
      if (record !== undefined) reader.add(record, segment.salt);
      return true;
    });
  }
  const { fold, lostRecords, gaps, isCut } = reader.finish();

  const settled = checkpoint ?? Math.min(segments[0]?.first ?? 0, fold.next);
  for (const segment of segments) segment.end = Math.min(segment.end, fold.next);
  const kept = segments.filter(({ first, end }) => first < end);
  const rest = segments.filter((segment) => !kept.includes(segment)).map(({ path }) => path);
  return {
    ...{ ...fold, gaps, settled, segments: kept },
    lostRecords: Math.max(lostRecords, damagedFiles.length),
    next: Math.max(fold.next, settled),
    leftovers: isCut ? leftovers : [...leftovers, ...rest],
    damagedFiles: isCut ? [...damagedFiles, ...rest] : damagedFiles,
    lastPointNs: reader.lastPointNs,
    unsynced: reader.unsynced.filter(({ sequence }) => sequence < fold.next),
    lastNumber: Math.max(0, ...names.map((name) => parseSegmentName(name)?.number ?? 0)),
  };
}

/**
 * Finds the segments that hold records. Where two hold the same records, the newer counts: it was written because the
 * older could not be trusted.
 */
async function findSegments(
  fs: SpoolFs,
  folder: string,
  names: readonly string[]
): Promise<{
  segments: Segment[];
  leftovers: string[];
  damagedFiles: string[];
}> {
  const segments: Segment[] = [];
  const leftovers: string[] = [];
  const damagedFiles: string[] = [];
  for (const name of names) {
    const path = `${folder}/${name}`;
    if (name.endsWith('.new')) leftovers.push(path);
    const parsed = parseSegmentName(name);
    if (parsed === undefined) continue;
    const sizeBytes = (await fs.stat(path))?.sizeBytes ?? 0;
    const segment = { ...parsed, path, sizeBytes, first: -1, end: Infinity };
    const found: { first: number | undefined; isTorn: boolean } = { first: undefined, isTorn: true };
    await readSegment(fs, segment, (record, breaks) => {
      found.first = record?.header.sequence;
      found.isTorn = breaks.every(({ isTorn }) => isTorn);
      return false;
    });
    const { first, isTorn } = found;
    if (first !== undefined) segments.push({ ...segment, first });
    else (isTorn ? leftovers : damagedFiles).push(path);
  }
  let end = Infinity;
  for (const segment of segments.toReversed()) {
    segment.end = end;
    end = Math.min(end, segment.first);
  }
  return { segments, leftovers, damagedFiles };
}

/**
 * Gives each record with the breaks before it. At the end it gives the breaks after the last record, without a record.
 */
async function readSegment(
  fs: SpoolFs,
  segment: Segment,
  take: (record: StoredRecord | undefined, breaks: readonly Break[]) => boolean
): Promise<void> {
  const reader = new SegmentReader(await fs.open(segment.path), segment.salt, segment.sizeBytes);
  try {
    for (let record = await reader.next(); record !== undefined; record = await reader.next()) {
      if (record.header.sequence >= segment.end || !take(record, reader.takeBreaks())) return;
    }
    take(undefined, reader.takeBreaks());
  } finally {
    reader.close();
  }
}

const NOTHING = { headSequence: undefined, waitingPoints: 0, waitingBytes: 0 };

class LogFold {
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
