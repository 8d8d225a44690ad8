/**
 * JSON read as it was printed, for lines that JSON.parse would change. JSON.parse moves integer-like keys to the front,
 * rounds integers beyond 2^53, turns 1e400 into Infinity and -0 into 0, and refuses NaN. Here, objects become Maps in
 * printed order; a key that comes twice keeps its last value.
 */

/** A bare word or number that a double does not carry as printed. */
export class PrintedNumber {
  constructor(readonly text: string) {}
}

export type PrintedValue =
  string | number | boolean | null | PrintedNumber | readonly PrintedValue[] | ReadonlyMap<string, PrintedValue>;

/** Reads one JSON value from a text that is valid except for bare NaN, Infinity and -Infinity. */
export function readPrintedJson(text: string): PrintedValue {
  return new Reader(text).readValue();
}

/** Whether a number from JSON.parse is surely the printed number, or at least its nearest double with the same sign. */
export function isExact(value: number): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER;
}

/** The value as compact JSON text. Numbers that a double does not carry exactly stay as printed. */
export function formatPrintedJson(value: PrintedValue): string {
  return format(value, undefined);
}

/** The same with each member in a line of its own, as `JSON.stringify(value, null, 2)` has it. */
export function formatIndentedJson(value: PrintedValue): string {
  return format(value, '\n');
}

/** `margin`: a line feed and the indent of the value; undefined where all is in one line. */
function format(value: PrintedValue, margin: string | undefined): string {
  if (value instanceof PrintedNumber) {
    return value.text;
  }
  const inner = margin === undefined ? undefined : `${margin}  `;
  if (Array.isArray(value)) {
    const items = value as readonly PrintedValue[];
    return join(
      '[',
      items.map((item) => format(item, inner)),
      ']',
      margin,
      inner
    );
  }
  if (value instanceof Map) {
    const colon = margin === undefined ? ':' : ': ';
    const entries = [...(value as ReadonlyMap<string, PrintedValue>)];
    const items = entries.map(([key, item]) => JSON.stringify(key) + colon + format(item, inner));
    return join('{', items, '}', margin, inner);
  }
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}

function join(open: string, items: readonly string[], close: string, margin = '', inner = ''): string {
  return items.length === 0 ? open + close : open + inner + items.join(`,${inner}`) + margin + close;
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
        return readPrintedNumber(word);
    }
  }

  /** Skips space and a comma. True if the closing bracket came; then it is skipped, too. */
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

/** Position after the string that begins at `start`. */
export function findStringEnd(text: string, start: number): number {
  const quote = text[start];
  let i = start + 1;
  while (i < text.length && text[i] !== quote) {
    i += text[i] === '\\' ? 2 : 1;
  }
  return i + 1;
}

/** 2^53 itself is exact, but 2^53 + 1 is parsed to it as well. */
const TWO_TO_53 = /^-?9007199254740992$/;

/** A printed number: itself if a double carries it, else its text. */
export function readPrintedNumber(word: string): number | PrintedNumber {
  const value = Number(word);
  if (isExact(value) || TWO_TO_53.test(word)) {
    return value;
  }
  // Whoever prints a large number with a fraction or an exponent means a float.
  return Number.isFinite(value) && /[.eE]/.test(word) ? value : new PrintedNumber(word);
}
