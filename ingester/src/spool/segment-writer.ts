import type { Clock } from '../clock/clock.js';
import type { Reporter } from '../host/report.js';
import type { OpenSegmentsOptions } from './open-segments.js';
import { OpenSegments } from './open-segments.js';
import { PendingRecords } from './pending-records.js';
import type { RecentRecord } from './recent-records.js';
import { RecentRecords } from './recent-records.js';
import type { RecordKind } from './record.js';
import { codeOf } from './spool-fs.js';

/** Records are written at once when they are so many bytes. */
const WRITE_BYTES = 256 << 10;
/** Written records become durable when they are this much, or this old. */
const SYNC_BYTES = 1 << 20;
const SYNC_DELAY_MS = 50;
/** How long after a failure the disk is tried again. */
const RETRY_MS = 3000;
/** A disk that takes longer to make something durable is not slow: nobody can say whether it answers again. */
const STUCK_MS = 120_000;
/** The most that is written again at once: a disk may have room for that, and for the rest when that was sent. */
const PART_BYTES = 1 << 20;

interface SegmentWriterOptions extends Omit<OpenSegmentsOptions, 'salt'> {
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>;
  readonly report: Reporter;
  readonly random: () => number;
  readonly next: number;
  readonly segmentBytes: number;
  /** How many durable bytes stay in memory for the reader. */
  readonly cacheBytes: number;
  readonly onDrop: (record: RecentRecord) => void;
  /** Called in an own turn of the event loop, after the added records are written. */
  readonly onWritten: () => void;
  /** Called when more is durable, when writing failed, and when it works again. */
  readonly onChange: () => void;
  /** Called when it works again: the segments before are cut, and new ones are begun. */
  readonly onRecovered: () => void;
  /** Says in messages what is held in memory meanwhile. */
  readonly whileFailing: string;
  /** Called before what is not durable is written again: there must be a folder, and it must know what was settled. */
  readonly prepareFolder: () => Promise<void>;
}

/**
 * Appends records to the newest segment. They are written soon, made durable in groups, and held in memory until they
 * are. After any failure to write or to sync, what the files hold of these records is not known and no later sync can
 * tell; so all of them are written again, to new files, but for those that were sent from memory meanwhile. The old
 * ones are cut before: a full disk needs their room.
 */
export class SegmentWriter {
  readonly recent: RecentRecords;
  readonly #options: SegmentWriterOptions;
  readonly #files: OpenSegments;
  readonly #pending: PendingRecords;
  readonly #stop = new AbortController();
  #next: number;
  #synced: number;
  /** The records before this one are settled. */
  #passed = 0;
  #isWritingAgain = false;
  #syncingSinceMs: number | undefined;
  #unsyncedWrittenBytes = 0;
  #isWriteScheduled = false;
  #isSyncScheduled = false;
  /** Somebody waits for it. */
  #isSyncWanted = false;
  #syncing: Promise<void> | undefined;
  #retrying: Promise<void> | undefined;
  /** Read through a getter only: it changes during calls. */
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

  /** All records before this one are durable, or need not be any more. */
  get synced(): number {
    return this.#synced;
  }

  /** Whether the disk has not answered for long. */
  get isStuck(): boolean {
    return this.#syncingSinceMs !== undefined && this.#options.clock.nowMs() - this.#syncingSinceMs > STUCK_MS;
  }

  /** Why nothing can be written at the moment. */
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

  /** Adds a record, and returns it. */
  add(kind: RecordKind, states: string, bytes: Buffer, points: number): RecentRecord {
    const pending = this.#pending;
    if (!pending.hasRoom(states, bytes)) this.write();
    const sequence = this.#next;
    const record = pending.add({ kind, sequence, syncedSequence: this.#synced, states, bytes, points });
    this.recent.push(record);
    this.#next += 1;
    if (pending.sizeBytes >= WRITE_BYTES) this.write();
    // Once the disk works again, records that are not durable are written from `recent`.
    if (this.#failure !== undefined) pending.clear();
    this.#scheduleWrite();
    return record;
  }

  /** The records before `next` were sent from memory: they need no place on the disk. */
  passOver(next: number): void {
    this.#passed = Math.max(this.#passed, next);
    // Records that are being written keep their memory.
    if (this.#passed > this.#synced && !this.#isWritingAgain) this.#markSynced(this.#passed);
  }

  /** Writes the added records. */
  write(): void {
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
    this.#scheduleSync();
  }

  /**
   * Makes the added records durable as soon as no other sync is under way: those who wait meanwhile share the next one.
   */
  syncSoon(): void {
    this.write();
    this.#isSyncWanted = this.#unsyncedWrittenBytes > 0;
    this.#scheduleSync();
  }

  /** Ends the newest segment: the next record starts another one. */
  seal(): void {
    this.write();
    if (this.#failure === undefined) this.#files.seal(this.#next);
  }

  /** The folder was removed. */
  noteRemoved(): void {
    this.#fail(Object.assign(new Error('removed'), { code: 'ENOENT' }));
  }

  /**
   * Nothing is on disk any more: what is held will be written again. Returns the oldest record of that, or else the
   * next one.
   */
  forgetDurable(): number {
    this.#synced = this.recent.forgetSynced()?.sequence ?? this.#next;
    return this.#synced;
  }

  /** There may be room again. */
  tryAgain(): void {
    this.#pause.abort();
  }

  /** Makes the added records durable, if that can be done now, and closes all files. */
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
    this.write();
    const next = this.#pending.records[0]?.sequence ?? this.#next;
    if (next === this.#synced || this.#failure !== undefined) return;
    this.#unsyncedWrittenBytes = 0;
    this.#isSyncWanted = false;
    this.#syncingSinceMs = this.#options.clock.nowMs();
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
    // A sync that was under way may end after later records were passed over.
    if (next <= this.#synced) return;
    this.#synced = next;
    this.recent.markSynced(next);
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = codeOf(error);
    this.#pending.clear();
    const { report, folder, whileFailing } = this.#options;
    report.error(
      `writing to the spool ${folder} failed (${this.#failure}): ${whileFailing} until it works again; tried every ${RETRY_MS / 1000} s`
    );
    this.#retrying ??= this.#retry();
    // Not at once: who failed to write may be in the middle of adding.
    setImmediate(() => this.#options.onChange());
  }

  async #retry(): Promise<void> {
    const { clock, report, folder, onChange, onRecovered } = this.#options;
    const { signal } = this.#stop;
    await this.#syncing;
    // At the end of the process there may be no other try: what the files hold is better than nothing.
    if (!signal.aborted) this.#files.giveUp(this.recent.takeUnsynced(), this.#synced);
    let hasTried = false;
    while (!signal.aborted && this.failure !== undefined) {
      // Settled segments may be removed: that makes room.
      onChange();
      this.#pause = new AbortController();
      // A folder that is gone can be made at once.
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
   * Writes all that is not durable to new segments. Returns whether it worked; what did not find room is left for the
   * next time.
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
      // A segment that is durable is read and removed as any other.
      this.#files.giveUp([], this.#synced);
      this.#failure = codeOf(error);
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

  /** At least one record, if any is left. */
  #nextPart(): RecentRecord[] {
    const records = this.recent.takeUnsynced();
    const maxBytes = Math.min(PART_BYTES, this.#options.segmentBytes);
    let sizeBytes = 0;
    const end = records.findIndex(({ encoded }, i) => (sizeBytes += encoded.length) > maxBytes && i > 0);
    return end === -1 ? records : records.slice(0, end);
  }
}
