import { write } from 'node:fs';
import { promisify } from 'node:util';
import { describeFileError } from './file-error.js';

const writeFd = promisify(write);
const RETRY_MS = 5;

/** Writes to a descriptor that other processes share. */
export interface FdWriter {
  /** Writes all bytes in order. False when the reader has gone or the descriptor cannot be written any more. */
  write(bytes: Uint8Array): Promise<boolean>;
}

/**
 * Writes without blocking the event loop and without making the descriptor non-blocking. Node's streams do that, and
 * then other programs that share the descriptor fail with EAGAIN. `onError` gets every error except a reader that has
 * gone.
 */
export function createFdWriter(fd: number, onError: (message: string) => void): FdWriter {
  let isClosed = false;

  async function writeAll(bytes: Uint8Array): Promise<void> {
    for (let offset = 0; offset < bytes.length;) {
      try {
        offset += (await writeFd(fd, bytes, offset, bytes.length - offset, null)).bytesWritten;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  return {
    async write(bytes) {
      if (isClosed) return false;
      try {
        await writeAll(bytes);
        return true;
      } catch (error) {
        isClosed = true;
        const isClosedByReader = (error as NodeJS.ErrnoException).code === 'EPIPE';
        if (!isClosedByReader) onError(`cannot write to descriptor ${fd}: ${describeFileError(error)}`);
        return false;
      }
    },
  };
}
