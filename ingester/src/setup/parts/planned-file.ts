import { rmdirSync, rmSync } from 'node:fs';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { describeFileError } from '../../host/file-error.js';
import { replaceFile } from '../../host/replace-file.js';
import { type Changes, SetupError } from './changes.js';

/** A text file as it is and as it is to be. Undefined: there is none. */
export interface PlannedFile {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** A new file gets it. One that is there keeps its own, and its owner. */
  readonly mode: number;
}

/** Says the change of a file as a unified diff, and makes it. Nobody reads half of it. */
export async function changeFile(file: PlannedFile, changes: Changes): Promise<void> {
  const { path, before, after } = file;
  if (before === after) {
    if (before !== undefined) changes.kept(path);
    return;
  }
  if (after === undefined) await changes.remove(path, () => remove(path));
  else if (before === undefined) await changes.make(path, () => write(file, after));
  else await changes.change(path, () => write(file, after));
  changes.show(formatDiff(file));
}

function formatDiff({ path, before, after }: PlannedFile): string {
  const name = (text: string | undefined): string => (text === undefined ? '/dev/null' : path);
  return createTwoFilesPatch(name(before), name(after), before ?? '', after ?? '', undefined, undefined, {
    context: 2,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

function write({ path, mode }: PlannedFile, text: string): void {
  try {
    replaceFile(path, text, mode);
  } catch (error) {
    throw new SetupError(`cannot write ${path}: ${describeFileError(error)}`);
  }
}

function remove(path: string): void {
  try {
    rmSync(path);
  } catch (error) {
    throw new SetupError(`cannot remove ${path}: ${describeFileError(error)}`);
  }
}

/** Removes a folder in which nothing is left. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is in it, or it is gone.
  }
}
