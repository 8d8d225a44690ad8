import type { FileStatus, FileSystem, OpenedFile } from './file-system.js';
import { RefusedFileError } from './refused-file-error.js';
import { findRenamed, findRotations } from './rotations.js';
import { TrackedFile } from './tracked-file.js';

interface FileOpenerOptions {
  readonly path: string;
  /** Files of any other user are refused. */
  readonly uid: number;
  readonly fileSystem: FileSystem;
  readonly nowMs: () => number;
}

/**
 * Finds and opens the files that have, or had, one path: by its name, by the names that rotation gives, and as copies.
 */
export class FileOpener {
  readonly #options: FileOpenerOptions;

  constructor(options: FileOpenerOptions) {
    this.#options = options;
  }

  async open(path: string): Promise<TrackedFile> {
    const { handle, status } = await this.openChecked(path);
    const file = new TrackedFile(path, status);
    await file.attach(handle, path, status);
    file.grownMs = this.#options.nowMs();
    return file;
  }

  /** Checks the owner of the opened file, as the name may mean another file by now. */
  async openChecked(path: string): Promise<{ readonly handle: OpenedFile; readonly status: FileStatus }> {
    const named = await this.#options.fileSystem.lookUp(path);
    if (named?.isRegular === false) throw new RefusedFileError('it is not a regular file');
    const handle = await this.#options.fileSystem.open(path);
    try {
      return { handle, status: this.#check(await handle.status()) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * Opens rotations newer than `mtimeNs` that nobody has read yet: the file was rotated more than once since the last
   * poll.
   */
  async openNewerThan(mtimeNs: bigint, known: readonly TrackedFile[]): Promise<TrackedFile[]> {
    const rotations = await findRotations(this.#options.fileSystem, this.#options.path);
    const opened: TrackedFile[] = [];
    for (const { path, status } of rotations) {
      if (status.mtimeNs <= mtimeNs || status.uid !== this.#options.uid) continue;
      if (known.some((file) => file.isSame(status))) continue;
      const file = await this.open(path).catch(() => undefined);
      if (file !== undefined) opened.push(file);
    }
    return opened;
  }

  async openCopy(file: TrackedFile): Promise<TrackedFile | undefined> {
    for (const { path, status } of await findRotations(this.#options.fileSystem, this.#options.path)) {
      const isLate = status.mtimeNs >= file.mtimeNs && status.size >= file.offset;
      if (!isLate || status.uid !== this.#options.uid || file.isSame(status)) continue;
      const opened = await this.openChecked(path).catch(() => undefined);
      if (opened === undefined) continue;
      const copy = file.copyTo(path, opened.status);
      if (await copy.attach(opened.handle, path, opened.status)) return copy;
      await copy.close();
    }
    return undefined;
  }

  /** Opens the file at its last path, or where the folder has it now. */
  async ensureOpen(file: TrackedFile): Promise<'same' | 'replaced' | 'missing'> {
    if (file.isOpen) return 'same';
    for (const path of new Set([file.path, this.#options.path])) {
      const state = await this.#tryOpen(file, path);
      if (state !== 'missing') return state;
    }
    if (file.isLost) return 'missing';
    const renamed = await findRenamed(this.#options.fileSystem, this.#options.path, (status) => file.isSame(status));
    file.isLost = renamed === undefined;
    return renamed === undefined ? 'missing' : this.#tryOpen(file, renamed);
  }

  async #tryOpen(file: TrackedFile, path: string): Promise<'same' | 'replaced' | 'missing'> {
    const status = await this.#options.fileSystem.lookUp(path);
    if (status === undefined || !file.isSame(status)) return 'missing';
    const opened = await this.openChecked(path);
    if (file.isSame(opened.status)) {
      return (await file.attach(opened.handle, path, opened.status)) ? 'same' : 'replaced';
    }
    await opened.handle.close();
    return 'missing';
  }

  #check(status: FileStatus): FileStatus {
    if (!status.isRegular) throw new RefusedFileError('it is not a regular file');
    if (status.uid === this.#options.uid) return status;
    throw new RefusedFileError(`it belongs to user id ${status.uid}, the job to ${this.#options.uid}`);
  }
}
