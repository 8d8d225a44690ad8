import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { isGone, isNoFile } from '@joblens/core/result/is-gone';
import { describeFileError } from '../../../host/file-error.js';
import { toPathBytes, toPathText } from '../../../host/path-bytes.js';

/** Splits a pattern that ends with a bracket, so that each opening bracket finds a closing one. */
// eslint-disable-next-line regexp/no-super-linear-move
const TOKEN = /\*+|\?|\[!?[^\]]+\]|[^*?[]|\[/g;

/**
 * Finds the files that the paths name now. A file counts even if it does not exist yet. A folder gives all its files,
 * except hidden ones and folders. A pattern may have `*`, `?` and `[…]` in any part of the path, and also finds links,
 * so that they can be refused aloud. Sorted, without duplicates.
 */
export async function findFiles(paths: readonly string[]): Promise<FoundFiles> {
  const unknown = new Map<string, string>();
  const list: ListFolder = async (path) => {
    const entries = await readFolder(path === '' ? '.' : path);
    if (typeof entries !== 'string') return entries;
    unknown.set(path, entries);
    return [];
  };
  const find = async (path: string): Promise<string[]> => {
    const isThere = !hasSigns(path) || (await isNameThere(path));
    if (typeof isThere !== 'string') return isThere ? readPath(path, list, unknown) : matchPattern(path, list);
    unknown.set(findFixedFolder(path), isThere);
    return [];
  };
  const found = await Promise.all(paths.map(find));
  return { files: [...new Set(found.flat())].sort(), unknown };
}

export interface FoundFiles {
  readonly files: readonly string[];
  /** The folders, and other paths, that could not be read, and why: what is in them is unknown. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** What Node reads for bytes that are no UTF-8. */
const UNREADABLE = '\ufffd';

/** What is in a folder. A name that is no UTF-8 is as toPathText gives it. */
type Entry = Pick<Dirent, 'name' | 'isFile' | 'isSymbolicLink'>;
type ListFolder = (path: string) => Promise<readonly Entry[]>;

/** The paths, as given, that name no file, folder or match yet; none of which nobody can tell. */
export async function findMissing(paths: readonly string[]): Promise<string[]> {
  const isMissing = async (path: string): Promise<boolean> => {
    if ((await isNameThere(path)) !== false) return false;
    if (!hasSigns(path)) return true;
    const { files, unknown } = await findFiles([path]);
    return files.length === 0 && unknown.size === 0;
  };
  const missing = await Promise.all(paths.map(isMissing));
  return paths.filter((_, i) => missing[i]);
}

/** A name that exists is that name, whatever signs it has: `run[lr=0.1].out`. Or why nobody can tell. */
function isNameThere(path: string): Promise<boolean | string> {
  return lstat(toPathBytes(path)).then(
    () => true,
    (error: unknown) => (isNoFile(error) ? false : describeFileError(error))
  );
}

/** The folder that holds all that a pattern may match. */
function findFixedFolder(pattern: string): string {
  const parts = pattern.split(sep);
  const count = parts.findIndex(hasSigns);
  return parts.slice(0, count).join(sep) || (isAbsolute(pattern) ? sep : '.');
}

function hasSigns(path: string): boolean {
  return /[*?[]/.test(path);
}

async function readPath(path: string, list: ListFolder, unknown: Map<string, string>): Promise<string[]> {
  const isFolder = await stat(toPathBytes(path))
    .then((status) => status.isDirectory())
    .catch((error: unknown) => {
      if (!isGone(error)) unknown.set(path, describeFileError(error));
      return false;
    });
  if (!isFolder) return path.includes(UNREADABLE) ? findSpelled(path, list) : [path];
  const entries = await list(path);
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(path, entry.name));
}

/** Words of a command line that are no UTF-8 come as Node reads them: all files whose names it reads so are meant. */
async function findSpelled(path: string, list: ListFolder): Promise<string[]> {
  const entries = await list(dirname(path));
  const found = entries.map(({ name }) => join(dirname(path), name)).filter((each) => readAsNode(each) === path);
  return found.length === 0 ? [path] : found;
}

function readAsNode(path: string): string {
  return Buffer.from(toPathBytes(path)).toString();
}

async function matchPattern(pattern: string, list: ListFolder): Promise<string[]> {
  let found = [isAbsolute(pattern) ? sep : ''];
  const parts = pattern.split(sep).filter((part) => part !== '');
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    const next = await Promise.all(
      found.map(async (folder) => {
        if (hasSigns(part)) return matchIn(await list(folder), { folder, part, isLast });
        const path = join(folder, part);
        return isLast ? keepExisting(await list(dirname(path)), path) : [path];
      })
    );
    found = next.flat();
  }
  return found;
}

function matchIn(
  entries: readonly Entry[],
  { folder, part, isLast }: { readonly folder: string; readonly part: string; readonly isLast: boolean }
): string[] {
  const expression = toExpression(part);
  return entries
    .filter((entry) => (isLast ? isFileOrLink(entry) : !entry.isFile()))
    .filter(({ name }) => expression.test(part.includes(UNREADABLE) ? readAsNode(name) : name))
    .filter(({ name }) => part.startsWith('.') || !name.startsWith('.'))
    .map(({ name }) => join(folder, name));
}

function keepExisting(entries: readonly Entry[], path: string): string[] {
  return entries.some((entry) => isFileOrLink(entry) && join(dirname(path), entry.name) === path) ? [path] : [];
}

function isFileOrLink(entry: Entry): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}

/** An expression that looks at a name once: what is between two stars is found at its first place, and left there. */
function toExpression(part: string): RegExp {
  const [head = '', ...pieces] = splitAtStars(part);
  const tail = pieces.pop();
  const middle = pieces.map((piece, i) => `(?=(?<piece${i}>.*?${piece}))\\k<piece${i}>`).join('');
  try {
    return new RegExp(tail === undefined ? `^${head}$` : `^${head}${middle}.*${tail}$`, 's');
  } catch {
    // An invalid range, like [z-a], matches nothing.
    return /(?!)/;
  }
}

function splitAtStars(part: string): string[] {
  // Behind the last bracket that closes, none opens a class.
  const classesEnd = part.lastIndexOf(']') + 1;
  const tokens = [...part.slice(0, classesEnd).matchAll(TOKEN), ...part.slice(classesEnd).matchAll(/\*+|[^*]/g)];
  const pieces = [''];
  for (const [token] of tokens) {
    pieces.push(token.startsWith('*') ? '' : (pieces.pop() ?? '') + toSource(token));
  }
  return pieces;
}

function toSource(token: string): string {
  if (token === '?') return '.';
  if (token.length > 2 && token.startsWith('[')) return token.replace(/^\[!/, '[^').replace(/\\/g, '\\\\');
  return token.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
}

/** Lists a folder, or says why nobody can tell what is in it. */
async function readFolder(path: string): Promise<readonly Entry[] | string> {
  try {
    const entries = await readdir(toPathBytes(path), { withFileTypes: true });
    return entries.some(({ name }) => name.includes(UNREADABLE)) ? await readByteNames(path) : entries;
  } catch (error) {
    return isGone(error) ? [] : describeFileError(error);
  }
}

async function readByteNames(path: string): Promise<readonly Entry[]> {
  const entries = await readdir(toPathBytes(path), { withFileTypes: true, encoding: 'buffer' });
  return entries.map((entry) => ({
    name: toPathText(entry.name),
    isFile: () => entry.isFile(),
    isSymbolicLink: () => entry.isSymbolicLink(),
  }));
}
