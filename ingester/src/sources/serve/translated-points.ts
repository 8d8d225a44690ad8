import type { PointRow } from '@joblens/core/metadata/point-row';
import { bufferPool } from '../../bytes/buffer-pool.js';
import { ByteWriter } from '../../bytes/byte-writer.js';
import type { PointBatch, QueueRecord } from '../../queue/point-queue.js';

/** Room for the times that are added, so that most points fit into the first piece of memory. */
const MORE_BYTES = 4096;
/** A longer line that is not a point keeps only its beginning. */
export const MAX_KEPT_LINE_BYTES = 8192;
/** The most bytes of refused lines that are held; lines beyond it are only counted. */
const MAX_INVALID_BYTES = 128 * 1024;

/** A line that is not a point. */
export interface InvalidLine {
  /** The line, or the beginning of a long one. */
  readonly line: Buffer;
  /** The number of bytes of it that came. */
  readonly lineBytes: number;
  /** In InfluxDB's words, e.g. `missing fields`. */
  readonly reason: string;
  /** The sender. */
  readonly from: string;
}

/** A point that is a row of a job as well. */
export interface TimedRow {
  readonly row: PointRow;
  readonly timeNs: bigint;
}

/** The points and the refused lines of the received bytes so far. */
export class TranslatedPoints {
  /** The points in the stored form. */
  readonly writer: ByteWriter;
  points = 0;
  /** The points among them that are rows of jobs, until the points of these rows are here too. */
  rows: TimedRow[] = [];
  /** The number of points that were made of rows … */
  madePoints = 0;
  /** … and the states of their jobs. */
  states: QueueRecord['states'] = [];
  /** The number of lines that are not points. */
  invalidLines = 0;
  /** The number of kept bytes of these lines. */
  invalidBytes = 0;
  /** The sender of the next lines. */
  from: string;
  readonly #maxInvalidBytes: number;
  #invalid: InvalidLine[] = [];

  /**
   * `receivedBytes`: the number of bytes to translate, if known. `maxInvalidBytes`: the most bytes to keep of lines
   * that are not points.
   */
  constructor(from: string, receivedBytes = 0, maxInvalidBytes = Infinity) {
    this.from = from;
    this.#maxInvalidBytes = Math.min(maxInvalidBytes, MAX_INVALID_BYTES);
    this.writer = new ByteWriter(receivedBytes + MORE_BYTES);
  }

  get record(): PointBatch & Pick<QueueRecord, 'states'> {
    return { bytes: this.writer.bytes, points: this.points, states: this.states };
  }

  /** The first lines that are not points. */
  get invalid(): readonly InvalidLine[] {
    return this.#invalid;
  }

  /** Copies the line, or its beginning. `lineBytes`: the length of a line that is not whole here. */
  refuse(line: Uint8Array, reason: string, lineBytes = line.length): void {
    this.invalidLines += 1;
    if (this.invalidBytes >= this.#maxInvalidBytes) return;
    const kept = Buffer.from(line.subarray(0, MAX_KEPT_LINE_BYTES));
    this.invalidBytes += kept.length + reason.length;
    this.#invalid.push({ line: kept, lineBytes, reason, from: this.from });
  }

  /** Adds the points that were made of its rows, with the states of their jobs. */
  addMade({ bytes, points }: PointBatch, states: QueueRecord['states']): void {
    this.writer.append(bytes);
    this.points += points;
    this.madePoints += points;
    this.states = states;
    this.rows = [];
  }

  /** Releases the memory of points that nobody took. */
  drop(): void {
    bufferPool.give(this.writer.bytes);
  }
}
