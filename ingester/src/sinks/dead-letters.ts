import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '../host/make-folders.js';
import { LatelySaid } from '../host/lately-said.js';
import type { Reporter } from '../host/report.js';

const NEWLINE = 0x0a;
const MAX_REASON_CHARS = 500;

/** A point that is not stored, and the reason. */
export interface DeadLetter {
  /** Line protocol, with or without the newline that ends it. */
  readonly point: Uint8Array;
  readonly reason: string;
  /** The size of the whole point, if `point` is only its beginning. */
  readonly wholeBytes?: number;
}

/** Keeps points that are not stored in a file of line protocol, with the reasons as comments. */
export interface DeadLetters {
  readonly count: number;
  keep(letters: readonly DeadLetter[]): Promise<void>;
}

interface DeadLetterOptions {
  /** Created when needed, for its owner only. */
  readonly path: string;
  readonly report: Reporter;
  /** The beginning of the one message about the first point: what happened. */
  readonly what?: string;
  /**
   * The file never grows beyond this, even over restarts. Further points are only counted, which one message reports.
   */
  readonly maxFileBytes?: number;
  readonly monotonicMs?: () => number;
}

/** Creates the keeper of points in a file. It reports the first of them, and one now and then. */
export function createDeadLetters({
  path,
  report,
  what = 'InfluxDB rejected a point',
  maxFileBytes = Infinity,
  monotonicMs = () => performance.now(),
}: DeadLetterOptions): DeadLetters {
  let count = 0;
  const said = new LatelySaid(monotonicMs);
  let isFull = false;

  async function append(letters: readonly DeadLetter[]): Promise<void> {
    await makeFolders(dirname(path));
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
    const file = await open(path, flags, 0o600);
    try {
      const texts = await takeFitting(file, letters.map(formatLetter));
      if (texts.length > 0) await file.appendFile(Buffer.concat(texts));
    } finally {
      await file.close();
    }
  }

  /** The texts for which there is room. */
  async function takeFitting(file: FileHandle, texts: readonly Buffer[]): Promise<readonly Buffer[]> {
    if (maxFileBytes === Infinity) return texts;
    let { size } = await file.stat();
    const fitting = texts.filter((text) => {
      if (size + text.length > maxFileBytes) return false;
      size += text.length;
      return true;
    });
    if (fitting.length < texts.length && !isFull) {
      report.warn(`${path} is large enough: further ones are only counted; move the file away to keep them again`);
    }
    isFull = fitting.length < texts.length;
    return fitting;
  }

  return {
    get count() {
      return count;
    },
    async keep(letters) {
      const [first] = letters;
      if (first === undefined) return;
      count += letters.length;
      try {
        await append(letters);
        if (said.isNews('kept'))
          report.warn(`${what}: ${formatReason(first)}; it and any further ones are kept in ${path}`);
      } catch (error) {
        if (!said.isNews('broken')) return;
        const found = error instanceof Error ? error.message : String(error);
        report.error(`rejected points cannot be kept in ${path}: ${found}; give another file with --rejected`);
      }
    },
  };
}

/** A mere beginning becomes a comment too: as a line it might be another point. */
function formatLetter(letter: DeadLetter): Buffer {
  const { point, wholeBytes } = letter;
  const head = Buffer.from(`# ${formatReason(letter)}\n${wholeBytes === undefined ? '' : '# '}`);
  const end = Buffer.from(point.at(-1) === NEWLINE ? '' : '\n');
  const text = wholeBytes === undefined ? point : Buffer.from(point).map((byte) => (byte === NEWLINE ? 0x20 : byte));
  return Buffer.concat([head, text, end]);
}

/** Formats the reason on one line. */
function formatReason({ point, reason, wholeBytes }: DeadLetter): string {
  const text = reason.replace(/\s+/g, ' ').slice(0, MAX_REASON_CHARS);
  return wholeBytes === undefined
    ? text
    : `${text} (kept: the first ${point.length} of the ${wholeBytes} bytes that came)`;
}
