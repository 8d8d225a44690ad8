import { writeSync } from 'node:fs';

const RETRY_MS = 5;

/** Writes all bytes, however few a pipe takes at once, and waits for its reader. Throws when that has gone. */
export function writeWhole(fd: number, bytes: Uint8Array): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(never, 0, 0, RETRY_MS);
    }
  }
}
