import { bufferPool } from '../bytes/buffer-pool.js';
import type { Clock } from '../clock/clock.js';
import { nameErrorCode } from '../host/file-error.js';
import type { BatchLimits, PointBatch, PointQueue, QueueRecord } from '../queue/point-queue.js';
import type { StateSource } from '../queue/state-registry.js';
import type { Reporter } from '../host/report.js';
import { LogReader, type ReadBatch } from './log-reader.js';
import type { CheckpointWriter } from './checkpoint.js';
import type { StoredLog } from './read-log.js';
import type { Segment } from './segment.js';
import { formatStates } from './record.js';
import { SegmentWriter } from './segment-writer.js';
import { SettledSegments } from './settled-segments.js';
import { StateHead } from './state-head.js';
import type { SpoolFs } from './spool-fs.js';
import { withDeadline } from '../clock/deadline.js';
import { Waiters } from '../clock/waiters.js';

const URGENT_RESERVE_BYTES = 1 << 20;
/** Durable points that stay in memory for a sender that keeps up. */
const CACHE_BYTES = 1 << 20;
/**
 * Points that are not durable stay in memory. Up to this many bytes, a job that cannot wait for a slow disk loses
 * nothing.
 */
const MAX_UNSYNCED_BYTES = 32 << 20;
/** The same where sources can wait. */
const MAX_UNSYNCED_BYTES_OF_MANY = 8 << 20;
const HEAD_PIECE_BYTES = 1 << 20;
const READ_RETRY_MS = 1000;
/** A store that took points within this time will soon take those that are only in memory. */
const SENDING_MS = 10_000;

interface DurableSpoolOptions {
  readonly folder: string;
  readonly foldersToSync: readonly string[];
  readonly fs: SpoolFs;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly report: Reporter;
  readonly random: () => number;
  readonly stored: StoredLog;
  readonly checkpoint: CheckpointWriter;
  /** Recreates the folder if it is gone; returns whether it was. */
  readonly restoreFolder: () => Promise<boolean>;
  /** Sets a file aside that cannot be read in full. */
  readonly setAside: (path: string) => Promise<void>;
  /** The sources of the states. Undefined when nothing is appended: the points of another process are sent. */
  readonly sources: Iterable<StateSource> | undefined;
  /** Whether the states of the sources must outlive the points. */
  readonly keepsStates: boolean;
  readonly maxBytes: number;
  readonly segmentBytes: number;
}

/** A queue of points in the segment files of one folder. */
export class DurableSpool implements PointQueue {
  readonly states: ReadonlyMap<string, readonly string[]>;
  readonly #options: DurableSpoolOptions;
  readonly #segments: Segment[];
  readonly #writer: SegmentWriter;
  readonly #reader: LogReader;
  readonly #settled: SettledSegments;
  readonly #head: StateHead;
  readonly #maxUnsyncedBytes: number;
  readonly #waiters = new Waiters();
  #waitingPoints: number;
  #waitingBytes: number;
  /** The batch that was read and is not yet released. */
  #batch: ReadBatch | undefined;
  /** The batch that `read` returns next. */
  #ahead: ReadBatch | undefined;
  #isReading = false;
  #isClosed = false;
  /** The segments before stay until there is a new head. */
  #isHeadDue = false;
  #releasedMs = -Infinity;
  #hasLost: boolean;

