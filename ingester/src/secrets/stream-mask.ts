import { listSequences, MASK, type Secret } from './secret.js';

/** The most bytes of sequences inside a secret: nobody prints one with more colours. */
const MAX_SEQUENCE_BYTES = 2048;
/** The longest way to print a byte is `\\u0041`. */
const MAX_ESCAPED_BYTES = 6;
/** Fewer bytes of a secret reveal almost nothing. */
const MIN_TELLING_BYTES = 4;

const NOTHING = Buffer.alloc(0);
const MASK_BYTES = Buffer.from(MASK);

/** The place of a secret. */
interface Span {
  readonly start: number;
  end: number;
}

/**
 * Replaces secrets by `***` in one stream of bytes, cut anywhere. Bytes that may begin a secret are held back until
 * that is certain, so no part of a secret reaches the spool or anybody else. It sees the bytes as they are printed: a
 * secret that a program puts together by moving the cursor is found in the rows.
 */
export class StreamMask {
  readonly #secrets: readonly Secret[];
  readonly #longestBytes: number;
  #held: Buffer = NOTHING;
  /** The number of held bytes that belong to a secret already masked, which overlaps with one that they may begin. */
  #masked = 0;

  constructor(secrets: readonly Secret[]) {
    this.#secrets = secrets;
    this.#longestBytes = Math.max(...secrets.map(({ bytes }) => bytes.length));
  }

  /** Takes bytes and returns those that are not held back, valid as long as `chunk` is. */
  take(chunk: Uint8Array): Uint8Array {
    const fresh = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, fresh]) : fresh;
    const text = bytes.toString('latin1');
    return this.#mask(bytes, text, this.#findHeld(text));
  }

  /** Ends the stream: the rest was not a secret. */
  end(): Uint8Array {
    return this.#mask(this.#held, this.#held.toString('latin1'), this.#held.length);
  }

  /** The number of bytes that were not handed on yet. */
  get heldBytes(): number {
    return this.#held.length - this.#masked;
  }

  get heldText(): string {
    return this.#held.toString('latin1', this.#masked);
  }

  /**
   * Ends the page, so that the next bytes belong to another one. If more than a few characters of a secret are held,
   * they are masked like a whole one.
   */
  endPage(): Uint8Array {
    if (this.heldBytes < MIN_TELLING_BYTES) return this.end();
    this.#held = NOTHING;
    this.#masked = 0;
    return MASK_BYTES;
  }

  /** Masks the bytes before `heldFrom`, and holds the rest. `text`: the bytes in latin1. */
  #mask(bytes: Buffer, text: string, heldFrom: number): Uint8Array {
    const parts: Buffer[] = [];
    let at = this.#masked;
    for (const { start, end } of this.#findSpans(text)) {
      if (start >= heldFrom) break;
      if (start >= at) parts.push(bytes.subarray(at, start), MASK_BYTES);
      if (end > at) parts.push(Buffer.from(listSequences(text.slice(Math.max(start, at), end)), 'latin1'));
      at = Math.max(at, end);
    }
    const isWhole = parts.length === 0 && at === 0;
    if (at < heldFrom) parts.push(bytes.subarray(at, heldFrom));
    this.#masked = Math.max(0, at - heldFrom);
    this.#held = heldFrom < bytes.length ? Buffer.from(bytes.subarray(heldFrom)) : NOTHING;
    return isWhole ? bytes.subarray(0, heldFrom) : Buffer.concat(parts);
  }

  /** The place from which the text may be the beginning of a secret. */
  #findHeld(text: string): number {
    const lineStart = text.lastIndexOf('\n') + 1;
    const from = Math.max(lineStart, text.length - MAX_SEQUENCE_BYTES - MAX_ESCAPED_BYTES * this.#longestBytes);
    let held = text.length;
    for (const secret of this.#secrets) {
      for (const start of secret.findStarts(text, true, from)) {
        if (secret.match(text, start) === 'partial') held = Math.min(held, start);
      }
    }
    return held;
  }

  /** In order of their starts; spans may overlap. */
  #findSpans(text: string): readonly Span[] {
    // Without these characters, a secret can only be there byte for byte.
    const isSpecial = text.includes('\x1b') || text.includes('\\');
    return this.#secrets.flatMap((secret) => findSpans(text, secret, isSpecial)).sort((a, b) => a.start - b.start);
  }
}

function findSpans(text: string, secret: Secret, isSpecial: boolean): Span[] {
  const spans: Span[] = [];
  for (const start of secret.findStarts(text, isSpecial)) {
    const end = secret.match(text, start);
    if (typeof end !== 'number') continue;
    const last = spans.at(-1);
    // A long line may hold a secret like `aaaaaaaa` at every place.
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}
