import { err, ok, type Result } from '@joblens/core/result/result';
import { nameErrorCode } from '../host/file-error.js';
import { createSmallFile, readSmallFile } from './checkpoint.js';
import type { HostFacts } from '../host/host-facts.js';
import { openSealedText, sealText } from './sealed-text.js';
import { removeQuietly, type SpoolFs } from './spool-fs.js';
import { createWriter, formatWriter, isDead, parseWriter, type SpoolRole, type Writer } from './writer-name.js';

const DESTINATION = 'destination';
/** Holds files that cannot be read, for people to inspect. */
const SET_ASIDE = 'damaged';
const SIGN = 'sign-of-life';
/** The prefix of folders that are only half created or half removed. */
const UNFINISHED = 'new-';
/** The files of a writer's folder. Any other file in it is not ours to remove. */
const OWN_FILE = /^(destination|sign-of-life|open-job|checkpoint(\.new)?|[0-9a-f]{16}\.segment(\.new)?)$/;
const FOREIGN_WRITE_BITS = 0o022;
const DAMAGED = Symbol('damaged');

/** One writer's folder in the spool folder. */
export interface FoundFolder {
  readonly path: string;
  readonly writer: Writer;
  readonly isAlive: boolean;
  /** The destination of its points, as given to `create`. */
  readonly destination: string;
  /** By the clock of the file server; 0 when there is no sign of life. */
  readonly lastSignMs: number;
}

/**
 * The destination of the points: address, organisation, bucket or database. It must hold no secret, as it is written to
 * the spool.
 */
export type SpoolDestination = Readonly<Record<string, string>>;

/** The destination in a form to compare: JSON, keys in alphabetical order. */
export function formatDestination(destination: SpoolDestination): string {
  const rows = Object.entries(destination).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(rows));
}

/** The folders of all writers in one spool folder. */
export class SpoolFolders {
  readonly #fs: SpoolFs;
  readonly #root: string;
  readonly #facts: HostFacts;

  constructor(fs: SpoolFs, root: string, facts: HostFacts) {
    this.#fs = fs;
    this.#root = root;
    this.#facts = facts;
  }

