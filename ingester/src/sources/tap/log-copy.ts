import type { Readable } from 'node:stream';

export interface LogStream {
  write(bytes: Uint8Array): Promise<void>;
  end(): void;
}

/** Gives all that is read to the log, joining what has come since the last write. Resolves at the end. */
export async function logCopy(copy: Readable, log: LogStream): Promise<void> {
  for (;;) {
    const bytes = copy.read() as Buffer | null;
    if (bytes !== null) {
      await log.write(bytes);
    } else if (copy.readableEnded || copy.destroyed) {
      break;
    } else {
      await untilReadable(copy);
    }
  }
  log.end();
}

function untilReadable(copy: Readable): Promise<void> {
  return new Promise((resolve) => {
    const events = ['readable', 'end', 'close', 'error'] as const;
    const finish = (): void => {
      for (const event of events) copy.off(event, finish);
      resolve();
    };
    for (const event of events) copy.on(event, finish);
  });
}
