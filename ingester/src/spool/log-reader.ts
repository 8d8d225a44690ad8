import type { BatchLimits } from '../pipeline/point-queue.js';
import type { Segment } from './segment.js';
import type { RecentRecord, RecentRecords } from './recent-records.js';
import { RECORD_HEADER_BYTES } from './record.js';
import { SegmentReader } from './segment-reader.js';
import type { SpoolFs } from './spool-fs.js';

/** The points of some records. */
export interface ReadBatch {
  readonly bytes: Buffer;
  readonly points: number;
  /** The record after the last one. */
  readonly end: number;
}

interface Points {
  readonly bytes: Buffer;
  readonly points: number;
  readonly sequence: number;
}

export interface LogReaderOptions {
  readonly fs: SpoolFs;
  /** All segments, oldest first. */
  readonly segments: readonly Segment[];
  readonly recent: Pick<RecentRecords, 'get'>;
  /** The first record to read. */
  readonly sequence: number;
  /** Told how many records were passed over because they are damaged. */
  readonly onDamage: (records: number) => void;
}

/** Reads the records of a log one after the other: from memory where they are there, from the segments otherwise. */
export class LogReader {
  readonly #fs: SpoolFs;
  readonly #segments: readonly Segment[];
  readonly #recent: Pick<RecentRecords, 'get'>;
  readonly #onDamage: (records: number) => void;
  /** The next record. */
  #sequence: number;
  /** Where it is stored, or a record before it; undefined when that is not known better than by its segment. */
  #place: { readonly segment: Segment; readonly offset: number } | undefined;
  #open: { readonly segment: Segment; readonly sizeBytes: number; readonly reader: SegmentReader } | undefined;
  /** Read from disk, not taken yet. */
  #ahead: Points | undefined;

  constructor({ fs, segments, recent, sequence, onDamage }: LogReaderOptions) {
    this.#fs = fs;
    this.#segments = segments;
    this.#recent = recent;
    this.#sequence = sequence;
    this.#onDamage = onDamage;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** The points of the next records before `until`, whole records up to the limits, at least one. May hold none. */
  async read(limits: BatchLimits, until: number): Promise<ReadBatch> {
    const start = this.#sequence;
    try {
      return await this.#collect(limits, until);
    } catch (error) {
      this.close();
      this.#sequence = start;
      throw error;
    }
  }

  async #collect(limits: BatchLimits, until: number): Promise<ReadBatch> {
    const parts: Buffer[] = [];
    let points = 0;
    let bytes = 0;
    for (let next = await this.#peek(until); next !== undefined; next = await this.#peek(until)) {
      const isOver = points + next.points > limits.maxPoints || bytes + next.bytes.length > limits.maxBytes;
      if (points > 0 && isOver) break;
      if (next.bytes.length > 0) parts.push(next.bytes);
      points += next.points;
      bytes += next.bytes.length;
      this.#sequence = next.sequence + 1;
    }
    const [first = Buffer.alloc(0), ...more] = parts;
    return { bytes: more.length === 0 ? first : Buffer.concat(parts), points, end: this.#sequence };
  }

  skipTo(sequence: number): void {
    if (sequence > this.#sequence) this.#sequence = sequence;
  }

  /** Told when a record leaves the memory. */
  onDrop(record: RecentRecord): void {
    if (record.sequence !== this.#sequence || record.segment === undefined) return;
    this.#closeFile();
    this.#place = { segment: record.segment, offset: record.offset };
  }

  close(): void {
    this.#closeFile();
    this.#place = undefined;
    this.#ahead = undefined;
  }

  async #peek(until: number): Promise<Points | undefined> {
    while (this.#sequence < until) {
      const sequence = this.#sequence;
      const recent = this.#recent.get(sequence);
      if (recent !== undefined) {
        return { bytes: recent.encoded.subarray(recent.pointsOffset), points: recent.points, sequence };
      }
      const stored = await this.#readStored(sequence);
      const found = Math.min(stored?.sequence ?? until, until);
      if (found > sequence) this.#onDamage(found - sequence);
      if (found < until) return stored;
      this.#sequence = until;
    }
    return undefined;
  }

  /** The record of that number or the next one after it that is whole on disk. */
  async #readStored(sequence: number): Promise<Points | undefined> {
    if (this.#ahead !== undefined && this.#ahead.sequence >= sequence) return this.#ahead;
    for (const segment of this.#segments.filter(({ end }) => end > sequence)) {
      const found = await this.#readFrom(segment, sequence);
      if (found !== undefined) return (this.#ahead = found);
    }
    return undefined;
  }

  async #readFrom(segment: Segment, sequence: number): Promise<Points | undefined> {
    const { reader, sizeBytes } = await this.#openAt(segment);
    for (let record = await reader.next(); record !== undefined; record = await reader.next()) {
      const { header, points, offset } = record;
      if (header.sequence >= segment.end) return undefined;
      this.#place = { segment, offset: offset + RECORD_HEADER_BYTES + header.stateBytes + header.pointBytes };
      if (header.sequence >= sequence) return { bytes: points, points: header.points, sequence: header.sequence };
    }
    this.#closeFile();
    // More was written since the file was opened.
    return sizeBytes < segment.sizeBytes ? this.#readFrom(segment, sequence) : undefined;
  }

  async #openAt(segment: Segment): Promise<{ reader: SegmentReader; sizeBytes: number }> {
    if (this.#open?.segment === segment) return this.#open;
    this.#closeFile();
    const offset = this.#place?.segment === segment ? this.#place.offset : 0;
    const { salt, sizeBytes } = segment;
    const reader = new SegmentReader(await this.#fs.open(segment.path), salt, sizeBytes, offset);
    this.#open = { segment, sizeBytes, reader };
    return this.#open;
  }

  #closeFile(): void {
    this.#open?.reader.close();
    this.#open = undefined;
  }
}
