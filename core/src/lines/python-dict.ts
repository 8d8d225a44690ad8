import { flattenObject } from '../metadata/flatten.js';
import { formatPrintedJson, PrintedNumber, type PrintedValue, readPrintedNumber } from '../json/printed-json.js';
import { toWellFormed } from '../point/utf8.js';
import type { MetadataRow, NonfiniteOption } from '../table/metadata-row.js';

/** Nobody prints a dict nested deeper than this; such a line stays a log line. */
const MAX_DEPTH = 100;

/**
 * The row of a line that is one literal of a Python dict and nothing else: strings, numbers, True, False, None, and
 * dicts, lists and tuples of these. The words of JSON are taken for those of Python. It is read, never evaluated. `nan`
 * and `inf` count as `nonfinite` says. Undefined for any other line, and for an empty dict.
 */
export function parsePythonDict(line: string, nonfinite: NonfiniteOption): MetadataRow | undefined {
  if (!/^\{[ '"]/.test(line) || line.charCodeAt(line.length - 1) !== 0x7d) {
    return undefined;
  }
  const reader = new LiteralReader(line, nonfinite);
  const value = reader.readWhole();
  if (!(value instanceof Map) || value.size === 0) {
    return undefined;
  }
  const row = flattenObject(value as ReadonlyMap<string, PrintedValue>).row;
  return line.includes('\\') ? toWellFormedRow(row) : row;
}

const WORDS: ReadonlyMap<string, PrintedValue> = new Map<string, PrintedValue>([
  ...([
    ['True', true],
    ['False', false],
    ['None', null],
  ] as const),
  ...([
    ['true', true],
    ['false', false],
    ['null', null],
  ] as const),
]);
const NONFINITE_WORDS: ReadonlyMap<string, string> = new Map([
  ...([
    ['nan', 'NaN'],
    ['inf', 'Infinity'],
    ['-nan', 'NaN'],
    ['-inf', '-Infinity'],
  ] as const),
  ...([
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['-Infinity', '-Infinity'],
  ] as const),
]);
const NUMBER = /[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /-?[A-Za-z]+(?![\w.])/y;
/** The characters of a string up to its quote, a backslash or the end of the line. */
const PLAIN = { "'": /[^'\\]*/y, '"': /[^"\\]*/y } as const;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  ...{ '\\': '\\', "'": "'", '"': '"', a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Thrown and caught in this file alone. */
class NotLiteral extends Error {}

class LiteralReader {
  readonly #text: string;
  readonly #nonfinite: NonfiniteOption;
  #at = 0;
  #depth = 0;

  constructor(text: string, nonfinite: NonfiniteOption) {
    this.#text = text;
    this.#nonfinite = nonfinite;
  }

  /** Undefined where the text is not one literal. */
  readWhole(): PrintedValue | undefined {
    try {
      const value = this.#readValue();
      return this.#at === this.#text.length ? value : undefined;
    } catch (error) {
      if (error instanceof NotLiteral) {
        return undefined;
      }
      throw error;
    }
  }

  #readValue(): PrintedValue {
    const char = this.#text.charAt(this.#at);
    switch (char) {
      case '{':
        return this.#nest(() => this.#readDict());
      case '[':
        return this.#nest(() => this.#readItems(']').items);
      case '(':
        return this.#nest(() => this.#readTuple());
      case "'":
      case '"':
        return this.#readString(char);
      default:
        return this.#readScalar();
    }
  }

  #nest(read: () => PrintedValue): PrintedValue {
    this.#depth += 1;
    // Such a line stays a log line.
    if (this.#depth > MAX_DEPTH) {
      throw new NotLiteral();
    }
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #readDict(): ReadonlyMap<string, PrintedValue> {
    const entries = new Map<string, PrintedValue>();
    this.#readList('}', () => {
      const key = this.#readValue();
      this.#skipSpace();
      this.#expect(':');
      this.#skipSpace();
      entries.set(typeof key === 'string' ? key : formatPrintedJson(key), this.#readValue());
    });
    return entries;
  }

  /** `(1)` is a number in brackets, not a tuple. */
  #readTuple(): PrintedValue {
    const { items, hasComma } = this.#readItems(')');
    const [first] = items;
    return items.length === 1 && !hasComma && first !== undefined ? first : items;
  }

  #readItems(closing: string): { readonly items: readonly PrintedValue[]; readonly hasComma: boolean } {
    const items: PrintedValue[] = [];
    const hasComma = this.#readList(closing, () => items.push(this.#readValue()));
    return { items, hasComma };
  }

  /** Reads up to the closing bracket; true if a comma came. */
  #readList(closing: string, readItem: () => void): boolean {
    let hasComma = false;
    this.#at += 1;
    this.#skipSpace();
    while (this.#text[this.#at] !== closing) {
      readItem();
      this.#skipSpace();
      if (this.#text[this.#at] === closing) {
        break;
      }
      this.#expect(',');
      hasComma = true;
      this.#skipSpace();
    }
    this.#at += 1;
    return hasComma;
  }

  #readString(quote: "'" | '"'): string {
    this.#at += 1;
    let value = this.#take(PLAIN[quote]);
    while (this.#text[this.#at] === '\\') {
      value += this.#readEscape();
      value += this.#take(PLAIN[quote]);
    }
    this.#expect(quote);
    return value;
  }

  #readEscape(): string {
    const char = this.#text.charAt(this.#at + 1);
    const simple = SIMPLE_ESCAPES[char];
    if (simple !== undefined) {
      this.#at += 2;
      return simple;
    }
    const octal = /^[0-7]{1,3}/.exec(this.#text.slice(this.#at + 1, this.#at + 4))?.[0];
    if (octal !== undefined) {
      this.#at += 1 + octal.length;
      return String.fromCharCode(parseInt(octal, 8));
    }
    const digits = HEX_DIGITS[char];
    const hex = digits === undefined ? '' : this.#text.slice(this.#at + 2, this.#at + 2 + digits);
    if (digits === undefined || hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex) || parseInt(hex, 16) > 0x10_ffff) {
      // Python keeps an unknown escape as it is, but never prints one.
      throw new NotLiteral();
    }
    this.#at += 2 + digits;
    return String.fromCodePoint(parseInt(hex, 16));
  }

  #readScalar(): PrintedValue {
    const number = this.#take(NUMBER);
    if (number !== '') {
      return readPrintedNumber(number.startsWith('+') ? number.slice(1) : number);
    }
    const word = this.#take(WORD);
    const value = WORDS.get(word);
    const nonfinite = NONFINITE_WORDS.get(word);
    if (value !== undefined) {
      return value;
    }
    if (nonfinite === undefined || this.#nonfinite === 'log') {
      throw new NotLiteral();
    }
    return new PrintedNumber(nonfinite);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #expect(char: string): void {
    if (this.#text[this.#at] !== char) {
      throw new NotLiteral();
    }
    this.#at += 1;
  }

  #skipSpace(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') {
      this.#at += 1;
    }
  }
}

function toWellFormedRow(row: MetadataRow): MetadataRow {
  return new Map(
    Array.from(row, ([key, value]) => [toWellFormed(key), typeof value === 'string' ? toWellFormed(value) : value])
  );
}
