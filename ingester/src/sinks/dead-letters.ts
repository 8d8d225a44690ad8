import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '../make-folders.js';
import type { Reporter } from '../report.js';

const NEWLINE = 0x0a;
const MAX_REASON_CHARS = 500;

/** A point that is not stored, and why. */
export interface DeadLetter {
  /** Line protocol, with or without the newline that ends it. */
  readonly point: Uint8Array;
  readonly reason: string;
}

/** Points that are not stored, kept in a file of line protocol with the reasons as comments. */
export interface DeadLetters {
  readonly count: number;
  keep(letters: readonly DeadLetter[]): Promise<void>;
}

/**
 * Keeps points in the file at `path` (made when needed, for its owner only) and says so once, in a message that begins with `what` happened.
 */
export function createDeadLetters(path: string, report: Reporter, what = 'InfluxDB rejected a point'): DeadLetters {
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
    async keep(letters) {
      const [first] = letters;
      if (first === undefined) return;
      const isFirst = count === 0;
      count += letters.length;
      try {
        await append(Buffer.concat(letters.flatMap(formatLetter)));
        if (isFirst) report.warn(`${what}: ${formatReason(first.reason)}; it and any further ones are kept in ${path}`);
      } catch (error) {
        if (isBroken) return;
        isBroken = true;
        const found = error instanceof Error ? error.message : String(error);
        report.error(`rejected points cannot be kept in ${path}: ${found}; give another file with --rejected`);
      }
    },
  };
}

function formatLetter({ point, reason }: DeadLetter): Uint8Array[] {
  const end = point.at(-1) === NEWLINE ? '' : '\n';
  return [Buffer.from(`# ${formatReason(reason)}\n`), point, Buffer.from(end)];
}

/** On one line. */
function formatReason(reason: string): string {
  return reason.replace(/\s+/g, ' ').slice(0, MAX_REASON_CHARS);
}
