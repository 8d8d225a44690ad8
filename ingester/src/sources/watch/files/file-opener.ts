import { isGone } from '@joblens/core/result/is-gone';
import type { Clock } from '../../../clock/clock.js';
import { isForbidden } from '../../../host/file-error.js';
import type { FileStatus, FileSystem, OpenedFile } from './file-system.js';
import { refuseIrregular, RefusedFileError } from './refused-file-error.js';
import { findRenamed, findRotations } from './rotations.js';
import { TrackedFile } from './tracked-file.js';

interface FileOpenerOptions {
  readonly path: string;
  /** Files of any other user are refused. */
  readonly uid: number;
  readonly fileSystem: FileSystem;
  readonly clock: Pick<Clock, 'monotonicMs'>;
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
    file.grownMs = this.#options.clock.monotonicMs();
    return file;
  }

  /** Checks the owner of the opened file, as the name may mean another file by now. */
  async openChecked(path: string): Promise<{ readonly handle: OpenedFile; readonly status: FileStatus }> {
    const named = await this.#options.fileSystem.lookUp(path);
    if (named?.isRegular === false) throw refuseIrregular(named);
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
    const rotations = await this.#findRotations();
    const opened: TrackedFile[] = [];
    for (const { path, status } of rotations) {
      if (status.mtimeNs <= mtimeNs || status.uid !== this.#options.uid) continue;
      if (known.some((file) => file.isSame(status))) continue;
      const file = await this.#openIfThere(() => this.open(path)).catch(async (error: unknown) => {
        for (const other of opened) await other.close();
        throw error;
      });
      if (file !== undefined) opened.push(file);
    }
    return opened;
  }

  async openCopy(file: TrackedFile): Promise<TrackedFile | undefined> {
    for (const { path, status } of await this.#findRotations()) {
      const isLate = status.mtimeNs >= file.mtimeNs && status.size >= file.offset;
      if (!isLate || status.uid !== this.#options.uid || file.isSame(status)) continue;
      const opened = await this.#openIfThere(() => this.openChecked(path));
      if (opened === undefined) continue;
      const copy = file.copyTo(path, opened.status);
      if (await copy.attach(opened.handle, path, opened.status)) return copy;
      await copy.close();
    }
    return undefined;
  }

  async #findRotations(): ReturnType<typeof findRotations> {
    try {
      return await findRotations(this.#options.fileSystem, this.#options.path);
    } catch (error) {
      // A folder may let its files be read, but not be listed, now and later.
      if (isForbidden(error) && (await this.#canOpenPath())) return [];
      throw error;
    }
  }

  /** Undefined when it is gone or not for us. Throws while nobody can tell: it is to be tried again. */
  async #openIfThere<Opened>(open: () => Promise<Opened>): Promise<Opened | undefined> {
    try {
      return await open();
    } catch (error) {
      if (error instanceof RefusedFileError || isGone(error)) return undefined;
      // If the file with the path's own name may be read, then it is this one alone that may not, now and later.
      if (isForbidden(error) && (await this.#canOpenPath())) return undefined;
      throw error;
    }
  }

  async #canOpenPath(): Promise<boolean> {
    try {
      const { handle } = await this.openChecked(this.#options.path);
      await handle.close();
      return true;
    } catch {
      return false;
    }
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
    if (!status.isRegular) throw refuseIrregular(status);
    if (status.uid === this.#options.uid) return status;
    throw new RefusedFileError(`it belongs to user id ${status.uid}, the job to ${this.#options.uid}`);
  }
}
