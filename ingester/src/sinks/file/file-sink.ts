import { type FileHandle, open } from 'node:fs/promises';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { FdWriter } from '../../host/fd-writer.js';
import { describeFileError } from '../../host/file-error.js';
import { type Sink, SUCCESS } from '../sink.js';

/** Appends line protocol to a file. The error is one line for the user. */
export async function openFileSink(path: string): Promise<Result<Sink, string>> {
  let file: FileHandle;
  try {
    file = await open(path, 'a', 0o600);
  } catch (error) {
    return err(
      `cannot write to ${path}: ${describeFileError(error)}; give a file in a folder that exists and is yours with --out`
    );
  }
  return ok({
    async write({ bytes }) {
      try {
        await file.appendFile(bytes);
        return SUCCESS;
      } catch (error) {
        const message = `cannot write to ${path}: ${describeFileError(error)}; points wait`;
        return { kind: 'retryable', message, isHeld: true };
      }
    },
    close: () => file.close(),
  });
}

/**
 * Writes line protocol to a descriptor (`--out -`). When its reader has gone the points are lost, as with any program.
 */
export function createFdSink(writer: FdWriter): Sink {
  return {
    async write({ bytes }) {
      await writer.write(bytes);
      return SUCCESS;
    },
    close: () => Promise.resolve(),
  };
}
