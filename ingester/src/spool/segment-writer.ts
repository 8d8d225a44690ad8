import type { Clock } from '../clock/clock.js';
import { nameErrorCode } from '../host/file-error.js';
import type { Reporter } from '../host/report.js';
import { OpenSegments, type OpenSegmentsOptions } from './open-segments.js';
import { PendingRecords } from './pending-records.js';
import { type RecentRecord, RecentRecords } from './recent-records.js';
import type { RecordKind } from './record.js';

/** At this many bytes, records are written at once. */
const WRITE_BYTES = 256 << 10;
/** Written records become durable at this size, or at this age. */
const SYNC_BYTES = 1 << 20;
const SYNC_DELAY_MS = 50;
/** After a failure the disk is tried again this often. */
const RETRY_MS = 3000;
/** A disk that takes longer to sync is not slow but stuck: it may never answer. */
const STUCK_MS = 120_000;
/** The most that is rewritten at once: a disk may have room for this much, and for the rest once this was sent. */
const PART_BYTES = 1 << 20;

interface SegmentWriterOptions extends Omit<OpenSegmentsOptions, 'salt'> {
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly report: Reporter;
  readonly random: () => number;
  readonly next: number;
  readonly segmentBytes: number;
  /** The number of durable bytes that stay in memory for the reader. */
  readonly cacheBytes: number;
  readonly onDrop: (record: RecentRecord) => void;
  /** Called in a turn of the event loop of its own, after the added records are written. */
  readonly onWritten: () => void;
  /** Called when more is durable, and when writing fails or works again. */
  readonly onChange: () => void;
  /** Called when writing works again: the segments before are cut, and new ones are begun. */
  readonly onRecovered: () => void;
  /** Tells in messages what memory holds meanwhile. */
  readonly whileFailing: string;
  /** Called before records are written again: the folder must exist and hold the settled position. */
  readonly prepareFolder: () => Promise<void>;
}

/**
 * Appends records to the newest segment. They are written soon, made durable in groups, and held in memory until then.
 * After a failed write or sync, nobody knows which of these records the files hold, and no later sync can tell. So all
 * of them are written again to new files, except those that were sent from memory meanwhile. The old files are cut
 * first, as a full disk needs their room.
 */
