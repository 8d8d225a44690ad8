import { createHash } from 'node:crypto';

export const HEAD_BYTES = 1024;
export const TAIL_BYTES = 256;
const HASH_CHARS = 22;

/** Length and hash of a piece of a file. */
interface PieceMark {
  readonly length: number;
  readonly hash: string;
}

/** Marks that tell one content from another: the beginning of the file, and the bytes before the offset. */
export interface FingerprintMarks {
  readonly head: PieceMark;
  readonly tail: PieceMark;
}

/** Marks the bytes of one file that were read: the first KiB (less if the file is shorter), and the last 256 bytes. */
export class ContentFingerprint {
  /** Kept only until it is full: after that its mark is enough. */
  #head: Uint8Array = new Uint8Array(0);
  #headMark: PieceMark | undefined;
  #tail: Uint8Array = new Uint8Array(0);

  /** `head` and `tail` were just read again from the file. */
  static resume(head: Uint8Array, tail: Uint8Array): ContentFingerprint {
    const fingerprint = new ContentFingerprint();
    fingerprint.append(head);
    fingerprint.#tail = new Uint8Array(tail);
    return fingerprint;
  }

  get headLength(): number {
    return this.#headMark?.length ?? this.#head.length;
  }

  /** The bytes before the offset. */
  get tail(): Uint8Array {
    return this.#tail;
  }

  append(bytes: Uint8Array): void {
    if (this.#headMark === undefined && this.#head.length < HEAD_BYTES) {
      this.#head = joinBytes(this.#head, bytes.subarray(0, HEAD_BYTES - this.#head.length));
      if (this.#head.length === HEAD_BYTES) {
        this.#headMark = markPiece(this.#head);
        this.#head = new Uint8Array(0);
      }
    }
    const kept = Math.max(0, TAIL_BYTES - bytes.length);
    this.#tail = joinBytes(
      kept === 0 ? this.#tail.subarray(0, 0) : this.#tail.subarray(-kept),
      bytes.subarray(Math.max(0, bytes.length - TAIL_BYTES))
    );
  }

  /** Whether a file with this beginning can be the same. */
  matchesHead(head: Uint8Array): boolean {
    if (this.#headMark === undefined) return Buffer.compare(this.#head, head) === 0;
    return isPiece(this.#headMark, head);
  }

  /** The fingerprint as of now, for an offset `bytes` before the present one. The head may reach beyond that offset. */
  snapshot(): (bytes: number) => FingerprintMarks {
    const [headMark, head, tail] = [this.#headMark, this.#head, this.#tail];
    return (bytes) => ({
      head: headMark ?? markPiece(head),
      tail: markPiece(tail.subarray(0, Math.max(0, tail.length - bytes))),
    });
  }
}

export function isPiece(mark: PieceMark, bytes: Uint8Array): boolean {
  return bytes.length === mark.length && hashBytes(bytes) === mark.hash;
}

/** Copies into memory of its own: a small Buffer would keep the whole pool alive of which it is a part. */
function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

function markPiece(bytes: Uint8Array): PieceMark {
  return { length: bytes.length, hash: hashBytes(bytes) };
}

function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, HASH_CHARS);
}
