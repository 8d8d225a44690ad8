import { type BigIntStats, constants, lstat } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { isGone, noneIfGone } from '@joblens/core/result/is-gone';
import { toPathBytes, toPathText } from '../../../host/path-bytes.js';
import { findDataByPerl } from './find-data.js';

/** The facts about a file. Times in nanoseconds since the Unix epoch. */
export interface FileStatus {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly changeNs: bigint;
  /** 0 if the file system does not know it. */
  readonly birthNs: bigint;
  readonly uid: number;
  readonly isRegular: boolean;
  /** A symbolic link, which is never followed to a file. */
  readonly isLink?: boolean;
  /** A folder, or a link to one. */
  readonly isFolder?: boolean;
  /** The number of names; 0 when it was deleted. */
  readonly links: number;
}

export interface OpenedFile {
  status(): Promise<FileStatus>;
  /** Returns the number of bytes read; 0 at the end. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /**
   * Finds the next part that was ever written: Infinity when there is none, undefined when nobody can tell. The call is
   * expensive.
   */
  findData?(position: number): Promise<number | undefined>;
  /** Never rejects: nothing was written, so nothing can be lost, and the descriptor is released in any case. */
  close(): Promise<void>;
}

/** The system calls that following files needs. Paths are as toPathText gives them. */
export interface FileSystem {
  /** The status of the name itself, not of a link's target. Undefined when there is nothing. */
  lookUp(path: string): Promise<FileStatus | undefined>;
  /**
   * Opens a file for reading. Follows no link in the last part of the path, and does not wait for the other end of a
   * FIFO.
   */
  open(path: string): Promise<OpenedFile>;
  /** The names in the folder; none when it is gone. Rejects when they are unknown. */
  listFolder(path: string): Promise<readonly string[]>;
  /** The number of files that are open now. */
  readonly openFiles: number;
}

const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** The machine's own files. */
export function createFileSystem(): FileSystem {
  let openFiles = 0;
  return {
    get openFiles() {
      return openFiles;
    },
    async lookUp(path) {
      try {
        const status = await readStatus(path);
        const target = status.isSymbolicLink() ? await stat(toPathBytes(path)).catch(noneIfGone) : status;
        return { ...toFileStatus(status), isLink: status.isSymbolicLink(), isFolder: target?.isDirectory() === true };
      } catch (error) {
        if (isGone(error)) return undefined;
        throw error;
      }
    },
    async open(path) {
      const handle = await open(toPathBytes(path), OPEN_FLAGS);
      openFiles += 1;
      return {
        status: async () => toFileStatus(await handle.stat({ bigint: true })),
        read: async (buffer, position) => (await handle.read(buffer, 0, buffer.length, position)).bytesRead,
        findData: (position) => findDataByPerl(handle.fd, position),
        close() {
          openFiles -= 1;
          return handle.close().catch(() => undefined);
        },
      };
    },
    async listFolder(path) {
      try {
        const names = await readdir(toPathBytes(path));
        if (!names.some((name) => name.includes('\ufffd'))) return names;
        return (await readdir(toPathBytes(path), 'buffer')).map(toPathText);
      } catch (error) {
        if (isGone(error)) return [];
        throw error;
      }
    },
  };
}

/**
 * The status of the name. Of thousands of files this is most of the work, and the form that gives a promise costs more:
 * each call allocates memory outside of the heap.
 */
function readStatus(path: string): Promise<BigIntStats> {
  return new Promise((resolve, reject) => {
    lstat(toPathBytes(path), { bigint: true }, (error, status) => {
      if (error === null) resolve(status);
      else reject(error);
    });
  });
}

function toFileStatus(status: BigIntStats): FileStatus {
  return {
    dev: status.dev,
    ino: status.ino,
    size: Number(status.size),
    mtimeNs: status.mtimeNs,
    changeNs: status.ctimeNs,
    birthNs: status.birthtimeNs,
    uid: Number(status.uid),
    isRegular: status.isFile(),
    links: Number(status.nlink),
  };
}
