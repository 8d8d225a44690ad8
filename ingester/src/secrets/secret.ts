/** A shorter value would mask ordinary words. */
export const MIN_SECRET_CHARS = 8;
/** The text that replaces a secret. */
export const MASK = '***';

const ESC = 0x1b;
const BEL = 0x07;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const MISMATCH = -1;
const PARTIAL = -2;
/** JSON's escapes of one letter (RFC 8259, 7). */
const JSON_ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/', '\b': 'b', '\f': 'f', '\r': 'r', '\t': 't' },
};

/** A character as it may be printed: its UTF-8, or an escape of JSON. */
interface SecretCharacter {
  readonly raw: Buffer;
  /** The characters that may follow the backslash, in lower case. */
  readonly escapes: readonly string[];
}

/** How a secret matches bytes from a place on: up to `end`, not at all, or as far as the bytes reach. */
type Match = { readonly kind: 'whole'; readonly end: number } | { readonly kind: 'none' | 'partial' };

const NONE: Match = { kind: 'none' };
const PART: Match = { kind: 'partial' };

/**
 * A value that must not be stored. Recognizes it in printed bytes, also with colours inside it or escaped as in JSON.
 */
export class Secret {
  /** UTF-8 without line ends. */
  readonly bytes: Buffer;
  readonly #characters: readonly SecretCharacter[];
  readonly #firstEscapeLetters: ReadonlySet<number>;

  constructor(value: string) {
    this.bytes = Buffer.from(value);
    this.#characters = Array.from(value, (character) => {
      const units = Array.from({ length: character.length }, (_, i) => formatUnit(character.charCodeAt(i)));
      const letter = JSON_ESCAPES[character];
      return { raw: Buffer.from(character), escapes: [units.join('\\'), ...(letter === undefined ? [] : [letter])] };
    });
    this.#firstEscapeLetters = new Set(this.#characters[0]?.escapes.map((escape) => escape.charCodeAt(0)));
  }

  get firstByte(): number {
    return this.bytes[0] ?? 0;
  }

  /** Whether the secret is at `start`. */
  match(bytes: Buffer, start: number): Match {
    if (bytes[start] === this.firstByte ? !this.#mayGoOn(bytes[start + 1]) : !this.#mayBeEscape(bytes, start))
      return NONE;
    const end = this.#matchFrom(bytes, start, 0);
    if (end === PARTIAL) return PART;
    return end === MISMATCH ? NONE : { kind: 'whole', end };
  }

  /** Whether the byte may follow the first one. */
  #mayGoOn(next: number | undefined): boolean {
    return (
      next === undefined || next === this.bytes[1] || next === ESC || next === BACKSLASH || this.firstByte === BACKSLASH
    );
  }

  /** Whether an escape may begin here: most backslashes come before another character. */
  #mayBeEscape(bytes: Buffer, at: number): boolean {
    if (bytes[at] !== BACKSLASH) return false;
    const next = bytes[at + 1];
    return next === undefined || this.#firstEscapeLetters.has(next);
  }

  #matchFrom(bytes: Buffer, start: number, from: number): number {
    let at = start;
    for (let i = from; i < this.#characters.length; i += 1) {
      if (i > 0) at = skipSequences(bytes, at);
      if (at === PARTIAL || at >= bytes.length) return PARTIAL;
      const character = this.#characters[i] as SecretCharacter;
      const raw = matchText(bytes, at, character.raw);
      if (bytes[at] !== BACKSLASH) {
        if (raw < 0) return raw;
        at = raw;
        continue;
      }
      // A backslash may be a character of the secret itself.
      const ends = [raw, ...character.escapes.map((escape) => matchEscape(bytes, at + 1, escape))];
      const found = ends.map((end) => (end < 0 ? end : this.#matchFrom(bytes, end, i + 1)));
      return found.find((end) => end >= 0) ?? (found.includes(PARTIAL) ? PARTIAL : MISMATCH);
    }
    return at;
  }
}

function formatUnit(unit: number): string {
  return `u${unit.toString(16).padStart(4, '0')}`;
}

function matchText(bytes: Buffer, at: number, text: Buffer): number {
  for (let i = 0; i < text.length; i += 1) {
    if (at + i >= bytes.length) return PARTIAL;
    if (bytes[at + i] !== text[i]) return MISMATCH;
  }
  return at + text.length;
}

/** Hexadecimal digits may be in either case. */
function matchEscape(bytes: Buffer, at: number, escape: string): number {
  const isUnit = escape.length > 1;
  for (let i = 0; i < escape.length; i += 1) {
    if (at + i >= bytes.length) return PARTIAL;
    const letter = String.fromCharCode(bytes[at + i] ?? 0);
    if ((isUnit && letter !== 'U' ? letter.toLowerCase() : letter) !== escape[i]) return MISMATCH;
  }
  return at + escape.length;
}

/**
 * Skips control sequences and strings (ECMA-48, 5.4 and 5.6), which a console does not show. PARTIAL when the bytes end
 * within one.
 */
function skipSequences(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === ESC) {
    const end = skipSequence(bytes, at + 1);
    if (end === PARTIAL) return PARTIAL;
    if (end === MISMATCH) return at;
    at = end;
  }
  return at;
}

/** `at`: the place behind the ESC. */
function skipSequence(bytes: Buffer, at: number): number {
  if (bytes[at] === CLOSING_BRACKET) return skipString(bytes, at + 1);
  const isControl = bytes[at] === BRACKET;
  const [lowest, highest] = isControl ? [0x20, 0x3f] : [0x20, 0x2f];
  let end = isControl ? at + 1 : at;
  while (isBetween(bytes[end], lowest, highest)) end += 1;
  if (end >= bytes.length) return PARTIAL;
  return isBetween(bytes[end], isControl ? 0x40 : 0x30, 0x7e) ? end + 1 : MISMATCH;
}

function skipString(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    if (bytes[at] === BEL) return at + 1;
    if (bytes[at] !== ESC) continue;
    if (at + 1 >= bytes.length) return PARTIAL;
    return bytes[at + 1] === BACKSLASH ? at + 2 : MISMATCH;
  }
  return PARTIAL;
}

function isBetween(byte: number | undefined, lowest: number, highest: number): boolean {
  return byte !== undefined && byte >= lowest && byte <= highest;
}
