import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { nameErrorCode } from '../../../host/file-error.js';
import { toPathBytes } from '../../../host/path-bytes.js';

const MAX_FOLDERS = 1000;
/** With more changes in a second, hints cost more than polling. */
const MAX_HINTS_A_SECOND = 500;
const PAUSE_MS = 10_000;

/**
 * Tells that a file may have changed, so that it is polled sooner. This is only a hint: network file systems report no
 * writes of other machines, and the system's limits may forbid watching. The files are then polled by the clock alone.
 */
export class FolderHints {
  readonly #onHint: (path: string) => void;
  readonly #monotonicMs: () => number;
  readonly #debug: (message: string) => void;
  readonly #watchers = new Map<string, FSWatcher | undefined>();
  #hasSaid = false;

  constructor(onHint: (path: string) => void, monotonicMs: () => number, debug: (message: string) => void) {
    this.#onHint = onHint;
    this.#monotonicMs = monotonicMs;
    this.#debug = debug;
  }

  /** Gives hints for these folders, as far as there is room, and for no others. */
  keep(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher?.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) {
      if (this.#watchers.size >= MAX_FOLDERS) return;
      if (!this.#watchers.has(folder)) this.#watch(folder);
    }
  }

  /** The number of folders that are watched, or would be if they could. */
  get size(): number {
    return this.#watchers.size;
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher?.close();
    this.#watchers.clear();
  }

  #watch(folder: string): void {
    let [sinceMs, hints] = [this.#monotonicMs(), 0];
    this.#watchers.set(folder, undefined);
    try {
      const watcher = watch(toPathBytes(folder), { persistent: false }, (_, name) => {
        if (this.#monotonicMs() - sinceMs > 1000) [sinceMs, hints] = [this.#monotonicMs(), 0];
        hints += 1;
        if (hints > MAX_HINTS_A_SECOND) this.#pause(folder, watcher);
        else if (name !== null) this.#onHint(join(folder, name));
      });
      watcher.on('error', (error) => this.#fail(folder, watcher, error));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      this.#fail(folder, undefined, error);
    }
  }

  #pause(folder: string, watcher: FSWatcher): void {
    watcher.close();
    this.#watchers.set(folder, undefined);
    // Meanwhile it may have been dropped, and taken again.
    const isPaused = (): boolean => this.#watchers.has(folder) && this.#watchers.get(folder) === undefined;
    setTimeout(() => isPaused() && this.#watch(folder), PAUSE_MS).unref();
  }

  #fail(folder: string, watcher: FSWatcher | undefined, error: unknown): void {
    watcher?.close();
    this.#watchers.set(folder, undefined);
    if (!this.#hasSaid) this.#debug(`no hints for ${folder}: ${nameErrorCode(error)}; it is checked regularly instead`);
    this.#hasSaid = true;
  }
}
