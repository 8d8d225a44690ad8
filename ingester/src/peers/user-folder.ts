import { lstatSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOREIGN_BITS = 0o077;

/**
 * A folder for this user alone, the same one for all processes of the user on this host. Anyone may make names in the
 * folders where it is made: where another user has taken ours, one with a name that nobody could know takes its place.
 * Undefined when there can be none.
 */
export function openUserFolder(parents: readonly string[], uid: number): string | undefined {
  for (const parent of parents) {
    try {
      return openIn(parent, `joblens-${uid}`, uid);
    } catch {
      // The next one may do.
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
