import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ifThere } from '@joblens/core/result/is-gone';
import { readErrorCode } from './file-error.js';

/**
 * Writes a whole file so that nobody reads half of it, also after a crash. Makes its folders (0755). A file that is
 * there keeps its owner and mode, and a link stays one; a new file gets `mode`. Throws what the file system does.
 */
export function replaceFile(path: string, content: string | Uint8Array, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  const old = ifThere(() => statSync(path));
  const target = old === undefined ? path : realpathSync(path);
  const draft = `${target}.joblens-new`;
  // A run that was killed may have left it.
  rmSync(draft, { force: true });
  try {
    writeDraft(draft, content, old, mode);
    moveOver(draft, target, content);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function writeDraft(draft: string, content: string | Uint8Array, old: Stats | undefined, mode: number): void {
  const fd = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(fd, content);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  if (old !== undefined) chownSync(draft, old.uid, old.gid);
  chmodSync(draft, old === undefined ? mode : old.mode & 0o7777);
}

function moveOver(draft: string, target: string, content: string | Uint8Array): void {
  try {
    renameSync(draft, target);
  } catch (error) {
    if (readErrorCode(error) !== 'EBUSY') throw error;
    // A file that is mounted by itself, as containers do, has one place for ever.
    writeFileSync(target, content);
    rmSync(draft);
  }
}
