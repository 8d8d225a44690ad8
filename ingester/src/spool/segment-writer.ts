import type { Clock } from '../clock/clock.js';
import type { Reporter } from '../report.js';
import { createDurableSegment } from './durable-segment.js';
import type { Segment } from './segment.js';
import { addSegment, cutSegment, formatSegmentName } from './segment.js';
import { PendingRecords } from './pending-records.js';
import type { RecentRecord } from './recent-records.js';
import { placeRecords, RecentRecords } from './recent-records.js';
import type { RecordKind } from './record.js';
import type { SpoolFile, SpoolFs } from './spool-fs.js';
import { codeOf } from './spool-fs.js';

/** So much is written at once, when it has not been written before. */
const WRITE_BYTES = 256 << 10;
/** What is written becomes durable when it is this much, or this old. */
const SYNC_BYTES = 1 << 20;
const SYNC_DELAY_MS = 50;
/** How long after a failure the disk is tried again. */
const RETRY_MS = 3000;

export interface SegmentWriterOptions {
  readonly folder: string;
  /** Folders with entries that are not durable yet. */
  readonly foldersToSync: readonly string[];
  readonly fs: SpoolFs;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly report: Reporter;
  readonly random: () => number;
  /** All segments, oldest first; new ones are added. */
  readonly segments: Segment[];
  readonly next: number;
  readonly lastNumber: number;
  /** So much that is durable stays in memory for the reader. */
  readonly cacheBytes: number;
  readonly onDrop: (record: RecentRecord) => void;
  /** Called in an own turn of the event loop, after what was added is written. */
  readonly onWritten: () => void;
  /** Called when more is durable, when writing failed, and when it works again. */
  readonly onChange: () => void;
}

interface OpenSegment {
  readonly segment: Segment;
  readonly file: SpoolFile;
}

/**
 * Appends records to the newest segment. They are written soon, made durable in groups, and held in memory until they are. After any
 * failure to write or to sync, what the files hold of these records is not known and no later sync can tell; so all of them are
 * written again, to a new file that takes their place when it is complete. The old files are cut before: a full disk needs their room.
 */
