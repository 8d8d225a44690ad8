import type { Dirent } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { listFolder } from './find-files.js';

/** Two changes this close may have the same time. */
const GRAIN_MS = 2000;
/** A network file system may show an old time for the folder. */
const MAX_AGE_MS = 10_000;

interface CachedFolder {
  readonly entries: readonly Dirent[];
  readonly mtimeMs: number;
  readonly readMs: number;
}

/** Remembers the names in folders, so that a scan without changes costs one call for each folder. */
export class FolderCache {
  readonly #nowMs: () => number;
  #folders = new Map<string, CachedFolder>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The names in the folder. */
  async read(path: string): Promise<readonly Dirent[]> {
    const known = this.#folders.get(path);
    const mtimeMs = await readMtimeMs(path);
    if (known !== undefined && !this.#isOld(known, mtimeMs)) return known.entries;
    const readMs = this.#nowMs();
    const entries = await listFolder(path);
    this.#folders.set(path, { entries, mtimeMs, readMs });
    return entries;
  }

  /** Whether a folder that was read may have other files now. */
  async hasChanged(): Promise<boolean> {
    for (const [path, folder] of this.#folders) if (this.#isOld(folder, await readMtimeMs(path))) return true;
    return false;
  }

  /** Forgets folders that are no longer read. */
  clear(): void {
    this.#folders = new Map();
  }

  #isOld({ mtimeMs, readMs }: CachedFolder, foundMtimeMs: number): boolean {
    return mtimeMs !== foundMtimeMs || readMs - mtimeMs < GRAIN_MS || this.#nowMs() - readMs > MAX_AGE_MS;
  }
}

/** -1 when there is none. */
async function readMtimeMs(path: string): Promise<number> {
  return (await lstat(path).catch(() => undefined))?.mtimeMs ?? -1;
}
