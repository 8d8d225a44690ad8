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
