import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';

/**
 * The files that the paths name now: a file itself, also when it is not there yet; all files of a folder, hidden ones and folders
 * in it apart; a pattern with `*`, `?` and `[…]` in any part of the path. Sorted, each once.
 */
export async function findFiles(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => (/[*?[]/.test(path) ? matchPattern(path) : readPath(path))));
  return [...new Set(found.flat())].sort();
}

async function readPath(path: string): Promise<string[]> {
  const status = await stat(path).catch(() => undefined);
  if (status?.isDirectory() !== true) return [path];
  const entries = await readFolder(path);
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(path, entry.name));
}

async function matchPattern(pattern: string): Promise<string[]> {
  let found = [isAbsolute(pattern) ? sep : ''];
  const parts = pattern.split(sep).filter((part) => part !== '');
  for (const part of parts) {
    const isMagic = /[*?[]/.test(part);
    const next = await Promise.all(
      found.map((folder) => (isMagic ? matchIn(folder, part) : Promise.resolve([join(folder, part)])))
    );
    found = next.flat();
  }
  const status = await Promise.all(found.map((path) => stat(path).catch(() => undefined)));
  return found.filter((_, i) => status[i]?.isFile() === true);
}

async function matchIn(folder: string, part: string): Promise<string[]> {
  const expression = toExpression(part);
  const entries = await readFolder(folder === '' ? '.' : folder);
  return entries
    .filter(({ name }) => expression.test(name) && (part.startsWith('.') || !name.startsWith('.')))
    .map(({ name }) => join(folder, name));
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
    // A range that is none, like [z-a], matches nothing.
    return /(?!)/;
  }
}

function readFolder(path: string): Promise<Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch(() => []);
}
