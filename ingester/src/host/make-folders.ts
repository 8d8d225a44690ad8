import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const FOLDER_MODE = 0o700;

/**
 * Makes a folder, and the ones above it that are missing, 0700. Throws the system's error. Not with mkdir's `recursive`: that one tries for
 * ever, at full speed, where the system makes no folders and says ENOENT, as in /proc.
 */
export async function makeFolders(path: string): Promise<void> {
  try {
    await makeFolder(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await makeFolders(dirname(path));
    // Once more and not again: by now somebody has made what was missing, and if not, the system makes none.
    await makeFolder(path);
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: FOLDER_MODE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}

/** Follows symbolic links. */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
