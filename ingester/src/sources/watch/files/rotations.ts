import { basename, dirname, extname, join } from 'node:path';
import type { FileStatus, FileSystem } from './file-system.js';

/** The most names that one search for a renamed file looks up. */
const MAX_LOOK_UPS = 2000;
const NUMBER_OR_DATE = /^[.-]\d[\d.T:_-]*$/;

/**
 * Whether a file name is one that rotation gives to `name` (logrotate, logging.handlers): `name.1`, `name-20261121`,
 * `name.2026-11-21`, `name.old`. With the ending kept: `train-1.log` or `train.1.log` for `train.log`. Compressed files
 * do not count.
 */
export function isRotationName(name: string, candidate: string): boolean {
  if (candidate === name) return false;
  if (candidate.startsWith(name)) {
    const rest = candidate.slice(name.length);
    return rest === '.old' || NUMBER_OR_DATE.test(rest);
  }
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  if (ending === '' || !candidate.startsWith(stem) || !candidate.endsWith(ending)) return false;
  // `job-1.out` beside `job.out` is more often another job than an older part, so only a dot or a whole date counts.
  return /^(?:\.\d+|[.-]\d{8}\d*)$/.test(candidate.slice(stem.length, candidate.length - ending.length));
}

export function isCompressedName(name: string): boolean {
  return /\.(?:gz|bz2|xz|zst|lz4|lzma|Z)$/.test(name);
}

interface FoundFile {
  readonly path: string;
  readonly status: FileStatus;
}

/** Finds the rotations of a file, oldest content first. Rejects when one cannot be looked up now. */
export async function findRotations(fileSystem: FileSystem, path: string): Promise<FoundFile[]> {
  const name = basename(path);
  const names = (await fileSystem.listFolder(dirname(path))).filter((candidate) => isRotationName(name, candidate));
  const found = await lookUpAll(fileSystem, dirname(path), names);
  return found.filter(({ status }) => status.isRegular).sort(compareAge);
}

/**
 * Finds a file that was renamed within its folder, first among the names that rotation gives. Rejects when it is not
 * found, and a file could not be looked up.
 */
export async function findRenamed(
  fileSystem: FileSystem,
  path: string,
  isIt: (status: FileStatus) => boolean
): Promise<string | undefined> {
  const folder = dirname(path);
  const name = basename(path);
  const names = await fileSystem.listFolder(folder);
  const likely = names.filter((candidate) => candidate.startsWith(name.slice(0, 8)));
  const others = names.filter((candidate) => !candidate.startsWith(name.slice(0, 8)));
  const unknown: unknown[] = [];
  for (const candidate of [...likely, ...others].slice(0, MAX_LOOK_UPS)) {
    const status = await fileSystem.lookUp(join(folder, candidate)).catch((error: unknown) => {
      unknown.push(error);
      return undefined;
    });
    if (status !== undefined && isIt(status)) return join(folder, candidate);
  }
  // It may be one of those that cannot be looked up now.
  if (unknown.length > 0) throw unknown[0];
  return undefined;
}

async function lookUpAll(fileSystem: FileSystem, folder: string, names: readonly string[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const status = await fileSystem.lookUp(path);
    if (status !== undefined) found.push({ path, status });
  }
  return found;
}

/** Orders by the time of the last change. At the same time, the higher number is older. */
function compareAge(a: FoundFile, b: FoundFile): number {
  if (a.status.mtimeNs !== b.status.mtimeNs) return a.status.mtimeNs < b.status.mtimeNs ? -1 : 1;
  return b.path.localeCompare(a.path, 'en', { numeric: true });
}
