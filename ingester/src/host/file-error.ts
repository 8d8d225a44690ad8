import { getSystemErrorMap } from 'node:util';

/** What the system says of a failed operation on a file, with its code: `no such file or directory (ENOENT)`. */
export function describeFileError(error: unknown): string {
  const { code, errno } = error as NodeJS.ErrnoException;
  if (code === undefined) return String(error);
  const text = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return text === undefined ? code : `${text} (${code})`;
}
