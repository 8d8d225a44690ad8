import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { noneIfGone } from '@joblens/core/result/is-gone';

const FOLDER_MODE = 0o700;

/**
 * Makes a folder and its missing parents, mode 0700. Throws the system's error. It does not use mkdir's `recursive`,
 * which tries again and again, for ever, where the system answers ENOENT to every attempt, as in /proc.
 */
export async function makeFolders(path: string): Promise<void> {
  try {
    await makeFolder(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await makeFolders(dirname(path));
    // One more attempt is enough: if the parent exists now and this fails, the system allows no folders here.
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
  return (await stat(path).catch(noneIfGone))?.isDirectory() === true;
}
