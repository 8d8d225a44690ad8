const NEWLINE = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const HASH = 0x23;
const SMALL_E = 0x65;
const BIG_E = 0x45;
const SMALL_I = 0x69;

/** Well below what InfluxDB takes (models.MaxKeyLength). */
const MAX_NAMES_BYTES = 32_000;
/** InfluxDB takes any number with at most this many digits. */
const MAX_FLOAT_DIGITS = 40;
const MAX_INTEGER_DIGITS = 18;
const MAX_EXPONENT_DIGITS = 2;
const MAX_TIME_DIGITS = 19;

/**
 * Reads points that are written plainly, as nearly all are: names without escapes, tags in order, decimal numbers,
 * strings, a time in digits. Other points need the parser (parseLineProtocol), which agrees on every plain point.
 */
export class PlainPoint {
  /** The offset of the `i` of each integer. */
  readonly integerMarks: number[] = [];
  /** The offset of its newline. */
  newline = 0;
  hasTime = false;
  readonly #timeZeros: number;
  readonly #otherTags: readonly Uint8Array[];

  /**
   * `timeZeros`: the number of zeros that turn its times into nanoseconds. `otherTags`: a point with such a tag does
   * not count as plain.
   */
  constructor(timeZeros: number, otherTags: readonly Uint8Array[] = []) {
    this.#timeZeros = timeZeros;
    this.#otherTags = otherTags;
  }

  /** Reads the point that begins at `start`. False when it is not plain or not complete. */
  read(bytes: Uint8Array, start: number): boolean {
    this.integerMarks.length = 0;
    const namesEnd = readSeriesKey(bytes, start, this.#otherTags);
    if (namesEnd < 0 || namesEnd - start > MAX_NAMES_BYTES) return false;
    const fieldsEnd = this.#readFields(bytes, namesEnd);
    return fieldsEnd >= 0 && this.#readTime(bytes, fieldsEnd);
  }

  /** Returns where the fields end, at a space or newline; -1 when they are not plain. */
  #readFields(bytes: Uint8Array, start: number): number {
    for (let i = start; ;) {
      const equals = readName(bytes, i + 1);
      if (equals === i + 1 || bytes[equals] !== EQUALS || equals - i > MAX_NAMES_BYTES) return -1;
      const end = bytes[equals + 1] === QUOTE ? readString(bytes, equals + 2) : this.#readNumber(bytes, equals + 1);
      if (end < 0) return -1;
      const after = bytes[end];
      if (after === SPACE || after === NEWLINE) return end;
      if (after !== COMMA) return -1;
      i = end;
    }
  }

  #readNumber(bytes: Uint8Array, start: number): number {
    const first = bytes[start] === MINUS ? start + 1 : start;
    let end = readDigits(bytes, first);
    const integerDigits = end - first;
    if (integerDigits === 0 || integerDigits > MAX_FLOAT_DIGITS) return -1;
    if (bytes[end] === SMALL_I) {
      this.integerMarks.push(end);
      // Integers have no -0.
      const isMinusZero = first > start && bytes[first] === ZERO;
      return integerDigits <= MAX_INTEGER_DIGITS && !isMinusZero ? end + 1 : -1;
    }
    if (bytes[end] === DOT) {
      const fraction = end + 1;
      end = readDigits(bytes, fraction);
      if (end === fraction) return -1;
    }
    return bytes[end] === SMALL_E || bytes[end] === BIG_E ? readExponent(bytes, end + 1) : end;
  }

  #readTime(bytes: Uint8Array, start: number): boolean {
    this.newline = start;
    this.hasTime = bytes[start] === SPACE;
    if (!this.hasTime) return true;
    const end = readDigits(bytes, start + 1);
    this.newline = end;
    const digits = end - start - 1 + this.#timeZeros;
    const isInRange = digits < MAX_TIME_DIGITS || (digits === MAX_TIME_DIGITS && bytes[start + 1] !== NINE);
    return end > start + 1 && isInRange && bytes[end] === NEWLINE;
  }
}

/** `measurement[,tag=value…]` up to the space; -1 when it is not plain. */
function readSeriesKey(bytes: Uint8Array, start: number, otherTags: readonly Uint8Array[]): number {
  let end = readName(bytes, start);
  if (end === start || bytes[start] === HASH) return -1;
  let lastKey = -1;
  let lastKeyEnd = -1;
  while (bytes[end] === COMMA) {
    const key = end + 1;
    const equals = readName(bytes, key);
    if (equals === key || bytes[equals] !== EQUALS) return -1;
    for (const tag of otherTags) if (isEqual(bytes, key, equals, tag)) return -1;
    if (lastKey >= 0 && !isBefore(bytes, lastKey, lastKeyEnd, key, equals)) return -1;
    end = readName(bytes, equals + 1);
    if (end === equals + 1) return -1;
    lastKey = key;
    lastKeyEnd = equals;
  }
  return bytes[end] === SPACE ? end : -1;
}

/** The end of the bytes without special meaning. */
function readName(bytes: Uint8Array, start: number): number {
  let i = start;
  for (; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte <= SPACE || byte === COMMA || byte === EQUALS || byte === BACKSLASH || byte === QUOTE) break;
  }
  return i;
}

function isEqual(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i += 1) if (bytes[start + i] !== name[i]) return false;
  return true;
}

function isBefore(bytes: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): boolean {
  for (let i = 0; a + i < aEnd && b + i < bEnd; i += 1) {
    const difference = (bytes[a + i] ?? 0) - (bytes[b + i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return aEnd - a < bEnd - b;
}

function readDigits(bytes: Uint8Array, start: number): number {
  let i = start;
  for (; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte < ZERO || byte > NINE) break;
  }
  return i;
}

function readExponent(bytes: Uint8Array, start: number): number {
  const sign = bytes[start];
  const first = sign === MINUS || sign === 0x2b ? start + 1 : start;
  const end = readDigits(bytes, first);
  return end > first && end - first <= MAX_EXPONENT_DIGITS ? end : -1;
}

/** The place behind the quote that closes the string; -1 when there is none. */
function readString(bytes: Uint8Array, start: number): number {
  for (let i = start; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) return i + 1;
    if (byte !== BACKSLASH) continue;
    const next = bytes[i + 1];
    if (next !== QUOTE && next !== BACKSLASH) return -1;
    i += 1;
  }
  return -1;
}
