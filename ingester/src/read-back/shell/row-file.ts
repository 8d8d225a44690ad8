import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeFileError } from '../../host/file-error.js';
import type { Output } from './output.js';

/** Where an export goes. */
export interface RowFile {
  /** False when nobody reads any more. */
  write(text: string): Promise<boolean>;
  close(): Promise<void>;
}

export function openStdout(output: Output): RowFile {
  return { write: (text) => output.write(text), close: () => Promise.resolve() };
}

/** Rejects with the error of the system when there can be no such file. */
export async function openTextFile(path: string): Promise<RowFile> {
  const file = await open(path, 'w');
  return {
    async write(text) {
      await file.appendFile(text);
      return true;
    },
    close: () => file.close(),
  };
}

/**
 * Makes a file that appears whole or not at all: it is written beside its place, under another name. `write` returns an
 * error for the user, or nothing.
 */
export async function replaceFile(
  path: string,
  pid: number,
  write: (unfinished: string) => Promise<string | undefined>
): Promise<string | undefined> {
  const unfinished = join(dirname(path), `.${basename(path)}.part-${pid}`);
  try {
    const failure = await write(unfinished);
    if (failure === undefined) await rename(unfinished, path);
    else await rm(unfinished, { force: true });
    return failure;
  } catch (error) {
    await rm(unfinished, { force: true });
    return `cannot write ${path}: ${describeFileError(error)}`;
  }
}
