import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

export interface TinyDisk {
  readonly path: string;
  remove(): void;
}

/** Whether a file system can be mounted here, which takes root, even in a container. */
export function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A file system in memory with that little room. Throws when it cannot be mounted. */
export function mountTinyDisk(path: string, mebibytes: number): TinyDisk {
  mkdirSync(path);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=700`, 'none', path]);
  return { path, remove: () => void execFileSync('umount', ['--lazy', path]) };
}
