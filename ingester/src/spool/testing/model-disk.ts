import type { SpoolFile, SpoolFs } from '../spool-fs.js';
import {
  applyChange,
  change,
  cloneFolder,
  createFile,
  createFolder,
  cutFolder,
  type ModelFile,
  type ModelFolder,
  type ModelNode,
} from './model-nodes.js';

/**
 * A disk that keeps apart what a program sees and what is durable. A power cut drops or tears any of what was not
 * synced, each on its own, so also a later write without an earlier one.
 */
export class ModelDisk {
  nowMs = 1_000_000;
  /** The next writes fail with this code after a part of their bytes. */
  writeFailure: string | undefined;
  /** The next syncs of files and folders fail with this code. */
  syncFailure: string | undefined;
  isSyncSlow = false;
  #root = createFolder();
  #mount = 0;
  #slowSyncs: (() => void)[] = [];

  /** Lets the slow syncs end. */
  endSlowSyncs(): void {
    this.isSyncSlow = false;
    for (const end of this.#slowSyncs.splice(0)) end();
  }

  /** The process dies and the machine keeps running: no written byte is lost. */
  kill(): void {
    this.#mount += 1;
    this.#slowSyncs = [];
  }

  /** The machine dies. `choose` gives numbers from 0 to below 1. */
  cutPower(choose: () => number): void {
    this.kill();
    cutFolder(this.#root, choose);
  }

  /** A copy of all that is seen, as if it were durable. */
  clone(): ModelDisk {
    const copy = new ModelDisk();
    copy.nowMs = this.nowMs;
    copy.#root = cloneFolder(this.#root);
    return copy;
  }

  /** Changes a byte of a file. */
  damage(path: string, offset: number): void {
    const file = this.#find(path);
    if (file?.kind !== 'file') throw createError('ENOENT');
    for (const bytes of new Set([file.content, file.durable])) {
      if (offset < bytes.length) bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
    }
  }

  /** Gives a byte of a file another value. */
  overwrite(path: string, offset: number, value: number): void {
    const file = this.#find(path);
    if (file?.kind !== 'file') throw createError('ENOENT');
    for (const bytes of new Set([file.content, file.durable])) bytes[offset] = value;
  }

  read(path: string): Buffer {
    const file = this.#find(path);
    if (file?.kind !== 'file') throw createError('ENOENT');
    return file.content;
  }

  /** Somebody removes a folder with all that is in it. */
  removeTree(path: string): void {
    this.#remove(path);
  }

  /** Whether some file holds just these bytes. */
  holds(bytes: Buffer): boolean {
    const search = (node: ModelNode): boolean =>
      node.kind === 'file' ? node.content.equals(bytes) : [...node.entries.values()].some(search);
    return search(this.#root);
  }

  /** The file system as one process sees it; it works until the process dies. */
  mount(): SpoolFs {
    const own = this.#mount;
    const check = (): void => {
      if (own !== this.#mount) throw createError('EDEAD');
    };
    /** Calls of a dead process never return. */
    const call = async <T>(action: () => T): Promise<T> => {
      await Promise.resolve();
      if (own !== this.#mount) return new Promise<never>(() => undefined);
      return action();
    };
    const sync = async (node: ModelNode): Promise<void> => {
      const count = node.unsynced.length;
      await call(() => undefined);
      if (this.isSyncSlow) await new Promise<void>((resolve) => this.#slowSyncs.push(resolve));
      await call(() => {
        this.#sync(node, count);
      });
    };
    return {
      create: (path) => {
        check();
        return this.#open(this.#create(path), check, call, sync);
      },
      open: (path) => call(() => this.#open(this.#getFile(path), check, call, sync)),
      stat: (path) => call(() => describe(this.#find(path))),
      list: (path) => call(() => [...this.#getFolder(path).entries.keys()]),
      makeFolder: (path) =>
        call(() => {
          this.#add(path, createFolder());
        }),
      makeFolders: (path) =>
        call(() => {
          if (this.#find(path) === undefined) this.#add(path, createFolder());
        }),
      rename: (from, to) =>
        call(() => {
          this.#rename(from, to);
        }),
      remove: (path) =>
        call(() => {
          this.#getFile(path);
          this.#remove(path);
        }),
      removeFolder: (path) =>
        call(() => {
          if (this.#getFolder(path).entries.size > 0) throw createError('ENOTEMPTY');
          this.#remove(path);
        }),
      syncFolder: (path) => sync(this.#getFolder(path)),
      touch: (path) =>
        call(() => {
          const file = this.#find(path) ?? this.#create(path);
          file.modifiedMs = this.nowMs;
        }),
    };
  }

  #open(
    file: ModelFile,
    check: () => void,
    call: <T>(action: () => T) => Promise<T>,
    sync: (node: ModelNode) => Promise<void>
  ): SpoolFile {
    return {
      write: (bytes, position) => {
        check();
        // A copy: who wrote may use its memory again.
        const whole = Buffer.from(bytes);
        const code = this.writeFailure;
        const written = code === undefined ? whole : whole.subarray(0, whole.length >> 1);
        file.content = applyChange(file.content, { position, bytes: written });
        file.unsynced.push({ position, bytes: written });
        file.modifiedMs = this.nowMs;
        if (code !== undefined) throw createError(code);
      },
      truncate: (sizeBytes) => {
        check();
        file.content = applyChange(file.content, { sizeBytes });
        file.unsynced.push({ sizeBytes });
      },
      sync: () => sync(file),
      isRemoved: () => !this.#isLinked(file),
      read: (into, position) => call(() => file.content.copy(into, 0, position)),
      close: () => undefined,
    };
  }

  #isLinked(file: ModelFile): boolean {
    const search = (node: ModelNode): boolean =>
      node === file || (node.kind === 'folder' && [...node.entries.values()].some(search));
    return search(this.#root);
  }

  #sync(node: ModelNode, count: number): void {
    const code = this.syncFailure;
    if (node.kind === 'folder') {
      if (code !== undefined) throw createError(code);
      for (const apply of node.unsynced.splice(0, count)) apply(node.durable);
      return;
    }
    const writes = node.unsynced.splice(0, count);
    if (code !== undefined) {
      node.doubtful.push(...writes);
      throw createError(code);
    }
    for (const write of writes) node.durable = applyChange(node.durable, write);
  }

  #find(path: string): ModelNode | undefined {
    let node: ModelNode | undefined = this.#root;
    for (const name of splitPath(path)) node = node?.kind === 'folder' ? node.entries.get(name) : undefined;
    return node;
  }

  #getFile(path: string): ModelFile {
    const node = this.#find(path);
    if (node?.kind !== 'file') throw createError('ENOENT');
    return node;
  }

  #getFolder(path: string): ModelFolder {
    const node = this.#find(path);
    if (node?.kind !== 'folder') throw createError('ENOENT');
    return node;
  }

  #create(path: string): ModelFile {
    if (this.writeFailure !== undefined) throw createError(this.writeFailure);
    return this.#add(path, createFile(Buffer.alloc(0), this.nowMs));
  }

  #add<T extends ModelNode>(path: string, node: T): T {
    if (this.#find(path) !== undefined) throw createError('EEXIST');
    const name = splitPath(path).at(-1) ?? '';
    change(this.#getFolder(parentOf(path)), (entries) => entries.set(name, node));
    return node;
  }

  #remove(path: string): void {
    const name = splitPath(path).at(-1) ?? '';
    change(this.#getFolder(parentOf(path)), (entries) => entries.delete(name));
  }

  #rename(from: string, to: string): void {
    const node = this.#find(from);
    if (node === undefined) throw createError('ENOENT');
    const target = this.#find(to);
    if (target?.kind === 'folder' && target.entries.size > 0) throw createError('ENOTEMPTY');
    const oldName = splitPath(from).at(-1) ?? '';
    const newName = splitPath(to).at(-1) ?? '';
    const [source, goal] = [this.#getFolder(parentOf(from)), this.#getFolder(parentOf(to))];
    if (source === goal) {
      change(source, (entries) => {
        entries.delete(oldName);
        entries.set(newName, node);
      });
      return;
    }
    change(goal, (entries) => entries.set(newName, node));
    change(source, (entries) => entries.delete(oldName));
  }
}

function describe(node: ModelNode | undefined): Awaited<ReturnType<SpoolFs['stat']>> {
  if (node === undefined) return undefined;
  const sizeBytes = node.kind === 'file' ? node.content.length : 0;
  return { kind: node.kind, uid: 0, mode: 0o700, sizeBytes, modifiedMs: node.modifiedMs };
}

/** The names of a path that was split before: the same few come again and again. */
const splitPaths = new Map<string, readonly string[]>();

function splitPath(path: string): readonly string[] {
  const known = splitPaths.get(path);
  if (known !== undefined) return known;
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '') names.push(name);
  }
  splitPaths.set(path, names);
  return names;
}

function parentOf(path: string): string {
  return splitPath(path).slice(0, -1).join('/');
}

/** Without a stack, as those of Node's file system: taking one costs more than all else here. */
function createError(code: string): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = Object.assign(new Error(code), { code });
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
