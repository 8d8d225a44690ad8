import { readCheckpoint } from './checkpoint.js';
import type { RecordHeader } from './record.js';
import { parseStates } from './record.js';
import type { Segment } from './segment.js';
import { parseSegmentName } from './segment.js';
import type { StoredRecord } from './segment-reader.js';
import { SegmentReader } from './segment-reader.js';
import type { SpoolFs } from './spool-fs.js';

/** What a spool folder holds. */
export interface StoredLog {
  readonly segments: Segment[];
  /** Files that hold nothing that counts. */
  readonly leftovers: readonly string[];
  /** Per source the whole value, then its changes. */
  readonly states: ReadonlyMap<string, readonly string[]>;
  /** The states are in the records from this one on alone; undefined when they are not known to be. */
  readonly headSequence: number | undefined;
  /** The first record that is not settled. */
  readonly settled: number;
  /** The sequence number of the next record. */
  readonly next: number;
  readonly waitingPoints: number;
  readonly waitingBytes: number;
  /** Records that were durable, not settled, and are damaged. */
  readonly lostRecords: number;
  /** The last records, whose writer has not said that they are durable. All have one salt: a writer starts with a durable log. */
  readonly unsynced: readonly EncodedRecord[];
  /** The highest segment number in use. */
  readonly lastNumber: number;
}

/** A record as it is stored. */
export interface EncodedRecord {
  readonly sequence: number;
  readonly encoded: Buffer;
  readonly salt: number;
}

/** The sum of the records up to `next`. */
interface Fold {
  readonly next: number;
  readonly states: Map<string, string[]>;
  readonly headSequence: number | undefined;
  readonly waitingPoints: number;
  readonly waitingBytes: number;
  readonly lostRecords: number;
}

/**
 * Reads what a spool folder holds and changes nothing. The log ends before the first record that is not whole and was not yet
 * durable: what stands behind it may have become durable before it, and states say nothing without the points they come with.
 * A durable record that is damaged loses only itself.
 */
export async function readLog(fs: SpoolFs, folder: string): Promise<StoredLog> {
  const names = (await fs.list(folder)).sort();
  const checkpoint = await readCheckpoint(fs, folder);
  const { segments, leftovers } = await findSegments(fs, folder, names);
  const reader = new LogFold(checkpoint, segments[0]?.first ?? 0);
  for (const segment of segments) await readSegment(fs, segment, (record) => reader.add(record, segment.salt));
  const fold = reader.finish();

  const settled = checkpoint ?? Math.min(segments[0]?.first ?? 0, fold.next);
  for (const segment of segments) segment.end = Math.min(segment.end, fold.next);
  const kept = segments.filter(({ first, end }) => first < end);
  return {
    ...fold,
    settled,
    next: Math.max(fold.next, settled),
    segments: kept,
    leftovers: [...leftovers, ...segments.filter((segment) => !kept.includes(segment)).map(({ path }) => path)],
    unsynced: reader.unsynced.filter(({ sequence }) => sequence < fold.next),
    lastNumber: Math.max(0, ...names.map((name) => parseSegmentName(name)?.number ?? 0)),
  };
}

/** The segments that hold records. Where two hold the same ones, the newer was written because the older could not be trusted. */
async function findSegments(
  fs: SpoolFs,
  folder: string,
  names: readonly string[]
): Promise<{
  segments: Segment[];
  leftovers: string[];
}> {
  const segments: Segment[] = [];
  const leftovers: string[] = [];
  for (const name of names) {
    const path = `${folder}/${name}`;
    if (name.endsWith('.new')) leftovers.push(path);
    const parsed = parseSegmentName(name);
    if (parsed === undefined) continue;
    const sizeBytes = (await fs.stat(path))?.sizeBytes ?? 0;
    const segment = { ...parsed, path, sizeBytes, first: -1, end: Infinity };
    let first: number | undefined;
    await readSegment(fs, segment, ({ header }) => {
      first = header.sequence;
      return false;
    });
    if (first === undefined) leftovers.push(path);
    else segments.push({ ...segment, first });
  }
  let end = Infinity;
  for (const segment of segments.toReversed()) {
    segment.end = end;
    end = Math.min(end, segment.first);
  }
  return { segments, leftovers };
}

