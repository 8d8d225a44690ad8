import { ByteWriter } from '../bytes/byte-writer.js';
import type { BatchLimits } from '../queue/point-queue.js';
import type { Segment } from './segment.js';
import type { RecentRecord, RecentRecords } from './recent-records.js';
import { RECORD_HEADER_BYTES } from './record.js';
import { ReadWindow, SegmentReader } from './segment-reader.js';
import type { SpoolFs } from './spool-fs.js';

const FIRST_BYTES = 1 << 16;
/** A batch is often a little larger than the one before. */
const GROWTH = 1.25;

/** The points of some records. */
export interface ReadBatch {
  /** From the buffer pool. */
  readonly bytes: Buffer;
  readonly points: number;
  /** The sequence number after the last record. */
  readonly end: number;
}

interface Points {
  readonly bytes: Buffer;
  readonly points: number;
  readonly sequence: number;
}

interface LogReaderOptions {
  readonly fs: SpoolFs;
  /** All segments, oldest first. */
  readonly segments: readonly Segment[];
  readonly recent: Pick<RecentRecords, 'get'>;
  /** The first record to read. */
  readonly sequence: number;
  /** Called when the records from `first` to before `end` were skipped because they are missing. */
  readonly onGap: (first: number, end: number) => void;
}

/** Reads the records of a log in order: from memory if they are there, else from the segments. */
export class LogReader {
  readonly #fs: SpoolFs;
  readonly #segments: readonly Segment[];
  readonly #recent: Pick<RecentRecords, 'get'>;
  readonly #onGap: LogReaderOptions['onGap'];
  /** The next record. */
  #sequence: number;
  /** The place of the next record or of one before it; undefined when only the segment is known. */
  #place: { readonly segment: Segment; readonly offset: number } | undefined;
  #open: { readonly segment: Segment; readonly sizeBytes: number; readonly reader: SegmentReader } | undefined;
  readonly #window = new ReadWindow();
  /** The size of the last batch, reserved so that nothing has to grow. */
  #expectedBytes = FIRST_BYTES;
  /** A record read from disk and not taken yet. */
  #ahead: Points | undefined;

  constructor({ fs, segments, recent, sequence, onGap }: LogReaderOptions) {
    this.#fs = fs;
    this.#segments = segments;
    this.#recent = recent;
    this.#sequence = sequence;
    this.#onGap = onGap;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /**
   * Reads the points of the next records before `until`: at least one record, and whole ones up to the limits. They may
   * hold no points.
   */
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
    const writer = new ByteWriter(this.#expectedBytes, GROWTH);
    let points = 0;
    while (this.#sequence < until) {
      const next = this.#peekRecent() ?? (await this.#peekStored(until));
      if (next === undefined) continue;
      const isOver = points + next.points > limits.maxPoints || writer.length + next.bytes.length > limits.maxBytes;
      if (points > 0 && isOver) break;
      // Copied before the next await, because the memory of a record is reused.
      writer.append(next.bytes);
      points += next.points;
      this.#sequence = next.sequence + 1;
    }
    this.#expectedBytes = Math.max(writer.length, FIRST_BYTES);
    return { bytes: writer.bytes, points, end: this.#sequence };
  }

  skipTo(sequence: number): void {
    if (sequence > this.#sequence) this.#sequence = sequence;
  }

  /** Call it when a record leaves the memory. */
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

  #peekRecent(): Points | undefined {
    const sequence = this.#sequence;
    const recent = this.#recent.get(sequence);
    return recent && { bytes: recent.encoded.subarray(recent.pointsOffset), points: recent.points, sequence };
  }

  /** Skips damaged records; undefined when there is none behind them on disk. */
  async #peekStored(until: number): Promise<Points | undefined> {
    const stored = await this.#readStored(this.#sequence);
    const found = Math.min(stored?.sequence ?? until, until);
    if (found > this.#sequence) this.#onGap(this.#sequence, found);
    this.#sequence = found;
    return found < until ? stored : undefined;
  }

  /** Reads the record of that number, or the next one that is whole on disk. */
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
      noteDamage(segment, reader);
      const { header, points, offset } = record;
      if (header.sequence >= segment.end) return undefined;
      this.#place = { segment, offset: offset + RECORD_HEADER_BYTES + header.stateBytes + header.pointBytes };
      if (header.sequence >= sequence) return { bytes: points, points: header.points, sequence: header.sequence };
    }
    noteDamage(segment, reader);
    this.#closeFile();
    // The file has grown since it was opened.
    return sizeBytes < segment.sizeBytes ? this.#readFrom(segment, sequence) : undefined;
  }

  async #openAt(segment: Segment): Promise<{ reader: SegmentReader; sizeBytes: number }> {
    if (this.#open?.segment === segment) return this.#open;
    this.#closeFile();
    const offset = this.#place?.segment === segment ? this.#place.offset : 0;
    const { salt, sizeBytes } = segment;
    const reader = new SegmentReader(await this.#fs.open(segment.path), salt, sizeBytes, {
      offset,
      window: this.#window,
    });
    this.#open = { segment, sizeBytes, reader };
    return this.#open;
  }

  #closeFile(): void {
    this.#open?.reader.close();
    this.#open = undefined;
  }
}

function noteDamage(segment: Segment, reader: SegmentReader): void {
  if (reader.takeBreaks().some(({ isTorn }) => !isTorn)) segment.isDamaged = true;
}
