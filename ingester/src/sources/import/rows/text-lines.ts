const LF = 0x0a;
const CR = 0x0d;
/** A longer line is no row of anything; it is left out, and takes no more memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** A line without its end; undefined text: it is too long. */
export interface TextLine {
  readonly text: string | undefined;
  /** Counted from 1. */
  readonly number: number;
}

/** Cuts the bytes of a file into lines. */
export class TextLines {
  readonly #decoder = new TextDecoder();
  #rest: Buffer[] = [];
  #restBytes = 0;
  #number = 0;

  *add(chunk: Buffer): Generator<TextLine> {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      yield this.#toLine(chunk.subarray(from, end));
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  *end(): Generator<TextLine> {
    if (this.#restBytes > 0) yield this.#toLine(Buffer.alloc(0));
  }

  #toLine(end: Buffer): TextLine {
    this.#number += 1;
    const isLong = this.#restBytes + end.length > MAX_LINE_BYTES;
    const line = this.#rest.length === 0 ? end : Buffer.concat([...this.#rest, end]);
    this.#rest = [];
    this.#restBytes = 0;
    if (isLong) return { text: undefined, number: this.#number };
    const length = line.at(-1) === CR ? line.length - 1 : line.length;
    return { text: this.#decoder.decode(line.subarray(0, length)), number: this.#number };
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    if (this.#restBytes <= MAX_LINE_BYTES) this.#rest.push(Buffer.from(part));
    this.#restBytes += part.length;
  }
}
