import type { Secret } from './secret.js';
import { MASK } from './secret.js';

const ESC = 0x1b;
const BACKSLASH = 0x5c;
const LF = 0x0a;
/** The most bytes of sequences inside a secret: nobody prints one with more colours. */
const MAX_SEQUENCE_BYTES = 2048;
/** The longest way to print a byte is `\\u0041`. */
const MAX_ESCAPED_BYTES = 6;
/**
 * If the first byte of a secret occurs more often than once in this many bytes, checking each byte is faster than a
 * search.
 */
const SPARSE_BYTES = 96;
const SPARSE_FINDS = 16;

/** Fewer bytes of a secret reveal almost nothing. */
const MIN_TELLING_BYTES = 4;

const NOTHING = Buffer.alloc(0);
const MASK_BYTES = Buffer.from(MASK);
// eslint-disable-next-line no-control-regex -- control sequences are what it finds
const SEQUENCES = /\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[\x20-\x3f]*[\x40-\x7e]|[\x20-\x2f]*[\x30-\x7e])/g;

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
    return this.#mask(bytes, this.#findHeld(bytes));
  }

  /** Ends the stream: the rest was not a secret. */
  end(): Uint8Array {
    return this.#mask(this.#held, this.#held.length);
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

  /** Masks the bytes before `heldFrom`, and holds the rest. */
  #mask(bytes: Buffer, heldFrom: number): Uint8Array {
    const spans = this.#findSpans(bytes);
    const parts: Buffer[] = [];
    let at = this.#masked;
    for (const { start, end } of spans) {
      if (start >= heldFrom) break;
      if (start >= at) parts.push(bytes.subarray(at, start), MASK_BYTES);
      if (end > at) parts.push(listSequences(bytes, Math.max(start, at), end));
      at = Math.max(at, end);
    }
    const isWhole = parts.length === 0 && at === 0;
    if (at < heldFrom) parts.push(bytes.subarray(at, heldFrom));
    this.#masked = Math.max(0, at - heldFrom);
    this.#held = heldFrom < bytes.length ? Buffer.from(bytes.subarray(heldFrom)) : NOTHING;
    if (isWhole) return bytes.subarray(0, heldFrom);
    return Buffer.concat(parts);
  }

  /** The place from which the bytes may be the beginning of a secret. */
  #findHeld(bytes: Buffer): number {
    const lineStart = bytes.lastIndexOf(LF) + 1;
    let start = Math.max(lineStart, bytes.length - MAX_SEQUENCE_BYTES - MAX_ESCAPED_BYTES * this.#longestBytes);
    if (start === bytes.length) return start;
    if (!isSpecial(bytes.subarray(start))) start = Math.max(start, bytes.length - this.#longestBytes + 1);
    for (let at = start; at < bytes.length; at += 1) {
      for (const secret of this.#secrets) {
        if (secret.match(bytes, at).kind === 'partial') return at;
      }
    }
    return bytes.length;
  }

  /** In order of their starts; spans may overlap. */
  #findSpans(bytes: Buffer): readonly Span[] {
    const find = isSpecial(bytes) ? findPrinted : findPlain;
    const spans = this.#secrets.flatMap((secret) => find(bytes, secret));
    return spans.length > 1 ? spans.sort((a, b) => a.start - b.start) : spans;
  }
}

/** Whether a secret may be there in another form than byte for byte. */
function isSpecial(bytes: Buffer): boolean {
  return bytes.includes(ESC) || bytes.includes(BACKSLASH);
}

function findPlain(bytes: Buffer, secret: Secret): Span[] {
  const { length } = secret.bytes;
  const spans: Span[] = [];
  for (let start = bytes.indexOf(secret.bytes); start >= 0; start = bytes.indexOf(secret.bytes, start + 1)) {
    const last = spans.at(-1);
    // A long line may hold a secret like `aaaaaaaa` at every place.
    if (last !== undefined && start < last.end) last.end = start + length;
    else spans.push({ start, end: start + length });
  }
  return spans;
}

/** Finds the secret with control sequences inside it, or escaped as in JSON. */
function findPrinted(bytes: Buffer, secret: Secret): Span[] {
  const spans: Span[] = [];
  const add = (start: number): void => {
    const match = secret.match(bytes, start);
    if (match.kind !== 'whole') return;
    const last = spans.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, match.end);
    else spans.push({ start, end: match.end });
  };
  const { firstByte } = secret;
  let at = 0;
  if (!bytes.includes(BACKSLASH)) {
    for (let finds = 1; (at = bytes.indexOf(firstByte, at)) >= 0; finds += 1, at += 1) {
      add(at);
      if (finds > SPARSE_FINDS && at < finds * SPARSE_BYTES) break;
    }
    if (at < 0) return spans;
    at += 1;
  }
  for (; at < bytes.length; at += 1) {
    if (bytes[at] === firstByte || bytes[at] === BACKSLASH) add(at);
  }
  return spans;
}

/** Lists the sequences inside a secret: colours that it switches on hold behind it. */
function listSequences(bytes: Buffer, start: number, end: number): Buffer {
  const part = bytes.subarray(start, end);
  if (!part.includes(ESC)) return NOTHING;
  return Buffer.from((part.toString('latin1').match(SEQUENCES) ?? []).join(''), 'latin1');
}
