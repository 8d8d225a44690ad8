import type { Segment } from './segment.js';

/** A piece of memory that holds records. */
export interface MemoryPiece {
  readonly bytes: Buffer;
  /** The number of records in it that are in use. */
  records: number;
}

/** A record as it was made, and its place on disk. */
export interface RecentRecord {
  readonly sequence: number;
  /** Header, states and points. Once the record is dropped, the bytes may be another record's. */
  readonly encoded: Buffer;
  /** The memory that holds the bytes. */
  readonly piece: MemoryPiece;
  /** The offset of the points in `encoded`. */
  readonly pointsOffset: number;
  readonly points: number;
  /** Undefined until the record is written. */
  segment: Segment | undefined;
  offset: number;
}

/** The memory of a small record besides its bytes. */
const OVERHEAD_BYTES = 250;

/**
 * The newest records, in memory. Records that are not durable may have to be written again. As many before them as fit
 * are kept, so that a sender that keeps up need not read the disk.
 */
export class RecentRecords {
  readonly #maxSyncedBytes: number;
  readonly #onDrop: (record: RecentRecord) => void;
  #records: RecentRecord[] = [];
  /** Index of the oldest record. */
  #start = 0;
  /** Index of the oldest record that is not durable. */
  #unsynced = 0;
  #syncedBytes = 0;
  #unsyncedBytes = 0;
  #unsyncedPoints = 0;

  constructor(maxSyncedBytes: number, onDrop: (record: RecentRecord) => void) {
    this.#maxSyncedBytes = maxSyncedBytes;
    this.#onDrop = onDrop;
  }

  /** The memory of the records that are not durable. */
  get unsyncedBytes(): number {
    return this.#unsyncedBytes;
  }

  get unsyncedPoints(): number {
    return this.#unsyncedPoints;
  }

  /** Sequence numbers rise by one from record to record. */
  push(record: RecentRecord): void {
    this.#records.push(record);
    this.#unsyncedBytes += sizeOf(record);
    this.#unsyncedPoints += record.points;
  }

  get(sequence: number): RecentRecord | undefined {
    const oldest = this.#records[this.#start];
    if (oldest === undefined || sequence < oldest.sequence) return undefined;
    return this.#records[this.#start + sequence - oldest.sequence];
  }

  /** The records that are not durable, oldest first. */
  takeUnsynced(): RecentRecord[] {
    return this.#records.slice(this.#unsynced);
  }

  /** All records before `next` are durable. */
  markSynced(next: number): void {
    for (let record = this.#records[this.#unsynced]; record !== undefined; record = this.#records[this.#unsynced]) {
      if (record.sequence >= next) break;
      this.#unsynced += 1;
      this.#unsyncedBytes -= sizeOf(record);
      this.#unsyncedPoints -= record.points;
      this.#syncedBytes += sizeOf(record);
    }
    this.#trim(() => this.#syncedBytes > this.#maxSyncedBytes);
  }

  /** Call it when the folder was removed and nothing is durable any more. Returns the oldest record in memory. */
  forgetSynced(): RecentRecord | undefined {
    for (const record of this.#records.slice(this.#start, this.#unsynced)) {
      this.#unsyncedBytes += sizeOf(record);
      this.#unsyncedPoints += record.points;
    }
    this.#syncedBytes = 0;
    this.#unsynced = this.#start;
    return this.#records[this.#start];
  }

  /** Counts the points of the records from `sequence` on. */
  countPoints(sequence: number): number {
    return this.#records
      .slice(this.#start)
      .reduce((sum, record) => sum + (record.sequence < sequence ? 0 : record.points), 0);
  }

  /** Drops the records before `sequence`, which are not read again. */
  dropBefore(sequence: number): void {
    this.#trim((record) => record.sequence < sequence);
  }

  #trim(isOver: (record: RecentRecord) => boolean): void {
    while (this.#start < this.#unsynced) {
      const record = this.#records[this.#start];
      if (record === undefined || !isOver(record)) break;
      this.#start += 1;
      this.#syncedBytes -= sizeOf(record);
      this.#onDrop(record);
    }
    // Dropped records are removed in blocks, at most as many as are kept.
    if (this.#start * 2 >= this.#records.length) {
      this.#records = this.#records.slice(this.#start);
      this.#unsynced -= this.#start;
      this.#start = 0;
    }
  }
}

function sizeOf(record: RecentRecord): number {
  return record.encoded.length + OVERHEAD_BYTES;
}

/** Notes that the records were written one after the other to the end of the segment. */
export function placeRecords(records: readonly RecentRecord[], segment: Segment): void {
  for (const record of records) {
    record.segment = segment;
    record.offset = segment.sizeBytes;
    segment.sizeBytes += record.encoded.length;
  }
}
