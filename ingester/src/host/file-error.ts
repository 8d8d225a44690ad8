import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';

/** What Node has no words for, though jobs meet it: quotas, and file systems of networks. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['EDQUOT', 'disk quota exceeded'],
  ['ESTALE', 'stale file handle'],
]);

/** What the system says of a failed operation on a file, with its code: `no such file or directory (ENOENT)`. */
export function describeFileError(error: unknown): string {
  const { errno } = error as NodeJS.ErrnoException;
  const code = readErrorCode(error);
  if (code === undefined) return String(error);
  const text = errno === undefined ? undefined : (getSystemErrorMap().get(errno)?.[1] ?? WORDS.get(code));
  return text === undefined ? code : `${text} (${code})`;
}

/** Says why nobody can tell what is at a path. */
export function describeUnseen(path: string, error: unknown): string {
  return `cannot look at ${path}: ${describeFileError(error)}`;
}

/** Whether the error says that this is forbidden, for now or for good. */
export function isForbidden(error: unknown): boolean {
  const code = readErrorCode(error);
  return code === 'EACCES' || code === 'EPERM';
}

/** The error's code, such as `ENOENT`; its text if it has none. */
export function nameErrorCode(error: unknown): string {
  return readErrorCode(error) ?? String(error);
}

/** The system's code of an error, also where Node calls it `Unknown system error -122`; undefined if it has none. */
export function readErrorCode(error: unknown): string | undefined {
  const { code, errno } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof code !== 'string' || errno === undefined || getSystemErrorMap().has(errno)) return code;
  return Object.entries(constants.errno).find(([, number]) => number === -errno)?.[0] ?? code;
}
