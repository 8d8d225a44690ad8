/** A file of the spool. Errors are thrown as the system gives them, with `code`. */
export interface SpoolFile {
  /** Writes all bytes at the position before it returns. After an error, a part of them may have been written. */
  write(bytes: Uint8Array, position: number): void;
  /** Cuts the file to its first bytes, which gives the rest of its room back to the disk. */
  truncate(sizeBytes: number): void;
  /** Makes the written bytes durable (fdatasync). */
  sync(): Promise<void>;
  /** Whether its last name was removed, so that written bytes are lost. */
  isRemoved(): boolean;
  /** Reads up to `into.length` bytes; returns how many, 0 at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): void;
}

export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other';
  readonly uid: number;
  /** Permission bits. */
  readonly mode: number;
  readonly sizeBytes: number;
  /** By the clock of the file server. */
  readonly modifiedMs: number;
}

/**
 * The file system as the spool uses it; tests give one that loses unsynced writes. Folders are made 0700, files 0600.
 */
export interface SpoolFs {
  /** Creates a file for writing and reading; EEXIST when it exists. */
  create(path: string): SpoolFile;
  open(path: string): Promise<SpoolFile>;
  /** Facts about the path itself (a symbolic link is `other`); undefined when nothing is there. */
  stat(path: string): Promise<FileFacts | undefined>;
  list(folder: string): Promise<string[]>;
  makeFolder(path: string): Promise<void>;
  /** Creates the folder and the missing ones above it. */
  makeFolders(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(file: string): Promise<void>;
  removeFolder(emptyFolder: string): Promise<void>;
  /** Makes the changes to the folder's names durable. */
  syncFolder(path: string): Promise<void>;
  /** Sets the file's modification time by the clock of the file server; creates the file if it is missing. */
  touch(path: string): Promise<void>;
}

/** Removes a file if it is there and can be removed. */
export async function removeQuietly(fs: SpoolFs, path: string): Promise<void> {
  await fs.remove(path).catch(() => undefined);
}
