import type { FileStatus } from './file-system.js';

/** The identity of a file, whatever its name. An inode's number alone may come back after the file was deleted. */
export type FileIdentity = Pick<FileStatus, 'dev' | 'ino' | 'birthNs'>;

/**
 * Whether it can be the same file. A true birth time can tell that it is another file, but some file systems give the
 * time of the last change instead. The content decides the rest.
 */
export function isSameFile(known: FileIdentity, found: FileStatus): boolean {
  if (known.dev !== found.dev || known.ino !== found.ino) return false;
  const isTrueBirth = found.birthNs !== 0n && found.birthNs < found.changeNs;
  return known.birthNs === 0n || known.birthNs === found.birthNs || !isTrueBirth;
}

export function formatIdentity({ dev, ino }: Pick<FileIdentity, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}
