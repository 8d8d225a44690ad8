import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '../make-folders.js';
import type { Reporter } from '../report.js';

const NEWLINE = 0x0a;

/** Points that the store rejected, kept in a file of line protocol with the reasons as comments. */
export interface DeadLetters {
  readonly count: number;
  /** Adds one point: line protocol, with or without the newline that ends it. */
  keep(point: Uint8Array, reason: string): Promise<void>;
}

/** Keeps rejected points in the file at `path` (made when needed, for its owner only) and says so once. */
export function createDeadLetters(path: string, report: Reporter): DeadLetters {
  let count = 0;
  let isBroken = false;

  async function append(bytes: Uint8Array): Promise<void> {
    await makeFolders(dirname(path));
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
    const file = await open(path, flags, 0o600);
    try {
      await file.appendFile(bytes);
    } finally {
      await file.close();
    }
  }

  return {
    get count() {
      return count;
    },
    async keep(point, reason) {
      count += 1;
      const oneLineReason = reason.replace(/\s+/g, ' ').slice(0, 500);
      try {
        const end = point.at(-1) === NEWLINE ? '' : '\n';
        await append(Buffer.concat([Buffer.from(`# ${oneLineReason}\n`), point, Buffer.from(end)]));
        if (count === 1)
          report.warn(`InfluxDB rejected a point: ${oneLineReason}; it and any further ones are kept in ${path}`);
      } catch (error) {
        if (isBroken) return;
        isBroken = true;
        const found = error instanceof Error ? error.message : String(error);
        report.error(`rejected points cannot be kept in ${path}: ${found}; give another file with --rejected`);
      }
    },
  };
}
