import { type BigIntStats, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { isGone } from '@joblens/core/result/is-gone';
import { isForbidden, readErrorCode } from './file-error.js';

/** Whether the error says that a process, or a cgroup, has ended (proc(5)). */
export function hasEnded(error: unknown): boolean {
  const code = readErrorCode(error);
  return isGone(error) || code === 'ESRCH' || code === 'ENODEV';
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

/** The processes that can be seen. */
export function listProcessIds(): readonly string[] {
  return listProcessFolder('/proc').filter((name) => /^\d+$/.test(name));
}

/** What a path of the kernel leads to, such as a file that a process has open. */
export function readProcessStatus(path: string): BigIntStats | undefined {
  return ifRuns(() => statSync(path, { bigint: true }));
}
