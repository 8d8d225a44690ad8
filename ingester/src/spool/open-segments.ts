import { createDurableSegment } from './durable-segment.js';
import { placeRecords, type RecentRecord } from './recent-records.js';
import { addSegment, cutSegment, formatSegmentName, type Segment } from './segment.js';
import type { SpoolFile, SpoolFs } from './spool-fs.js';

interface OpenSegment {
  readonly segment: Segment;
  readonly file: SpoolFile;
}

export interface OpenSegmentsOptions {
  readonly folder: string;
  /** Folders with entries that are not durable yet. */
  readonly foldersToSync: readonly string[];
  readonly fs: SpoolFs;
  /** All segments, oldest first. New ones are added. */
  readonly segments: Segment[];
  readonly lastNumber: number;
  readonly salt: number;
}

/**
 * The segment files that are open for writing: the newest, and full ones with records that are not durable. Methods
 * throw the errors of the disk.
 */
export class OpenSegments {
  readonly #options: OpenSegmentsOptions;
  readonly #foldersToSync: Set<string>;
  #lastNumber: number;
  #newest: OpenSegment | undefined;
  #sealed: OpenSegment[] = [];

  constructor(options: OpenSegmentsOptions) {
    this.#options = options;
    this.#foldersToSync = new Set(options.foldersToSync);
    this.#lastNumber = options.lastNumber;
  }

  /** The size of the newest segment. */
  get sizeBytes(): number {
    return this.#newest?.segment.sizeBytes ?? 0;
  }

  /**
   * Appends the records, which follow each other in `bytes`, to the newest segment. Starts a segment if there is none.
   */
  write(records: readonly RecentRecord[], bytes: Buffer): void {
    const { file, segment } = (this.#newest ??= this.#create(records[0]?.sequence ?? 0));
    file.write(bytes, segment.sizeBytes);
    placeRecords(records, segment);
  }

  /** Ends the newest segment before the record `end`, so that it can be removed even if no other segment follows. */
  seal(end: number): void {
    if (this.#newest !== undefined) this.#newest.segment.end = Math.min(this.#newest.segment.end, end);
    this.#setAside();
  }

  #setAside(): void {
    if (this.#newest === undefined) return;
    this.#sealed.push(this.#newest);
    this.#newest = undefined;
  }

  /** Makes all written records durable. */
  async sync(): Promise<void> {
    const sealed = this.#sealed;
    const open = this.#newest === undefined ? sealed : [...sealed, this.#newest];
    const folders = [...this.#foldersToSync];
    this.#sealed = [];
    this.#foldersToSync.clear();
    try {
      for (const { file } of open) await file.sync();
      if (open.some(({ file }) => file.isRemoved())) throw Object.assign(new Error('removed'), { code: 'ENOENT' });
      for (const folder of folders) await this.#options.fs.syncFolder(folder);
    } catch (error) {
      for (const folder of folders) this.#foldersToSync.add(folder);
      this.#sealed.push(...sealed);
      throw error;
    }
    for (const { file } of sealed) file.close();
  }

  /**
   * After writing failed, cuts the files before the first record that is not durable, so that a full disk gets the room
   * back. No sync may be running: it would vouch for the bytes that are cut.
   */
  giveUp(unsynced: readonly RecentRecord[], synced: number): void {
    for (const { segment, file } of this.#takeAll()) {
      const first = unsynced.find((record) => record.segment === segment);
      const sizeBytes = first?.offset ?? segment.sizeBytes;
      cutSegment(segment, synced, sizeBytes);
      try {
        file.truncate(sizeBytes);
      } catch {
        // The file keeps its room until it is removed.
      }
      file.close();
    }
  }

  /**
   * Writes the records to a new segment, which becomes the newest and is durable when this resolves. The others are
   * closed.
   */
  async replace(records: readonly RecentRecord[]): Promise<void> {
    const { fs, folder } = this.#options;
    const path = this.#nextPath();
    const file = await createDurableSegment(fs, path, records, new Set([...this.#foldersToSync, folder]));
    this.close();
    this.#foldersToSync.clear();
    this.#newest = { file, segment: this.#add(path, records[0]?.sequence ?? 0) };
    placeRecords(records, this.#newest.segment);
  }

  close(): void {
    for (const { file } of this.#takeAll()) file.close();
  }

  #takeAll(): OpenSegment[] {
    this.#setAside();
    return this.#sealed.splice(0);
  }

  #create(first: number): OpenSegment {
    const path = this.#nextPath();
    const file = this.#options.fs.create(path);
    this.#foldersToSync.add(this.#options.folder);
    return { file, segment: this.#add(path, first) };
  }

  #nextPath(): string {
    this.#lastNumber += 1;
    const { folder, salt } = this.#options;
    return `${folder}/${formatSegmentName({ number: this.#lastNumber, salt })}`;
  }

  #add(path: string, first: number): Segment {
    return addSegment(this.#options.segments, { number: this.#lastNumber, salt: this.#options.salt, path, first });
  }
}
