/**
 * JSON read as it was printed, for lines that JSON.parse would change: it orders integer-like keys, rounds integers beyond 2^53,
 * makes Infinity of 1e400 and 0 of -0, and refuses NaN. Objects become Maps in printed order, a key that comes twice keeps its last value.
 */

/** A bare word or number that a double does not carry as printed. */
export class PrintedNumber {
  constructor(readonly text: string) {}
}

export type PrintedValue =
  string | number | boolean | null | PrintedNumber | readonly PrintedValue[] | ReadonlyMap<string, PrintedValue>;

/** Reads one JSON value from a text that is known to be valid but for bare NaN, Infinity and -Infinity. */
export function readPrintedJson(text: string): PrintedValue {
  return new Reader(text).readValue();
}

/** Whether a number that JSON.parse made is surely the number as printed, or at least its nearest double with the sign kept. */
export function isExact(value: number): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER;
}

/** The value as compact JSON text, numbers that are not exact as they were printed. */
export function formatPrintedJson(value: PrintedValue): string {
  if (value instanceof PrintedNumber) {
    return value.text;
  }
  if (Array.isArray(value)) {
    return `[${(value as readonly PrintedValue[]).map(formatPrintedJson).join(',')}]`;
  }
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<string, PrintedValue>)];
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${formatPrintedJson(item)}`).join(',')}}`;
  }
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}

class Reader {
  #position = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  readValue(): PrintedValue {
    this.#skipSpace();
    switch (this.#text[this.#position]) {
      case '{':
        return this.#readObject();
      case '[':
        return this.#readArray();
      case '"':
        return this.#readString();
      default:
        return this.#readWord();
    }
  }

  #readObject(): ReadonlyMap<string, PrintedValue> {
    const entries = new Map<string, PrintedValue>();
    this.#position += 1;
    while (!this.#skipTo('}')) {
      const key = this.#readString();
      this.#skipSpace();
      this.#position += 1; // the colon
      entries.set(key, this.readValue());
    }
    return entries;
  }

  #readArray(): PrintedValue[] {
    const items: PrintedValue[] = [];
    this.#position += 1;
    while (!this.#skipTo(']')) {
      items.push(this.readValue());
    }
    return items;
  }

  #readString(): string {
    const start = this.#position;
    const end = findStringEnd(this.#text, start);
    this.#position = end;
    return JSON.parse(this.#text.slice(start, end)) as string;
  }

  #readWord(): PrintedValue {
    const start = this.#position;
    while (this.#position < this.#text.length && !/[\s,\]}]/.test(this.#text.charAt(this.#position))) {
      this.#position += 1;
    }
    const word = this.#text.slice(start, this.#position);
    switch (word) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'null':
        return null;
      default:
        return readNumber(word);
    }
  }

  /** Passes space and a comma; true when the closing bracket came, which it passes too. */
  #skipTo(closing: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#position] === ',') {
      this.#position += 1;
      this.#skipSpace();
    }
    if (this.#text[this.#position] !== closing) {
      return false;
    }
    this.#position += 1;
    return true;
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text.charAt(this.#position))) {
      this.#position += 1;
    }
  }
}

/** Position behind the string that begins at `start`. */
export function findStringEnd(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') {
    i += text[i] === '\\' ? 2 : 1;
  }
  return i + 1;
}

/** 2^53 is exact, but what is parsed to it need not be: 2^53 + 1 is too. */
const TWO_TO_53 = /^-?9007199254740992$/;

function readNumber(word: string): number | PrintedNumber {
  const value = Number(word);
  if (isExact(value) || TWO_TO_53.test(word)) {
    return value;
  }
  // A large number printed with a fraction or an exponent is a float by its printer's will.
  return Number.isFinite(value) && /[.eE]/.test(word) ? value : new PrintedNumber(word);
}
