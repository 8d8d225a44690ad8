import type { InvalidLine, TranslatedPoints } from './translated-points.js';
import type { WriteFault } from './write-request.js';

/**
 * A request with more lines that are not points is not read on: it is no line protocol, and takes time from the others.
 */
const MAX_REFUSED_LINES = 10_000;
/** The most bytes of refused lines that one request keeps. */
const MAX_KEPT_BYTES = 1 << 20;
/** The most lines that the answer names. */
const MAX_NAMED = 10;

/** The lines of one request that are not points, and the answer about them. */
export class RefusedLines {
  #points = 0;
  #lines = 0;
  #keptBytes = 0;
  readonly #named: string[] = [];

  /** The number of bytes that may still be kept. */
  get room(): number {
    return MAX_KEPT_BYTES - this.#keptBytes;
  }

  get areTooMany(): boolean {
    return this.#lines > MAX_REFUSED_LINES;
  }

  add({ points, invalid, invalidLines, invalidBytes }: TranslatedPoints): void {
    this.#points += points;
    this.#lines += invalidLines;
    this.#keptBytes += invalidBytes;
    this.#named.push(...invalid.slice(0, MAX_NAMED - this.#named.length).map(describe));
  }

  /** The answer in the form of InfluxDB 1.x; undefined without refused lines. */
  describe(): WriteFault | undefined {
    if (this.#lines === 0) return undefined;
    const more = this.#lines - this.#named.length;
    const found = [
      ...this.#named,
      ...(more > 0 ? [`and ${more} more lines that are not valid points`] : []),
      ...(this.areTooMany ? ['so many that the rest of the body was not read'] : []),
    ].join('\n');
    const message = this.#points === 0 ? found : `partial write: ${found} dropped=0`;
    return { status: 400, code: 'invalid', message };
  }
}

function describe({ line, lineBytes, reason }: InvalidLine): string {
  const cut = line.length === lineBytes ? '' : ` (the first ${line.length} of its ${lineBytes} bytes)`;
  return `unable to parse '${line.toString()}'${cut}: ${reason}`;
}
