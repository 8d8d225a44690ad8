export interface Write {
  readonly position: number;
  readonly bytes: Buffer;
}

/** All bytes from there on are gone. */
interface Truncation {
  readonly sizeBytes: number;
}

export interface ModelFile {
  readonly kind: 'file';
  /** As a reader sees it. */
  content: Buffer;
  durable: Buffer;
  /** Since the last sync. */
  unsynced: (Write | Truncation)[];
  /** A sync of these failed: they are seen until the power goes, and no later sync makes them durable. */
  doubtful: (Write | Truncation)[];
  modifiedMs: number;
}

export interface ModelFolder {
  readonly kind: 'folder';
  readonly entries: Map<string, ModelNode>;
  durable: Map<string, ModelNode>;
  /** Creations, renames and removals since the last sync; each is there after a power cut or not, as a whole. */
  unsynced: ((entries: Map<string, ModelNode>) => void)[];
  modifiedMs: number;
}

export type ModelNode = ModelFile | ModelFolder;

const SECTOR_BYTES = 512;

export function change(folder: ModelFolder, apply: (entries: Map<string, ModelNode>) => void): void {
  apply(folder.entries);
  folder.unsynced.push(apply);
}

export function cutFolder(folder: ModelFolder, choose: () => number): void {
  for (const apply of folder.unsynced) if (choose() < 0.5) apply(folder.durable);
  folder.unsynced = [];
  folder.entries.clear();
  for (const [name, node] of folder.durable) {
    folder.entries.set(name, node);
    if (node.kind === 'folder') cutFolder(node, choose);
    else cutFile(node, choose);
  }
}

function cutFile(file: ModelFile, choose: () => number): void {
  for (const write of [...file.doubtful, ...file.unsynced]) {
    const fate = choose();
    if (fate < 0.4) file.durable = applyChange(file.durable, write);
    // It is there or not, as a whole.
    else if ('sizeBytes' in write) continue;
    else if (fate < 0.6) file.durable = applyChange(file.durable, tear(write, choose));
    // The size became durable, the bytes did not.
    else if (fate < 0.7) {
      file.durable = applyChange(file.durable, { ...write, bytes: Buffer.alloc(write.bytes.length) });
    }
  }
  file.doubtful = [];
  file.unsynced = [];
  file.content = Buffer.from(file.durable);
}

/** A part of the write: its first bytes, or one without some of its sectors. */
function tear({ position, bytes }: Write, choose: () => number): Write {
  if (choose() < 0.5) return { position, bytes: bytes.subarray(0, Math.floor(choose() * bytes.length)) };
  const torn = Buffer.from(bytes);
  for (let at = 0; at < torn.length; at += SECTOR_BYTES) {
    if (choose() < 0.5) torn.fill(0, at, Math.min(torn.length, at + SECTOR_BYTES));
  }
  return { position, bytes: torn };
}

export function applyChange(content: Buffer, change: Write | Truncation): Buffer {
  if ('sizeBytes' in change) return Buffer.from(content.subarray(0, change.sizeBytes));
  const { position, bytes } = change;
  const result = Buffer.alloc(Math.max(content.length, position + bytes.length));
  content.copy(result);
  bytes.copy(result, position);
  return result;
}

export function cloneFolder(folder: ModelFolder): ModelFolder {
  const copy = createFolder();
  for (const [name, node] of folder.entries) {
    const child = node.kind === 'folder' ? cloneFolder(node) : createFile(Buffer.from(node.content), node.modifiedMs);
    copy.entries.set(name, child);
    copy.durable.set(name, child);
  }
  return copy;
}

export function createFile(content: Buffer, modifiedMs: number): ModelFile {
  return { kind: 'file', content, durable: content, unsynced: [], doubtful: [], modifiedMs };
}

export function createFolder(): ModelFolder {
  return { kind: 'folder', entries: new Map(), durable: new Map(), unsynced: [], modifiedMs: 0 };
}

/** Numbers from 0 to below 1 that the seed decides. */
export function createChooser(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