  /** Creates the spool folder if it is missing. The error is one line: a folder that others can change is not used. */
  async prepare(): Promise<Result<void, string>> {
    const root = this.#root;
    const refuse = (found: string): Result<void, string> =>
      err(`the spool folder ${root} ${found}: choose another one with --spool`);
    try {
      const isNew = (await this.#fs.stat(root)) === undefined;
      if (isNew) await this.#fs.makeFolders(root);
      if (isNew) await this.#fs.syncFolder(`${root}/..`).catch(() => undefined);
      const facts = await this.#fs.stat(root);
      if (facts?.kind !== 'folder') return refuse('is not a folder');
      if (facts.uid !== this.#facts.uid) return refuse('belongs to another user');
      if ((facts.mode & FOREIGN_WRITE_BITS) !== 0) return refuse('can be written by other users');
      return ok(undefined);
    } catch (error) {
      return refuse(`cannot be used (${nameErrorCode(error)})`);
    }
  }

  /** Lists all complete folders of writers. */
  async list(): Promise<FoundFolder[]> {
    const readClock = this.#startClock();
    const found: FoundFolder[] = [];
    for (const name of (await this.#fs.list(this.#root)).sort()) {
      const path = `${this.#root}/${name}`;
      const writer = parseWriter(name);
      if (writer === undefined) continue;
      const destination = await this.#readDestination(path);
      if (destination === undefined || destination === DAMAGED) continue;
      const isAlive = !(await this.#isDead(writer, path, readClock));
      const lastSignMs = (await this.#fs.stat(`${path}/${SIGN}`))?.modifiedMs ?? 0;
      found.push({ path, writer, destination, isAlive, lastSignMs });
    }
    return found;
  }

  /** Creates a folder for this process. */
  async create(role: SpoolRole, destination: string): Promise<string> {
    const create = async (writer: Writer): Promise<string> => {
      const name = formatWriter(writer);
      const path = `${this.#root}/${name}`;
      const unfinished = `${this.#root}/${UNFINISHED}${name}`;
      await this.#checkFree(path);
      await this.#fs.makeFolder(unfinished);
      await createSmallFile(this.#fs, `${unfinished}/${DESTINATION}`, sealText(destination));
      await this.#fs.rename(unfinished, path);
      return path;
    };
    const path = await this.#withFreeName(role, create);
    await this.giveSign(path);
    return path;
  }

  /** Recreates our folder if it is gone, e.g. because somebody removed the spool; returns whether it was. */
  async restore(path: string, destination: string): Promise<boolean> {
    if ((await this.#fs.stat(path)) !== undefined) return false;
    await this.#fs.makeFolders(this.#root);
    const unfinished = `${this.#root}/${UNFINISHED}${path.slice(this.#root.length + 1)}`;
    if ((await this.#fs.stat(unfinished)) !== undefined) await this.#removeFiles(unfinished);
    await this.#fs.makeFolder(unfinished);
    await createSmallFile(this.#fs, `${unfinished}/${DESTINATION}`, sealText(destination));
    await this.#fs.rename(unfinished, path);
    await this.giveSign(path);
    return true;
  }

  /** The destination of one of our folders. */
  async readOwnDestination(path: string): Promise<string> {
    const destination = await this.#readDestination(path);
    return typeof destination === 'string' ? destination : '{}';
  }

  /** Takes over a dead writer's folder; undefined when another process was faster. */
  async takeOver({ path, writer }: FoundFolder): Promise<string | undefined> {
    try {
      const ours = await this.#withFreeName(writer.role, async (own) => {
        const ownPath = `${this.#root}/${formatWriter(own)}`;
        await this.#checkFree(ownPath);
        await this.#fs.rename(path, ownPath);
        return ownPath;
      });
      await this.giveSign(ours);
      return ours;
    } catch (error) {
      if (nameErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Shows that the folder's writer lives; ENOENT when the folder is no longer ours. */
  giveSign(path: string): Promise<void> {
    return this.#fs.touch(`${path}/${SIGN}`);
  }

  /** Leaves the folder to the next process that wants it. */
  async giveAway(path: string): Promise<void> {
    const role = parseWriter(path.slice(this.#root.length + 1))?.role;
    if (role === undefined) return;
    await this.#withFreeName(role, async (own) => {
      const freePath = `${this.#root}/${formatWriter({ ...own, isClosed: true })}`;
      await this.#checkFree(freePath);
      await this.#fs.rename(path, freePath);
      return freePath;
    });
  }

  /**
   * Removes one of our folders with all our files in it. A folder that a crash leaves half removed is never read again.
   */
  async remove(path: string): Promise<void> {
    const name = path.slice(this.#root.length + 1);
    if (name.startsWith(UNFINISHED)) return this.#removeFiles(path);
    const unfinished = `${this.#root}/${UNFINISHED}${name}`;
    await this.#fs.rename(path, unfinished);
    await this.#removeFiles(unfinished);
  }

  async #removeFiles(path: string): Promise<void> {
    for (const name of await this.#fs.list(path)) {
      if (OWN_FILE.test(name)) await this.#fs.remove(`${path}/${name}`);
    }
    await this.#fs.removeFolder(path);
  }

  /** The path to which `setAside` moves a writer's folder or a file in it. */
  asidePath(path: string): string {
    return `${this.#root}/${SET_ASIDE}/${path.slice(this.#root.length + 1).replaceAll('/', '_')}`;
  }

  /** Moves an unreadable file to a place where nobody reads or removes it. */
  async setAside(path: string): Promise<void> {
    const folder = `${this.#root}/${SET_ASIDE}`;
    if ((await this.#fs.stat(folder)) === undefined) await this.#fs.makeFolder(folder);
    await this.#fs.rename(path, this.asidePath(path));
  }

  /**
   * Removes folders that dead writers have half created or half removed. Sets folders aside whose destination is
   * unknown, and returns their new paths.
   */
  async tidy(): Promise<string[]> {
    const readClock = this.#startClock();
    const aside: string[] = [];
    for (const name of await this.#fs.list(this.#root)) {
      const path = `${this.#root}/${name}`;
      const isUnfinished = name.startsWith(UNFINISHED);
      const writer = parseWriter(isUnfinished ? name.slice(UNFINISHED.length) : name);
      if (writer === undefined || !(await this.#isDead(writer, path, readClock))) continue;
      if (isUnfinished) await this.remove(path).catch(() => undefined);
      else if ((await this.#readDestination(path)) === DAMAGED) {
        await this.setAside(path);
        aside.push(this.asidePath(path));
      }
    }
    return aside;
  }

  /** Undefined when it cannot be read now, or the writer has just removed the folder. */
  async #readDestination(path: string): Promise<string | typeof DAMAGED | undefined> {
    try {
      const sealed = await readSmallFile(this.#fs, `${path}/${DESTINATION}`);
      if (sealed === undefined && (await this.#fs.stat(path)) === undefined) return undefined;
      return (sealed === undefined ? undefined : openSealedText(sealed)) ?? DAMAGED;
    } catch {
      return undefined;
    }
  }

  async #checkFree(path: string): Promise<void> {
    if ((await this.#fs.stat(path)) !== undefined) throw Object.assign(new Error(`${path} exists`), { code: 'EEXIST' });
  }

  /** Tries this process's names one after the other until one is free. */
  async #withFreeName(role: SpoolRole, claim: (own: Writer) => Promise<string>): Promise<string> {
    for (let counter = 0; ; counter += 1) {
      try {
        return await claim(createWriter(role, this.#facts, counter));
      } catch (error) {
        if (nameErrorCode(error) !== 'EEXIST' && nameErrorCode(error) !== 'ENOTEMPTY') throw error;
      }
    }
  }

  #isDead(writer: Writer, path: string, readClock: () => Promise<number>): Promise<boolean> {
    return isDead(writer, this.#facts, async () => {
      const sign = (await this.#fs.stat(`${path}/${SIGN}`)) ?? (await this.#fs.stat(path));
      return sign === undefined ? 0 : (await readClock()) - sign.modifiedMs;
    });
  }

  /** The time of the file server, read once from a file just touched there. */
  #startClock(): () => Promise<number> {
    let nowMs: number | undefined;
    return async () => {
      if (nowMs !== undefined) return nowMs;
      const path = `${this.#root}/clock-${formatWriter(createWriter('job', this.#facts, 0))}`;
      await this.#fs.touch(path);
      nowMs = (await this.#fs.stat(path))?.modifiedMs ?? 0;
      await removeQuietly(this.#fs, path);
      return nowMs;
    };
  }
}