  constructor(options: DurableSpoolOptions) {
    const { stored, sources, fs, folder, keepsStates, segmentBytes } = options;
    this.#options = options;
    this.states = stored.states;
    this.#hasLost = stored.lostRecords > 0;
    this.#segments = [...stored.segments];
    this.#waitingPoints = stored.waitingPoints;
    this.#waitingBytes = stored.waitingBytes;
    const { next, lastNumber, settled, headSequence } = stored;
    this.#maxUnsyncedBytes = keepsStates ? MAX_UNSYNCED_BYTES_OF_MANY : MAX_UNSYNCED_BYTES;
    const segments = this.#segments;
    this.#writer = new SegmentWriter({
      ...options,
      ...{ segments, next, lastNumber, cacheBytes: CACHE_BYTES },
      onDrop: (record) => this.#reader.onDrop(record),
      onWritten: () => this.#writeHeadIfDue(),
      onChange: () => this.#settle(),
      onRecovered: () => (this.#isHeadDue = keepsStates),
      whileFailing: keepsStates ? 'nothing more is logged' : 'points wait in memory alone',
      prepareFolder: () => this.#prepareFolder(),
    });
    this.#reader = new LogReader({
      ...{ fs, segments, recent: this.#writer.recent, sequence: settled },
      onGap: (first, end) => this.#passGap(first, end),
    });
    this.#settled = new SettledSegments({
      ...options,
      isAppended: sources !== undefined,
      folder,
      segments,
      settled,
      headSequence,
      isWritingFailed: () => this.#writer.failure !== undefined,
      onRemoved: () => {
        this.#writer.tryAgain();
        this.#waiters.wake();
      },
    });
    this.#settled.advance(settled);
    this.#head = new StateHead({
      ...{ writer: this.#writer, sources: sources ?? [], pieceBytes: Math.min(HEAD_PIECE_BYTES, segmentBytes / 4) },
      untilDurable: (sequence) => this.#untilDurable(sequence),
      onDurable: (sequence) => this.#settled.noteHead(sequence),
    });
    if (sources !== undefined && keepsStates) this.#head.writeFound(stored.states);
    this.#settle();
  }

  get hasLost(): boolean {
    return this.#hasLost;
  }

  /** Whether the folder holds nothing that anybody needs. */
  get isOver(): boolean {
    const isDamaged = this.#segments.some((segment) => segment.isDamaged === true);
    return this.#waitingPoints === 0 && !this.#options.keepsStates && !isDamaged;
  }

  get waitingPoints(): number {
    return this.#waitingPoints;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get fill(): number {
    if (this.diskFailure !== undefined && !this.#isPastDisk) return 1;
    const { maxBytes } = this.#options;
    const fill = Math.max(this.#usedBytes() / maxBytes, this.#writer.recent.unsyncedBytes / this.#maxUnsyncedBytes);
    if (fill >= 1) return 1;
    return this.#waitingPoints === 0 ? 0 : fill;
  }

  get relief(): PointQueue['relief'] {
    if (this.#isPastDisk) return 'sending';
    const isSlow = this.#isMemoryFull && this.diskFailure === undefined && !this.#writer.isStuck;
    return isSlow && this.#usedBytes() < this.#options.maxBytes ? 'disk' : undefined;
  }

  get diskFailure(): string | undefined {
    return this.#writer.failure;
  }

  /**
   * Whether points are given out that are not on the disk, because it takes nothing. A crash loses them only until they
   * are sent. States must not be older than the points that were sent, so a spool that keeps states waits for the disk.
   */
  get #isPastDisk(): boolean {
    return this.diskFailure !== undefined && !this.#options.keepsStates;
  }

  get #isMemoryFull(): boolean {
    return this.#writer.recent.unsyncedBytes >= this.#maxUnsyncedBytes;
  }

  /** Records before this one may be given out. */
  get #readableEnd(): number {
    return this.#isPastDisk ? this.#writer.next : this.#writer.synced;
  }

  append(record: QueueRecord): boolean {
    if (this.#isClosed || this.#options.sources === undefined || !this.#hasRoom(record.isUrgent)) return false;
    this.#add(record, formatStates(record.states));
    bufferPool.give(record.bytes);
    this.#sealIfFull();
    if (this.#isPastDisk) this.#waiters.wake();
    return true;
  }

  /** Adds points behind those that another process left; true once they are durable. */
  addLast(batch: PointBatch): Promise<boolean> {
    this.#add(batch, '');
    return this.untilDurable();
  }

  #add({ bytes, points }: PointBatch, states: string): void {
    this.#writer.add('points', states, bytes, points);
    this.#waitingPoints += points;
    this.#waitingBytes += bytes.length;
  }

  async read(limits: BatchLimits): Promise<PointBatch | undefined> {
    if (this.#batch !== undefined) return this.#batch;
    this.#batch = this.#ahead;
    this.#ahead = undefined;
    if (this.#batch !== undefined) return this.#batch;
    if (this.#reader.sequence >= this.#readableEnd && this.#waitingPoints > 0) await this.#untilChange();
    this.#batch = await this.#readNext(limits);
    if (this.#batch === undefined) this.#settle(this.#reader.sequence);
    return this.#batch;
  }

  async readAhead(limits: BatchLimits): Promise<PointBatch | undefined> {
    if (this.#batch !== undefined) this.#ahead ??= await this.#readNext(limits);
    return this.#ahead;
  }

  async #readNext(limits: BatchLimits): Promise<ReadBatch | undefined> {
    this.#isReading = true;
    try {
      const batch = await this.#reader.read(limits, this.#readableEnd);
      if (batch.points > 0) return batch;
      bufferPool.give(batch.bytes);
      return undefined;
    } catch (error) {
      const { report, folder, clock } = this.#options;
      await this.lookAfterFolder();
      report.error(`reading the spool ${folder} failed (${nameErrorCode(error)}): its points wait; tried again`);
      await clock.sleep(READ_RETRY_MS);
      return undefined;
    } finally {
      this.#isReading = false;
    }
  }

  release(): Promise<void> {
    const batch = this.#batch;
    if (batch === undefined) return Promise.resolve();
    this.#batch = undefined;
    this.#waitingPoints -= batch.points;
    this.#waitingBytes -= batch.bytes.length;
    bufferPool.give(batch.bytes);
    this.#releasedMs = this.#options.clock.monotonicMs();
    // Reading ahead may have skipped records without points.
    this.#settle(this.#ahead === undefined ? this.#reader.sequence : batch.end);
    return Promise.resolve();
  }

  untilWaiting(points: number, signal: AbortSignal): Promise<void> {
    const countReadable = (): number =>
      this.#waitingPoints - (this.#isPastDisk ? 0 : this.#writer.recent.unsyncedPoints);
    return this.#waiters.until(() => countReadable() >= points, signal);
  }

  untilFill(fill: number, signal: AbortSignal): Promise<void> {
    return this.#waiters.until(() => this.fill <= fill, signal);
  }

  async untilDurable(): Promise<boolean> {
    this.#writer.syncSoon();
    const last = this.#writer.next - 1;
    return (await this.#untilDurable(last)) || (this.#isPastDisk && (await this.#untilSent(last)));
  }

  /** A sent record is as safe as one on disk. False when the store takes nothing for now. */
  async #untilSent(sequence: number): Promise<boolean> {
    const isSent = (): boolean => this.#writer.synced > sequence;
    const patienceMs = this.#releasedMs + SENDING_MS - this.#options.clock.monotonicMs();
    if (patienceMs > 0) {
      await withDeadline(patienceMs, [], (late) => this.#waiters.until(() => this.#isClosed || isSent(), late));
    }
    return isSent();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.lookAfterFolder();
    await this.#writer.close();
    const { failure, recent } = this.#writer;
    if (failure !== undefined && recent.unsyncedPoints > 0) {
      const { folder, report } = this.#options;
      report.error(`writing to the spool ${folder} failed (${failure}): ${recent.unsyncedPoints} points may be lost`);
    }
    await this.#settled.close({ isOver: this.isOver });
    this.#reader.close();
    this.#waiters.wake();
  }

  #hasRoom(isUrgent: boolean): boolean {
    if (this.diskFailure !== undefined && !this.#isPastDisk) return false;
    // Only a head makes room, and it must not be ahead of the points.
    if (this.#head.isCommitting) return true;
    if (this.#isMemoryFull) return false;
    return this.#usedBytes() < this.#options.maxBytes + (isUrgent ? URGENT_RESERVE_BYTES : 0);
  }

  /** Checks whether somebody has removed the folder. */
  async lookAfterFolder(): Promise<void> {
    const { fs, folder } = this.#options;
    const isThere = await fs.stat(folder).catch(() => true);
    if (isThere === undefined && this.diskFailure === undefined) this.#writer.noteRemoved();
  }

  /** Points that were only in a removed folder are lost. */
  async #prepareFolder(): Promise<void> {
    const { report, folder, restoreFolder } = this.#options;
    if (await restoreFolder()) {
      this.#segments.splice(0);
      this.#reader.close();
      const first = this.#writer.forgetDurable();
      const held = [this.#batch, this.#ahead].reduce((sum, batch) => sum + (batch?.points ?? 0), 0);
      const lost = this.#waitingPoints - held - this.#writer.recent.countPoints(this.#reader.sequence);
      this.#reader.skipTo(first);
      this.#waitingPoints -= lost;
      this.#hasLost ||= lost > 0;
      const what = lost > 0 ? `${lost} points that waited there are lost` : 'nothing that waited there is lost';
      report.error(`the spool ${folder} was removed, or taken over by another process: ${what}; it is made anew`);
      await this.#settled.forgetKept();
      if (this.#batch === undefined) this.#settled.advance(Math.max(this.#settled.settled, this.#reader.sequence));
    }
    await this.#settled.keep();
  }

  /** A gap from before the start was reported then. */
  #passGap(first: number, end: number): void {
    const { stored, report, folder } = this.#options;
    if (stored.gaps.some((gap) => gap.first <= first && end <= gap.end)) return;
    this.#hasLost = true;
    report.error(`${end - first} records of the spool ${folder} are damaged: their points are lost`);
  }

  /** The newest head does not count. It stays even when nothing waits, so a large one would take the room for ever. */
  #usedBytes(): number {
    return this.#segments.reduce(
      (sum, { sizeBytes }) => sum + sizeBytes,
      this.#writer.unwrittenBytes - this.#head.sizeBytes
    );
  }

  /** When the newest segment is full, the next record starts another one, and a head is due. */
  #sealIfFull(): void {
    const { segmentBytes, keepsStates } = this.#options;
    if (this.#writer.segmentBytes - this.#head.sizeBytes < segmentBytes) return;
    this.#writer.seal();
    this.#isHeadDue ||= keepsStates;
  }

  #writeHeadIfDue(): void {
    const isReady = !this.#isClosed && this.#writer.failure === undefined && !this.#head.isWriting;
    if (this.#options.sources === undefined || !this.#isHeadDue || !isReady) return;
    this.#isHeadDue = false;
    void this.#head.write();
  }

  /**
   * Notes that all records before `sequence` are settled. Also called when more is durable, and when writing fails or
   * works again.
   */
  #settle(sequence = this.#settled.settled): void {
    const { next, synced, recent } = this.#writer;
    // Records damaged since the start are never read. Once all others were read, nothing waits.
    if (sequence >= next) {
      this.#waitingPoints = 0;
      this.#waitingBytes = 0;
    }
    const isEmpty = this.#waitingPoints === 0 && this.#batch === undefined && !this.#isReading;
    // Nobody waits for records without points.
    if (isEmpty) this.#reader.skipTo(synced);
    const settled = isEmpty ? Math.max(sequence, synced) : sequence;
    this.#settled.advance(settled);
    this.#writer.passOver(settled);
    recent.dropBefore(settled);
    this.#waiters.wake();
  }

  /** Resolves when the durable records next change; at once when nothing can be made durable. */
  async #untilChange(): Promise<void> {
    await this.#untilDurable(this.#writer.synced);
  }

  async #untilDurable(sequence: number): Promise<boolean> {
    const isDurable = (): boolean => this.#writer.synced > sequence;
    await this.#waiters.until(() => this.#isClosed || isDurable() || this.#writer.failure !== undefined);
    return isDurable();
  }
}
