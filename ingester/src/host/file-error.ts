import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';

/** What Node has no words for, though network file systems and quotas are what jobs meet. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['EDQUOT', 'disk quota exceeded'],
  ['ESTALE', 'stale file handle'],
]);

/** What the system says of a failed operation on a file, with its code: `no such file or directory (ENOENT)`. */
export function describeFileError(error: unknown): string {
  const { code, errno } = error as NodeJS.ErrnoException;
  if (code === undefined) return String(error);
  if (errno === undefined) return code;
  // Node's own code is `Unknown system error -122` then.
  const name = getSystemErrorMap().get(errno)?.[0] ?? findName(-errno) ?? code;
  const text = getSystemErrorMap().get(errno)?.[1] ?? WORDS.get(name);
  return text === undefined ? name : `${text} (${name})`;
}

function findName(errno: number): string | undefined {
  return Object.entries(constants.errno).find(([, number]) => number === errno)?.[0];
}
