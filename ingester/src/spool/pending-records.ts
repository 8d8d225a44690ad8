import { bufferPool } from '../bytes/buffer-pool.js';
import type { MemoryPiece, RecentRecord } from './recent-records.js';
import { RECORD_HEADER_BYTES, type RecordKind, writeHeader } from './record.js';

const PIECE_BYTES = 1 << 20;

interface NewRecord {
  readonly kind: RecordKind;
  readonly sequence: number;
  readonly syncedSequence: number;
  /** The states in the format of formatStates. */
  readonly states: string;
  readonly bytes: Buffer;
  readonly points: number;
}

/** Records that were added and not yet written, one behind the other in a piece of memory. */
export class PendingRecords {
  readonly #salt: number;
  #piece: MemoryPiece = { bytes: Buffer.alloc(0), records: 0 };
  #start = 0;
  #end = 0;
  #records: RecentRecord[] = [];

  constructor(salt: number) {
    this.#salt = salt;
  }

  /** The bytes to write. */
  get bytes(): Buffer {
    return this.#piece.bytes.subarray(this.#start, this.#end);
  }

  get sizeBytes(): number {
    return this.#end - this.#start;
  }

  get records(): readonly RecentRecord[] {
    return this.#records;
  }

  /** Whether there is room for the record behind the others. If not, they must be written first. */
  hasRoom(states: string, bytes: Buffer): boolean {
    return this.#piece.bytes.length - this.#end >= RECORD_HEADER_BYTES + Buffer.byteLength(states) + bytes.length;
  }

  /** Copies the record. */
  add({ kind, sequence, syncedSequence, states, bytes, points }: NewRecord): RecentRecord {
    const stateBytes = Buffer.byteLength(states);
    const pointsOffset = RECORD_HEADER_BYTES + stateBytes;
    const size = pointsOffset + bytes.length;
    if (this.#piece.bytes.length - this.#end < size) this.#startPiece(size);
    const piece = this.#piece;
    const offset = this.#end;
    this.#end += size;
    piece.bytes.write(states, offset + RECORD_HEADER_BYTES, 'utf8');
    bytes.copy(piece.bytes, offset + pointsOffset);
    const sizes = { stateBytes, pointBytes: bytes.length };
    writeHeader(piece.bytes, offset, this.#salt, { kind, sequence, syncedSequence, points, ...sizes });
    const encoded = piece.bytes.subarray(offset, this.#end);
    const record: RecentRecord = { sequence, encoded, piece, pointsOffset, points, segment: undefined, offset: 0 };
    piece.records += 1;
    this.#records.push(record);
    return record;
  }

  /** Call it when all bytes were written. */
  clear(): void {
    this.#start = this.#end;
    this.#records = [];
  }

  /** Call it when the record is no longer used. */
  drop({ piece }: RecentRecord): void {
    piece.records -= 1;
    if (piece.records === 0 && piece !== this.#piece) bufferPool.give(piece.bytes);
  }

  #startPiece(bytes: number): void {
    if (this.#piece.records === 0) bufferPool.give(this.#piece.bytes);
    this.#piece = { bytes: bufferPool.take(Math.max(bytes, PIECE_BYTES)), records: 0 };
    this.#start = 0;
    this.#end = 0;
  }
}
