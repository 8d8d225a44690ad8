const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;

/** Finds where a JSON value ends, also if its bytes come in pieces. It looks at quotes and brackets alone. */
export class JsonEnd {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #hasBegun = false;

  /** The index behind the value; -1 when these bytes do not hold its end: call it again with those that follow. */
  find(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#isInText = false;
          if (this.#depth === 0) return at + 1;
        }
      } else if (this.#isEnd(byte)) {
        return isBracket(byte) && this.#depth === 0 && this.#hasBegun ? at + 1 : at;
      }
    }
    return -1;
  }

  /** Whether the value ends at this byte, or before it. */
  #isEnd(byte: number): boolean {
    switch (byte) {
      case QUOTE:
        this.#isInText = true;
        return false;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.#depth += 1;
        this.#hasBegun = true;
        return false;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        // One that nothing has opened ends what is around a number.
        if (this.#depth === 0) return true;
        this.#depth -= 1;
        return this.#depth === 0;
      case COMMA:
        return this.#depth === 0;
      default:
        return false;
    }
  }
}

function isBracket(byte: number): boolean {
  return byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
}
