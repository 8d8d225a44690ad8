import type { RecentRecord } from './recent-records.js';
import type { RecordKind } from './record.js';
import { RECORD_HEADER_BYTES, writeHeader } from './record.js';

const CHUNK_BYTES = 1 << 20;

export interface NewRecord {
  readonly kind: RecordKind;
  readonly sequence: number;
  readonly syncedSequence: number;
  /** As formatStates gives them. */
  readonly states: string;
  readonly bytes: Buffer;
  readonly points: number;
}

/** Records that were added and not written yet, one behind the other in a piece of memory. */
export class PendingRecords {
  readonly #salt: number;
  #chunk = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  #records: RecentRecord[] = [];

  constructor(salt: number) {
    this.#salt = salt;
  }

  /** What is to be written. */
  get bytes(): Buffer {
    return this.#chunk.subarray(this.#start, this.#end);
  }

  get sizeBytes(): number {
    return this.#end - this.#start;
  }

  get records(): readonly RecentRecord[] {
    return this.#records;
  }

  /** Whether the record fits behind the ones that are there; if not, these have to be written first. */
  hasRoom(states: string, bytes: Buffer): boolean {
    return this.#chunk.length - this.#end >= RECORD_HEADER_BYTES + Buffer.byteLength(states) + bytes.length;
  }

  /** Copies the record. */
  add({ kind, sequence, syncedSequence, states, bytes, points }: NewRecord): RecentRecord {
    const stateBytes = Buffer.byteLength(states);
    const pointsOffset = RECORD_HEADER_BYTES + stateBytes;
    const size = pointsOffset + bytes.length;
    if (this.#chunk.length - this.#end < size) this.#startChunk(size);
    const offset = this.#end;
    this.#end += size;
    this.#chunk.write(states, offset + RECORD_HEADER_BYTES, 'utf8');
    bytes.copy(this.#chunk, offset + pointsOffset);
    const sizes = { stateBytes, pointBytes: bytes.length };
    writeHeader(this.#chunk, offset, this.#salt, { kind, sequence, syncedSequence, points, ...sizes });
    const encoded = this.#chunk.subarray(offset, this.#end);
    const record: RecentRecord = { sequence, encoded, pointsOffset, points, segment: undefined, offset: 0 };
    this.#records.push(record);
    return record;
  }

  /** All was written. */
  clear(): void {
    this.#start = this.#end;
    this.#records = [];
  }

  #startChunk(bytes: number): void {
    // A large record gets a piece of its own size: what does not fit behind it would be wasted.
    this.#chunk = Buffer.allocUnsafeSlow(bytes * 8 > CHUNK_BYTES ? bytes : CHUNK_BYTES);
    this.#start = 0;
    this.#end = 0;
  }
}
