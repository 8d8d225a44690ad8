import { fstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { noneIfGone } from '@joblens/core/result/is-gone';
import { readErrorCode } from '../../host/file-error.js';
import { toPathBytes } from '../../host/path-bytes.js';
import { shortHash } from './short-hash.js';

/**
 * The same for all who follow the file, on any machine that has it under this path. Rejects when nobody can tell: by
 * another name it would be logged twice.
 */
export async function identifyFile(path: string, { ino }: { readonly ino: bigint }): Promise<string> {
  const real = await realpath(toPathBytes(path)).catch(noneIfGone);
  return shortHash(`${real ?? path}\0${ino}`);
}

/** The file that a descriptor leads to; undefined for anything else. Rejects when nobody can tell. */
export async function identifyOutput(fd: number): Promise<string | undefined> {
  try {
    const status = fstatSync(fd, { bigint: true });
    return status.isFile() ? await identifyFile(`/proc/self/fd/${fd}`, status) : undefined;
  } catch (error) {
    // A closed descriptor leads nowhere.
    if (readErrorCode(error) === 'EBADF') return undefined;
    throw error;
  }
}

/** Whether another program reads what is written to the descriptor; a socket is such a pipe, too, if asked for. */
export function isPipe(fd: number, isSocketOne: boolean): boolean {
  try {
    const status = fstatSync(fd);
    return status.isFIFO() || (isSocketOne && status.isSocket());
  } catch {
    return false;
  }
}
