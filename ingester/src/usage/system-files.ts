import { listProcessFolder, readProcessText } from '../host/process-files.js';

/** What is read of /proc and /sys; tests give trees of their own. Both throw when nobody can tell. */
export interface SystemFiles {
  /** The text of a file; undefined when there is none, as of a process that has just ended, or it is another user's. */
  read(path: string): string | undefined;
  /** The names in a folder; none when there is none, or it is another user's. */
  list(path: string): readonly string[];
}

/** These files are made by the kernel when they are read, so nothing waits for a disk. */
export function createSystemFiles(): SystemFiles {
  return { read: readProcessText, list: listProcessFolder };
}
