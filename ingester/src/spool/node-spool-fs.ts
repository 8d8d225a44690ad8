import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  promises,
  read,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { isGone } from '@joblens/core/result/is-gone';
import { makeFolders } from '../host/make-folders.js';
import type { FileFacts, SpoolFile, SpoolFs } from './spool-fs.js';

const syncData = promisify(fdatasync);
const readFrom = promisify(read);
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** The machine's file system. */
export function createNodeSpoolFs(): SpoolFs {
  return {
    create: (path) => createFile(openSync(path, 'wx+', FILE_MODE)),
    open: (path) => Promise.resolve().then(() => createFile(openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW))),
    stat: readFacts,
    list: (folder) => promises.readdir(folder),
    makeFolder: (path) => promises.mkdir(path, { mode: FOLDER_MODE }),
    makeFolders,
    rename: (from, to) => promises.rename(from, to),
    remove: (file) => promises.unlink(file),
    removeFolder: (emptyFolder) => promises.rmdir(emptyFolder),
    syncFolder,
    // Writing a byte, unlike utimes, gives the file the time of the file server.
    touch: (path) => promises.writeFile(path, '.', { mode: FILE_MODE }),
  };
}

function createFile(fd: number): SpoolFile {
  return {
    write(bytes, position) {
      let written = 0;
      while (written < bytes.length) {
        written += writeSync(fd, bytes, written, bytes.length - written, position + written);
      }
    },
    truncate: (sizeBytes) => ftruncateSync(fd, sizeBytes),
    sync: () => syncData(fd),
    isRemoved: () => fstatSync(fd).nlink === 0,
    read: async (into, position) => (await readFrom(fd, into, 0, into.length, position)).bytesRead,
    close: () => closeSync(fd),
  };
}

async function readFacts(path: string): Promise<FileFacts | undefined> {
  try {
    const stats = await promises.lstat(path);
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
    return { kind, uid: stats.uid, mode: stats.mode & 0o777, sizeBytes: stats.size, modifiedMs: stats.mtimeMs };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await promises.open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
