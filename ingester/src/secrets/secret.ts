/** A shorter value would mask ordinary words. */
export const MIN_SECRET_CHARS = 8;
/** The text that replaces a secret. */
export const MASK = '***';

/** JSON's escapes of one letter (RFC 8259, 7). */
const JSON_ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/', '\b': 'b', '\f': 'f', '\r': 'r', '\t': 't' },
};
/** Control sequences and strings (ECMA-48, 5.4 and 5.6), which a console does not show. */
const SEQUENCE = String.raw`\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[ -?]*[@-~]|(?![\[\]])[ -/]*[0-~])`;
const EACH_SEQUENCE = new RegExp(SEQUENCE, 'g');
const SEQUENCES = new RegExp(`(?:${SEQUENCE})*`, 'y');
// eslint-disable-next-line no-control-regex -- the beginnings of control sequences are what it finds
const CUT_SEQUENCE = /\x1b(?:\][^\x07\x1b]*\x1b?|\[[ -?]*|[ -/]*)$/y;

/** A value that must not be stored. Finds it in printed bytes, one character each (latin1). */
export class Secret {
  /** Its UTF-8. */
  readonly bytes: string;
  /** For each character, how it may be printed: its UTF-8, or escaped as in JSON, in lower case. */
  readonly #spellings: readonly (readonly string[])[];
  readonly #plain: RegExp;
  readonly #start: RegExp;

  constructor(value: string) {
    this.bytes = toBytes(value);
    this.#spellings = Array.from(value, listSpellings);
    const [first, second] = Array.from(this.bytes, escapeForRegExp);
    const letters = (this.#spellings[0] ?? []).slice(1).map((spelling) => escapeForRegExp(spelling.charAt(1)));
    this.#plain = new RegExp(escapeForRegExp(this.bytes), 'g');
    this.#start = new RegExp(`${first}(?=$|${second}|[\\x1b\\\\])|\\\\(?=$|${letters.join('|')})`, 'g');
  }

  /** Where the secret may begin, from `from` on. `isSpecial`: with sequences inside it, or escaped as in JSON, too. */
  *findStarts(text: string, isSpecial: boolean, from = 0): Generator<number> {
    const pattern = isSpecial ? this.#start : this.#plain;
    for (let at = from; ; at += 1) {
      pattern.lastIndex = at;
      at = pattern.exec(text)?.index ?? Infinity;
      if (at === Infinity) return;
      yield at;
    }
  }

  /** The end of the secret that begins at `start`: `partial` when the text ends within it, undefined when none does. */
  match(text: string, start: number): number | 'partial' | undefined {
    return this.#matchFrom(text, start, 0);
  }

  /** `tried`: where the rest of a secret with backslashes was looked for; else each of them would double the ways. */
  #matchFrom(text: string, start: number, from: number, tried?: Set<number>): number | 'partial' | undefined {
    const place = start * (this.#spellings.length + 1) + from;
    if (tried?.has(place) === true) return undefined;
    tried?.add(place);
    let at = start;
    for (let i = from; i < this.#spellings.length; i += 1) {
      if (i > 0) at = findEnd(SEQUENCES, text, at) ?? at;
      if (at >= text.length || findEnd(CUT_SEQUENCE, text, at) !== undefined) return 'partial';
      const ends = (this.#spellings[i] ?? []).map((spelling) => matchSpelling(text, at, spelling));
      if (text.charAt(at) === '\\') {
        // A backslash may be a character of the secret itself.
        const all = tried ?? new Set<number>();
        const found = ends.map((end) => (typeof end === 'number' ? this.#matchFrom(text, end, i + 1, all) : end));
        return found.find((end) => typeof end === 'number') ?? found.find((end) => end === 'partial');
      }
      const [end] = ends;
      if (typeof end !== 'number') return end;
      at = end;
    }
    return at;
  }
}

/** The sequences in a text: colours that are switched on inside a secret hold behind it. */
export function listSequences(text: string): string {
  return (text.match(EACH_SEQUENCE) ?? []).join('');
}

function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function listSpellings(character: string): string[] {
  const letter = JSON_ESCAPES[character];
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  const escaped = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  return [toBytes(character), escaped, ...(letter === undefined ? [] : [`\\${letter}`])];
}

/** Hexadecimal digits may be in either case. */
function matchSpelling(text: string, at: number, spelling: string): number | 'partial' | undefined {
  if (text.startsWith(spelling, at)) return at + spelling.length;
  const found = text.slice(at, at + spelling.length);
  const shown = spelling.startsWith('\\u') ? found.toLowerCase() : found;
  if (!spelling.startsWith(shown)) return undefined;
  return shown.length === spelling.length ? at + spelling.length : 'partial';
}

function findEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function escapeForRegExp(text: string): string {
  return text.replace(/[^\w]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