async function readSegment(fs: SpoolFs, segment: Segment, take: (record: StoredRecord) => boolean): Promise<void> {
  const reader = new SegmentReader(await fs.open(segment.path), segment.salt, segment.sizeBytes);
  try {
    for (let record = await reader.next(); record !== undefined; record = await reader.next()) {
      if (record.header.sequence >= segment.end || !take(record)) return;
    }
  } finally {
    reader.close();
  }
}

const NOTHING = { headSequence: undefined, waitingPoints: 0, waitingBytes: 0, lostRecords: 0 };

class LogFold {
  readonly #checkpoint: number | undefined;
  readonly #settled: number;
  #fold: Fold;
  /** What held before each gap that is not known to be damage of durable records. */
  #doubts: Fold[] = [];
  #synced = 0;
  #unsynced: EncodedRecord[] = [];
  /** A head that has started, and the sources whose states it has so far. */
  #head: { readonly sequence: number; readonly keys: Set<string> } | undefined;

  constructor(checkpoint: number | undefined, first: number) {
    this.#checkpoint = checkpoint;
    this.#settled = checkpoint ?? 0;
    const next = Math.min(this.#settled, first);
    this.#fold = { next, states: new Map(), ...NOTHING };
  }

  get unsynced(): readonly EncodedRecord[] {
    return this.#unsynced;
  }

  /** Takes the next record; always true: go on. */
  add({ header, states, encoded }: StoredRecord, salt: number): boolean {
    const { next } = this.#fold;
    if (header.sequence < next) return true;
    if (header.sequence > next) this.#passGap(header);
    this.#noteSynced(header.syncedSequence);
    this.#unsynced.push({ sequence: header.sequence, encoded, salt });
    this.#applyStates(header, states);
    const isWaiting = header.sequence >= this.#settled;
    this.#fold = {
      ...this.#fold,
      next: header.sequence + 1,
      waitingPoints: this.#fold.waitingPoints + (isWaiting ? header.points : 0),
      waitingBytes: this.#fold.waitingBytes + (isWaiting ? header.pointBytes : 0),
    };
    return true;
  }

  finish(): Fold {
    return this.#doubts[0] ?? this.#fold;
  }

  /** All records before it were durable. */
  #noteSynced(sequence: number): void {
    if (sequence <= this.#synced) return;
    this.#synced = sequence;
    this.#doubts = this.#doubts.filter((doubt) => doubt.next >= sequence);
    this.#unsynced = this.#unsynced.filter((record) => record.sequence >= sequence);
  }

  #passGap(header: RecordHeader): void {
    const { next, states } = this.#fold;
    // What is missing may have been in the head.
    this.#head = undefined;
    const copy = Array.from(states, ([key, values]): [string, string[]] => [key, [...values]]);
    this.#doubts.push({ ...this.#fold, states: new Map(copy) });
    // Without a checkpoint nothing is known of the records before the first one.
    const isKnown = this.#checkpoint !== undefined || next > 0;
    const lost = isKnown ? Math.max(0, header.sequence - Math.max(next, this.#settled)) : 0;
    this.#fold = { ...this.#fold, lostRecords: this.#fold.lostRecords + lost };
  }

  #applyStates(header: RecordHeader, bytes: Buffer): void {
    const { states } = this.#fold;
    if (header.kind === 'headStart') this.#head = { sequence: header.sequence, keys: new Set() };
    for (const { key, kind, value } of parseStates(bytes)) {
      if (kind === 'whole') this.#head?.keys.add(key);
      if (kind === 'whole') states.set(key, [value]);
      else if (kind === 'gone') states.delete(key);
      // A change without the value that it changes is of no use.
      else states.get(key)?.push(value);
    }
    if (header.kind === 'headEnd') this.#endHead();
  }

  /** Sources that are not in the head are gone. */
  #endHead(): void {
    if (this.#head === undefined) return;
    const { sequence, keys } = this.#head;
    for (const key of this.#fold.states.keys()) if (!keys.has(key)) this.#fold.states.delete(key);
    this.#fold = { ...this.#fold, headSequence: sequence };
    this.#head = undefined;
  }
}
