import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';

/**
 * Finds the files that the paths name now. A file counts even if it does not exist yet. A folder gives all its files,
 * except hidden ones and folders. A pattern may have `*`, `?` and `[…]` in any part of the path, and also finds links,
 * so that they can be refused aloud. Sorted, without duplicates.
 */
export async function findFiles(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => (isPattern(path) ? matchPattern(path) : readPath(path))));
  return [...new Set(found.flat())].sort();
}

/** The paths, as given, that name no file, folder or match yet. */
export async function findMissing(paths: readonly string[]): Promise<string[]> {
  const isThere = async (path: string): Promise<boolean> =>
    isPattern(path) ? (await findFiles([path])).length > 0 : (await lstat(path).catch(() => undefined)) !== undefined;
  const there = await Promise.all(paths.map(isThere));
  return paths.filter((_, i) => there[i] === false);
}

function isPattern(path: string): boolean {
  return /[*?[]/.test(path);
}

async function readPath(path: string): Promise<string[]> {
  const status = await stat(path).catch(() => undefined);
  if (status?.isDirectory() !== true) return [path];
  const entries = await listFolder(path);
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(path, entry.name));
}

async function matchPattern(pattern: string): Promise<string[]> {
  let found = [isAbsolute(pattern) ? sep : ''];
  const parts = pattern.split(sep).filter((part) => part !== '');
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    const next = await Promise.all(
      found.map((folder) => {
        if (isPattern(part)) return matchIn(folder, part, isLast);
        const path = join(folder, part);
        return isLast ? keepExisting(path) : Promise.resolve([path]);
      })
    );
    found = next.flat();
  }
  return found;
}

async function matchIn(folder: string, part: string, isLast: boolean): Promise<string[]> {
  const expression = toExpression(part);
  const entries = await listFolder(folder === '' ? '.' : folder);
  return entries
    .filter((entry) => (isLast ? isFileOrLink(entry) : !entry.isFile()))
    .filter(({ name }) => expression.test(name) && (part.startsWith('.') || !name.startsWith('.')))
    .map(({ name }) => join(folder, name));
}

async function keepExisting(path: string): Promise<string[]> {
  const entries = await listFolder(dirname(path));
  return entries.some((entry) => isFileOrLink(entry) && join(dirname(path), entry.name) === path) ? [path] : [];
}

function isFileOrLink(entry: Dirent): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}

function toExpression(part: string): RegExp {
  const source = part.replace(/\*+|\?|\[!?[^\]]+\]|[^*?[]|\[/g, (piece) => {
    if (piece.startsWith('*')) return '.*';
    if (piece === '?') return '.';
    if (piece.length > 2 && piece.startsWith('[')) {
      return piece.replace(/^\[!/, '[^').replace(/\\/g, '\\\\');
    }
    return piece.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
  });
  try {
    return new RegExp(`^${source}$`, 's');
  } catch {
    // An invalid range, like [z-a], matches nothing.
    return /(?!)/;
  }
}

/** Lists a folder. Throws when it exists but cannot be read: its files are then unknown. */
async function listFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return [];
    throw error;
  }
}
