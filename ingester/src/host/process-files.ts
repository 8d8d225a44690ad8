import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isGone } from '@joblens/core/result/is-gone';

/** Whether the error says that a process, or a cgroup, has ended (proc(5)). */
export function hasEnded(error: unknown): boolean {
  const code = readCode(error);
  return isGone(error) || code === 'ESRCH' || code === 'ENODEV';
}

/** Whether the error says that it is another user's. */
function isForbidden(error: unknown): boolean {
  const code = readCode(error);
  return code === 'EACCES' || code === 'EPERM';
}

/**
 * What `look` finds in /proc or /sys; undefined where it has ended, or is another user's. Throws when nobody can tell,
 * as with too many open files.
 */
export function ifRuns<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (hasEnded(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

/** The text of a file of the kernel. */
export function readProcessText(path: string): string | undefined {
  return ifRuns(() => readFileSync(path, 'latin1'));
}

/** Where a link of the kernel leads. */
export function readProcessLink(path: string): string | undefined {
  return ifRuns(() => readlinkSync(path));
}

/** The names in a folder of the kernel; none where it has ended, or is another user's. */
export function listProcessFolder(path: string): readonly string[] {
  return ifRuns(() => readdirSync(path)) ?? [];
}

function readCode(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
