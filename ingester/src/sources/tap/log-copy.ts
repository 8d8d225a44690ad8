import type { OutputCopy } from './output-copy.js';

export interface LogStream {
  write(bytes: Uint8Array): Promise<void>;
  end(): void;
}

/** Gives all that is read to the log. Resolves at the end. */
export async function logCopy(copy: OutputCopy, log: LogStream): Promise<void> {
  for (let bytes = await copy.take(); bytes !== undefined; bytes = await copy.take()) await log.write(bytes);
  log.end();
}
