import { readFileSync, readdirSync } from 'node:fs';

/** What is read of /proc and /sys; tests give trees of their own. */
export interface SystemFiles {
  /** The text of a file; undefined when it cannot be read, as of a process that has just ended. */
  read(path: string): string | undefined;
  /** The names in a folder; none when it cannot be read. */
  list(path: string): readonly string[];
}

/** These files are made by the kernel when they are read, so nothing waits for a disk. */
export function createSystemFiles(): SystemFiles {
  return {
    read: (path) => attempt(() => readFileSync(path, 'latin1')),
    list: (path) => attempt(() => readdirSync(path)) ?? [],
  };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
