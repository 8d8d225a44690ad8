import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** How far an import came that was stopped. */
export class StoppedImport {
  readonly #path: string;

  /** `identity`: everything that decides which points the import makes, and where they go. */
  constructor(stateFolder: string, identity: readonly unknown[]) {
    const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
    this.#path = join(stateFolder, 'imports', `${hash}.json`);
  }

  /** The number of points that are queued; 0 where nothing is known. */
  async read(): Promise<number> {
    try {
      const { points } = JSON.parse(await readFile(this.#path, 'utf8')) as { points?: unknown };
      return Number.isSafeInteger(points) ? (points as number) : 0;
    } catch {
      return 0;
    }
  }

  /** Where it cannot be kept, the import begins anew: it doubles nothing. */
  async keep(points: number): Promise<void> {
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await writeFile(this.#path, JSON.stringify({ points }), { mode: 0o600 });
    } catch {
      // As above.
    }
  }

  async forget(): Promise<void> {
    await rm(this.#path, { force: true }).catch(() => undefined);
  }
}
