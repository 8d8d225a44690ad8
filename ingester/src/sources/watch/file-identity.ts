import type { FileStatus } from './file-system.js';

/** Which file it is, whatever its name. An inode's number alone comes again when the file was deleted. */
export type FileIdentity = Pick<FileStatus, 'dev' | 'ino' | 'birthNs'>;

/**
 * Whether it can be the same file. A birth time says that it is another one, but only where it is a true one: some file
 * systems give the time of the last change in its place. What is left open by this the content decides.
 */
export function isSameFile(known: FileIdentity, found: FileStatus): boolean {
  if (known.dev !== found.dev || known.ino !== found.ino) return false;
  const isTrueBirth = found.birthNs !== 0n && found.birthNs < found.changeNs;
  return known.birthNs === 0n || known.birthNs === found.birthNs || !isTrueBirth;
}

export function formatIdentity({ dev, ino }: Pick<FileIdentity, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}