export class SegmentWriter {
  readonly recent: RecentRecords;
  readonly #options: SegmentWriterOptions;
  readonly #salt: number;
  readonly #pending: PendingRecords;
  readonly #stop = new AbortController();
  readonly #foldersToSync: Set<string>;
  #current: OpenSegment | undefined;
  /** Full segments with records that are not durable. */
  #sealed: OpenSegment[] = [];
  #next: number;
  #synced: number;
  #unsyncedWrittenBytes = 0;
  #lastNumber: number;
  #isWriteScheduled = false;
  #isSyncScheduled = false;
  #syncing: Promise<void> | undefined;
  #retrying: Promise<void> | undefined;
  /** Read through a getter only: it changes during calls. */
  #failure: string | undefined;
  #isHeadMissing = false;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#next = options.next;
    this.#synced = options.next;
    this.#lastNumber = options.lastNumber;
    this.#foldersToSync = new Set(options.foldersToSync);
    this.#salt = Math.floor(options.random() * 2 ** 32);
    this.#pending = new PendingRecords(this.#salt);
    this.recent = new RecentRecords(options.cacheBytes, options.onDrop);
  }

  /** The sequence number of the next record. */
  get next(): number {
    return this.#next;
  }

  /** All records before this one are durable. */
  get synced(): number {
    return this.#synced;
  }

  /** Why nothing can be written at the moment. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether the newest segment has no whole state of the sources because it was written again. */
  get isHeadMissing(): boolean {
    return this.#isHeadMissing;
  }

  get currentBytes(): number {
    return (this.#current?.segment.sizeBytes ?? 0) + this.unwrittenBytes;
  }

  get unwrittenBytes(): number {
    return this.#pending.sizeBytes;
  }

  /** Adds a record. */
  add(kind: RecordKind, states: string, bytes: Buffer, points: number): void {
    const pending = this.#pending;
    if (!pending.hasRoom(states, bytes)) this.write();
    const sequence = this.#next;
    this.recent.push(pending.add({ kind, sequence, syncedSequence: this.#synced, states, bytes, points }));
    this.#next += 1;
    if (kind === 'head') this.#isHeadMissing = false;
    if (pending.sizeBytes >= WRITE_BYTES) this.write();
    this.#scheduleWrite();
  }

  /** Writes what was added. */
  write(): void {
    const { records, bytes } = this.#pending;
    const first = records[0];
    if (first === undefined || this.#failure !== undefined) return;
    try {
      const current = (this.#current ??= this.#createSegment(first.sequence));
      const { segment } = current;
      current.file.write(bytes, segment.sizeBytes);
      placeRecords(records, segment);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#unsyncedWrittenBytes += bytes.length;
    this.#pending.clear();
    this.#scheduleSync();
  }

  /** Ends the newest segment: the next record starts another one. */
  seal(): void {
    this.write();
    if (this.#failure !== undefined || this.#current === undefined) return;
    this.#sealed.push(this.#current);
    this.#current = undefined;
  }

  /** Makes durable what was added, if that can be done now, and gives back all files. */
  async close(): Promise<void> {
    this.write();
    this.#stop.abort();
    await this.#syncing;
    await this.#retrying;
    if (this.#failure === undefined) await this.#sync();
    if (this.#failure !== undefined) await this.#writeAgain();
    for (const { file } of this.#takeOpen()) file.close();
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
    if (this.#unsyncedWrittenBytes >= SYNC_BYTES) {
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
    const sealed = this.#sealed;
    const open = this.#current === undefined ? sealed : [...sealed, this.#current];
    const folders = [...this.#foldersToSync];
    this.#sealed = [];
    this.#unsyncedWrittenBytes = 0;
    this.#foldersToSync.clear();
    try {
      for (const { file } of open) await file.sync();
      for (const folder of folders) await this.#options.fs.syncFolder(folder);
    } catch (error) {
      for (const folder of folders) this.#foldersToSync.add(folder);
      this.#sealed.push(...sealed);
      this.#fail(error);
      return;
    }
    for (const { file } of sealed) file.close();
    this.#markSynced(next);
  }

  #markSynced(next: number): void {
    this.#synced = next;
    this.recent.markSynced(next);
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = codeOf(error);
    const { report, folder } = this.#options;
    report.error(
      `writing to the spool ${folder} failed (${this.#failure}): nothing more is logged until it works again; tried each ${RETRY_MS / 1000} s`
    );
    this.#retrying ??= this.#retry();
    // Not at once: who failed to write may be in the middle of adding.
    setImmediate(() => this.#options.onChange());
  }

  async #retry(): Promise<void> {
    const { clock, report, folder, onChange } = this.#options;
    const { signal } = this.#stop;
    await this.#syncing;
    // At the end of the process there may be no other try: what the files hold is better than nothing.
    if (!signal.aborted) this.#giveUpFiles();
    while (!signal.aborted && this.failure !== undefined) {
      await clock.sleep(RETRY_MS, signal);
      await this.#syncing;
      const isOver = (): boolean => signal.aborted;
      if (isOver()) break;
      if (!(await this.#writeAgain())) {
        // What is settled may be removed: that makes room.
        onChange();
        continue;
      }
      report.warn(`writing to the spool ${folder} works again: logging goes on`);
      onChange();
      this.#options.onWritten();
    }
    this.#retrying = undefined;
  }

  /** Ends the files that failed before the first record that is not durable. No sync may be running: it would vouch for what is cut. */
  #giveUpFiles(): void {
    const unsynced = this.recent.takeUnsynced();
    for (const { segment, file } of this.#takeOpen()) {
      const first = unsynced.find((record) => record.segment === segment);
      const sizeBytes = first?.offset ?? segment.sizeBytes;
      cutSegment(segment, this.#synced, sizeBytes);
      try {
        file.truncate(sizeBytes);
      } catch {
        // Then it keeps its room until it is removed.
      }
      file.close();
    }
    this.#options.onChange();
  }

  /** Writes all that is not durable to a new segment, which has its name only when it is durable. Returns whether it worked. */
  async #writeAgain(): Promise<boolean> {
    const { fs, folder } = this.#options;
    const records = this.recent.takeUnsynced();
    const path = this.#nextPath();
    let file: SpoolFile;
    try {
      file = await createDurableSegment(fs, path, records, new Set([...this.#foldersToSync, folder]));
    } catch (error) {
      this.#failure = codeOf(error);
      return false;
    }
    for (const open of this.#takeOpen()) open.file.close();
    this.#continueWith(file, path, records);
    return true;
  }

  #continueWith(file: SpoolFile, path: string, records: readonly RecentRecord[]): void {
    const segment = this.#addSegment(path, records[0]?.sequence ?? this.#next);
    placeRecords(records, segment);
    this.#current = { file, segment };
    this.#foldersToSync.clear();
    this.#pending.clear();
    this.#unsyncedWrittenBytes = 0;
    this.#failure = undefined;
    this.#isHeadMissing = segment.headSequence === undefined;
    this.#markSynced(this.#next);
  }

  #takeOpen(): OpenSegment[] {
    const open = this.#current === undefined ? this.#sealed : [...this.#sealed, this.#current];
    this.#current = undefined;
    this.#sealed = [];
    return open;
  }

  #createSegment(first: number): OpenSegment {
    const path = this.#nextPath();
    const file = this.#options.fs.create(path);
    this.#foldersToSync.add(this.#options.folder);
    return { file, segment: this.#addSegment(path, first) };
  }

  #nextPath(): string {
    this.#lastNumber += 1;
    return `${this.#options.folder}/${formatSegmentName({ number: this.#lastNumber, salt: this.#salt })}`;
  }

  #addSegment(path: string, first: number): Segment {
    const name = { number: this.#lastNumber, salt: this.#salt };
    return addSegment(this.#options.segments, { ...name, path, first });
  }
}
