import type { CharCodes } from './char-codes.js';
import { isExact } from './printed-json.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const SMALL_E = 0x65;
const LARGE_E = 0x45;

/** Up to these, a mantissa and a power of ten are exact doubles, and so their quotient is the nearest double (Clinger 1990). */
const MAX_EXACT_DIGITS = 15;
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
/** A longer number is written anew in the digits that a double has. */
const MAX_COPIED_CHARS = 32;

/** The kinds of value that stand in a line. */
export const VALUE_KIND = {
  /** A number in plain decimals: the text up to `textEnd` reads back as the same double. */
  decimal: 0,
  /** Another number: its text is to be made from its value. */
  number: 1,
  /** A string without escapes, its quotes included. */
  string: 2,
  /** `true`, `false` or `null`. */
  word: 3,
} as const;

const WORDS: ReadonlyArray<readonly number[]> = ['true', 'false', 'null'].map((word) =>
  Array.from(word, (char) => char.charCodeAt(0))
);

/**
 * Reads the values of a metadata line from its codes, each as parseMetadataLine reads it. What it does not read (escapes, other than ASCII,
 * integers beyond 2^53, anything that is no JSON) is left to that. The results stand in arrays by the number of the value.
 */
export class ValueScanner {
  kinds = new Uint8Array(0);
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  /** Where the text of a decimal ends without the zeros that say nothing. */
  textEnds = new Int32Array(0);
  numbers = new Float64Array(0);
  /** Where the digits read last have their point, or end without one. */
  #point = 0;

  /** Makes room for the values of one line. */
  reserve(count: number): void {
    if (count > this.kinds.length) {
      this.kinds = new Uint8Array(count);
      this.starts = new Int32Array(count);
      this.ends = new Int32Array(count);
      this.textEnds = new Int32Array(count);
      this.numbers = new Float64Array(count);
    }
  }

  /** Reads value `index` at `start`. `text` holds the same characters as `codes`. Returns where it ends, or -1. */
  scan(text: string, codes: CharCodes, start: number, index: number): number {
    const first = codes[start] ?? 0;
    this.starts[index] = start;
    let end: number;
    if (first === QUOTE) {
      this.kinds[index] = VALUE_KIND.string;
      end = findPlainStringEnd(codes, start);
    } else if (first === MINUS || isDigit(first)) {
      end = this.#scanNumber(text, codes, start, index);
    } else {
      this.kinds[index] = VALUE_KIND.word;
      end = findWordEnd(codes, start);
    }
    this.ends[index] = end;
    return end;
  }

  #scanNumber(text: string, codes: CharCodes, start: number, index: number): number {
    const isNegative = codes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    const end = this.#scanDigits(codes, first, index);
    const wholeDigits = this.#point - first;
    const fractionDigits = Math.max(0, end - this.#point - 1);
    const hasLeadingZero = codes[first] === ZERO;
    const isPointLast = this.#point === end - 1;
    if (wholeDigits === 0 || (hasLeadingZero && wholeDigits > 1) || isPointLast) {
      return -1;
    }
    const next = codes[end];
    if (next === SMALL_E || next === LARGE_E) {
      return this.#finishNumber(text, start, findExponentEnd(codes, end), index, VALUE_KIND.number);
    }
    if (wholeDigits + fractionDigits - (hasLeadingZero ? 1 : 0) > MAX_EXACT_DIGITS) {
      const kind = end - start > MAX_COPIED_CHARS ? VALUE_KIND.number : VALUE_KIND.decimal;
      return this.#finishNumber(text, start, end, index, kind);
    }
    const value = (this.numbers[index] ?? 0) / (POWERS_OF_TEN[fractionDigits] ?? 1);
    this.kinds[index] = VALUE_KIND.decimal;
    this.numbers[index] = isNegative ? -value : value;
    return end;
  }

  /** Reads digits with a point or without as one integer, into `numbers`, and where the text may end, into `textEnds`. */
  #scanDigits(codes: CharCodes, start: number, index: number): number {
    let at = start;
    let point = -1;
    let textEnd = start;
    let mantissa = 0;
    let byte = codes[at] ?? 0;
    while (isDigit(byte) || (byte === POINT && point < 0)) {
      if (byte === POINT) {
        point = at;
      } else {
        mantissa = mantissa * 10 + (byte - ZERO);
        if (byte !== ZERO || point < 0) {
          textEnd = at + 1;
        }
      }
      at += 1;
      byte = codes[at] ?? 0;
    }
    this.numbers[index] = mantissa;
    this.textEnds[index] = textEnd;
    this.#point = point < 0 ? at : point;
    return at;
  }

  /** The long way, for numbers of many digits and with exponents. */
  #finishNumber(text: string, start: number, end: number, index: number, kind: number): number {
    const value = end < 0 ? NaN : Number(text.slice(start, end));
    this.kinds[index] = kind;
    this.numbers[index] = value;
    return isExact(value) ? end : -1;
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function findPlainStringEnd(codes: CharCodes, start: number): number {
  let at = start + 1;
  let byte = codes[at] ?? 0;
  while (byte !== QUOTE) {
    if (byte < 0x20 || byte === BACKSLASH || byte >= 0x80) {
      return -1;
    }
    at += 1;
    byte = codes[at] ?? 0;
  }
  return at + 1;
}

function findWordEnd(codes: CharCodes, start: number): number {
  const found = WORDS.find((word) => word.every((code, i) => codes[start + i] === code));
  return found === undefined ? -1 : start + found.length;
}

/** `at` is where the `e` stands. */
function findExponentEnd(codes: CharCodes, at: number): number {
  const sign = codes[at + 1];
  const first = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
  let end = first;
  while (isDigit(codes[end] ?? 0)) {
    end += 1;
  }
  return end === first ? -1 : end;
}
