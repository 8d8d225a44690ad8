import { lstatSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOREIGN_BITS = 0o077;

/**
 * Opens a folder for this user alone, the same for all the user's processes on this host. Anyone may create names in
 * the parent folders: if another user has taken our name, one that nobody could guess replaces it. Undefined if no
 * folder can be made.
 */
export function openUserFolder(parents: readonly string[], uid: number): string | undefined {
  for (const parent of parents) {
    try {
      return openIn(parent, `joblens-${uid}`, uid);
    } catch {
      // The next parent may work.
    }
  }
  return undefined;
}

function openIn(parent: string, name: string, uid: number): string {
  const path = join(parent, name);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (isOurs(path, uid)) return path;
  const findOther = (): string | undefined => {
    const others = readdirSync(parent).filter((other) => other.startsWith(`${name}-`));
    return others
      .sort()
      .map((other) => join(parent, other))
      .find((other) => isOurs(other, uid));
  };
  const made = findOther() ?? mkdtempSync(`${path}-`);
  return findOther() ?? made;
}

function isOurs(path: string, uid: number): boolean {
  const status = lstatSync(path);
  return status.isDirectory() && status.uid === uid && (status.mode & FOREIGN_BITS) === 0;
}
