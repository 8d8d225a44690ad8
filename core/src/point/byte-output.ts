const FIRST_SIZE = 65_536;

/** Bytes to be appended to. `bytes` holds `length` of them; it is another array after `reserve` had to make room. */
export class ByteOutput {
  bytes: Uint8Array;
  length = 0;
  readonly #allocate: (size: number) => Uint8Array;

  /** `allocate` makes the arrays (`Buffer.allocUnsafe` where there is one), the first of them of `firstSize` bytes. */
  constructor(allocate: (size: number) => Uint8Array = (size) => new Uint8Array(size), firstSize = FIRST_SIZE) {
    this.#allocate = allocate;
    this.bytes = allocate(firstSize);
  }

  /** Makes room for `count` bytes more. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) {
      return;
    }
    const larger = this.#allocate(Math.max(this.bytes.length * 2, this.length + count));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

/** `set` takes 15 ns however long the array is; a shorter one is copied faster by a loop. */
const MIN_SET_LENGTH = 12;

/** Copies all of `source` to where `at` is, and returns where it ends there. */
export function putBytes(target: Uint8Array, at: number, source: Uint8Array): number {
  if (source.length >= MIN_SET_LENGTH) {
    target.set(source, at);
    return at + source.length;
  }
  return putRange(target, at, source, 0, source.length);
}

/** Copies codes of ASCII characters from `start` to before `end`, and returns where that ends in `target`. */
export function putRange(
  target: Uint8Array,
  at: number,
  source: Uint8Array | Uint16Array,
  start: number,
  end: number
): number {
  let to = at;
  for (let from = start; from < end; from += 1) {
    target[to] = source[from] ?? 0;
    to += 1;
  }
  return to;
}

/** Writes a text of ASCII characters, and returns where it ends. */
export function putAscii(target: Uint8Array, at: number, text: string): number {
  for (let i = 0; i < text.length; i += 1) {
    target[at + i] = text.charCodeAt(i);
  }
  return at + text.length;
}