export class SegmentWriter {
  readonly recent: RecentRecords;
  readonly #options: SegmentWriterOptions;
  readonly #files: OpenSegments;
  readonly #pending: PendingRecords;
  readonly #stop = new AbortController();
  #next: number;
  #synced: number;
  /** All records before this one are settled. */
  #passed = 0;
  #isWritingAgain = false;
  #syncingSinceMs: number | undefined;
  #unsyncedWrittenBytes = 0;
  #isWriteScheduled = false;
  #isSyncScheduled = false;
  /** Somebody waits for a sync. */
  #isSyncWanted = false;
  #syncing: Promise<void> | undefined;
  #retrying: Promise<void> | undefined;
  /** Read it only through the getter: it changes during calls. */
  #failure: string | undefined;
  /** Ends the pause before the next try. */
  #pause = new AbortController();

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#next = options.next;
    this.#synced = options.next;
    const salt = Math.floor(options.random() * 2 ** 32);
    this.#files = new OpenSegments({ ...options, salt });
    this.#pending = new PendingRecords(salt);
    this.recent = new RecentRecords(options.cacheBytes, (record) => {
      this.#pending.drop(record);
      options.onDrop(record);
    });
  }

  /** The sequence number of the next record. */
  get next(): number {
    return this.#next;
  }

  /** All records before this one are durable, or no longer need to be. */
  get synced(): number {
    return this.#synced;
  }

  /** Whether the disk has not answered for long. */
  get isStuck(): boolean {
    return this.#syncingSinceMs !== undefined && this.#options.clock.monotonicMs() - this.#syncingSinceMs > STUCK_MS;
  }

  /** The reason why nothing can be written now. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** The size of the newest segment. */
  get segmentBytes(): number {
    return this.#files.sizeBytes + this.unwrittenBytes;
  }

  get unwrittenBytes(): number {
    return this.#pending.sizeBytes;
  }

  /** Adds and returns a record. */
  add(kind: RecordKind, states: string, bytes: Buffer, points: number): RecentRecord {
    const pending = this.#pending;
    if (!pending.hasRoom(states, bytes)) this.write();
    const sequence = this.#next;
    const record = pending.add({ kind, sequence, syncedSequence: this.#synced, states, bytes, points });
    this.recent.push(record);
    this.#next += 1;
    if (pending.sizeBytes >= WRITE_BYTES) this.write();
    // Once the disk works again, undurable records are written from `recent`.
    if (this.#failure !== undefined) pending.clear();
    this.#scheduleWrite();
    return record;
  }

  /** Notes that the records before `next` were sent from memory, so they need no place on the disk. */
  passOver(next: number): void {
    this.#passed = Math.max(this.#passed, next);
    // Records that are being written keep their memory.
    if (this.#passed > this.#synced && !this.#isWritingAgain) this.#markSynced(this.#passed);
  }

  /** Writes the added records. */
  write(): void {
    this.#writePending();
    this.#scheduleSync();
  }

  #writePending(): void {
    const { records, bytes } = this.#pending;
    if (records.length === 0 || this.#failure !== undefined) return;
    try {
      this.#files.write(records, bytes);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#unsyncedWrittenBytes += bytes.length;
    this.#pending.clear();
  }

  /** Makes the added records durable as soon as no other sync runs. All who wait meanwhile share the next sync. */
  syncSoon(): void {
    this.write();
    this.#isSyncWanted = this.#unsyncedWrittenBytes > 0;
    this.#scheduleSync();
  }

  /** Ends the newest segment, so that the next record starts another one. */
  seal(): void {
    this.write();
    if (this.#failure === undefined) this.#files.seal(this.#next);
  }

  /** Call it when the folder was removed. */
  noteRemoved(): void {
    this.#fail(Object.assign(new Error('removed'), { code: 'ENOENT' }));
  }

  /**
   * Call it when nothing is on disk any more: the records in memory will be written again. Returns the oldest of them,
   * or else the next record.
   */
  forgetDurable(): number {
    this.#synced = this.recent.forgetSynced()?.sequence ?? this.#next;
    return this.#synced;
  }

  /** Tries again now, as there may be room. */
  tryAgain(): void {
    this.#pause.abort();
  }

  /** Makes the added records durable if possible now, and closes all files. */
  async close(): Promise<void> {
    this.write();
    this.#stop.abort();
    this.#pause.abort();
    await this.#syncing;
    await this.#retrying;
    if (this.#failure === undefined) await this.#sync();
    if (this.#failure !== undefined) await this.#writeAgain();
    this.#files.close();
  }

  #scheduleWrite(): void {
    if (this.#isWriteScheduled) return;
    this.#isWriteScheduled = true;
    setImmediate(() => {
      this.#isWriteScheduled = false;
      if (this.#stop.signal.aborted) return;
      this.write();
      this.#options.onWritten();
    });
  }

  #scheduleSync(): void {
    if (this.#syncing !== undefined || this.#failure !== undefined || this.#stop.signal.aborted) return;
    if (this.#unsyncedWrittenBytes >= SYNC_BYTES || this.#isSyncWanted) {
      void this.#sync();
      return;
    }
    if (this.#isSyncScheduled || this.#unsyncedWrittenBytes === 0) return;
    this.#isSyncScheduled = true;
    void this.#options.clock.sleep(SYNC_DELAY_MS, this.#stop.signal).then(() => {
      this.#isSyncScheduled = false;
      const isDue = this.#syncing === undefined && this.#unsyncedWrittenBytes > 0 && !this.#stop.signal.aborted;
      if (isDue) void this.#sync();
    });
  }

  #sync(): Promise<void> {
    this.#syncing = this.#syncOnce().finally(() => {
      this.#syncing = undefined;
      this.#options.onChange();
      this.#scheduleSync();
    });
    return this.#syncing;
  }

  async #syncOnce(): Promise<void> {
    // Not `write`, which would begin another sync beside this one.
    this.#writePending();
    const next = this.#pending.records[0]?.sequence ?? this.#next;
    if (next === this.#synced || this.#failure !== undefined) return;
    this.#unsyncedWrittenBytes = 0;
    this.#isSyncWanted = false;
    this.#syncingSinceMs = this.#options.clock.monotonicMs();
    try {
      await this.#files.sync();
    } catch (error) {
      this.#fail(error);
      return;
    } finally {
      this.#syncingSinceMs = undefined;
    }
    this.#markSynced(next);
  }

  #markSynced(next: number): void {
    // A sync may end after later records were passed over.
    if (next <= this.#synced) return;
    this.#synced = next;
    this.recent.markSynced(next);
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = nameErrorCode(error);
    this.#pending.clear();
    const { report, folder, whileFailing } = this.#options;
    report.error(
      `writing to the spool ${folder} failed (${this.#failure}): ${whileFailing} until it works again; tried every ${RETRY_MS / 1000} s`
    );
    this.#retrying ??= this.#retry();
    // Not now: the caller may be in the middle of adding.
    setImmediate(() => this.#options.onChange());
  }

  async #retry(): Promise<void> {
    const { clock, report, folder, onChange, onRecovered } = this.#options;
    const { signal } = this.#stop;
    await this.#syncing;
    // At the end of the process there may be no other try. The files as they are are better than nothing.
    if (!signal.aborted) this.#files.giveUp(this.recent.takeUnsynced(), this.#synced);
    let hasTried = false;
    while (!signal.aborted && this.failure !== undefined) {
      // Removing settled segments may make room.
      onChange();
      this.#pause = new AbortController();
      // A missing folder can be recreated at once.
      if (this.failure === 'ENOENT' && !hasTried) this.#pause.abort();
      hasTried = true;
      await clock.sleep(RETRY_MS, this.#pause.signal);
      const isOver = (): boolean => signal.aborted;
      if (isOver() || !(await this.#writeAgain())) continue;
      report.warn(`writing to the spool ${folder} works again`);
      onRecovered();
      onChange();
      this.#options.onWritten();
    }
    this.#retrying = undefined;
  }

  /**
   * Writes all undurable records to new segments. Returns whether it worked. Records that found no room wait for the
   * next try.
   */
  async #writeAgain(): Promise<boolean> {
    this.#isWritingAgain = true;
    try {
      await this.#options.prepareFolder();
      for (let part = this.#nextPart(); part.length > 0; part = this.#nextPart()) {
        await this.#files.replace(part);
        this.#markSynced((part.at(-1)?.sequence ?? 0) + 1);
        this.#options.onChange();
      }
    } catch (error) {
      // A durable segment is read and removed like any other.
      this.#files.giveUp([], this.#synced);
      this.#failure = nameErrorCode(error);
      return false;
    } finally {
      this.#isWritingAgain = false;
      this.passOver(this.#passed);
    }
    this.#pending.clear();
    this.#unsyncedWrittenBytes = 0;
    this.#failure = undefined;
    return true;
  }

  /** The next records to write; at least one, if any is left. */
  #nextPart(): RecentRecord[] {
    const records = this.recent.takeUnsynced();
    const maxBytes = Math.min(PART_BYTES, this.#options.segmentBytes);
    let sizeBytes = 0;
    const end = records.findIndex(({ encoded }, i) => (sizeBytes += encoded.length) > maxBytes && i > 0);
    return end === -1 ? records : records.slice(0, end);
  }
}
