import { toPathText } from '../../host/path-bytes.js';

const code = (char: string): number => char.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [code('"'), code('\\'), code(','), code(':'), code(' ')];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [code('{'), code('}'), code('['), code(']')];

/** How many known records are compared with what stands at a place: so many may go or change one after the other. */
const MAX_TRIES = 64;

/** Where a record stands in the answer, and what was made of it. */
interface KnownRecord<T> {
  readonly start: number;
  readonly end: number;
  readonly value: T;
}

interface RecordsAnswer<T> {
  /** The answer without its records. */
  readonly frame: string;
  /** What was made of each record: the same value as before for one whose bytes are the same. */
  readonly values: readonly T[];
}

/**
 * Reads JSON answers that list records, each answer much like the one before. The bytes of a record are compared with
 * those of the last answer, and only a record that is new or has changed is parsed.
 */
export class QueueRecords<T> {
  readonly #parse: (text: string) => T;
  readonly #key: Buffer;
  #bytes: Buffer = Buffer.alloc(0);
  #known: readonly KnownRecord<T>[] = [];
  /** The place of the known record that is expected next, and how many records in a row were none that is known. */
  #next = 0;
  #misses = 0;

  /** `key`: where the answer, an object, has its list. */
  constructor(key: string, parse: (text: string) => T) {
    this.#key = Buffer.from(JSON.stringify(key));
    this.#parse = parse;
  }

  /** Undefined: the answer has no list of objects that could be found. */
  read(bytes: Buffer): RecordsAnswer<T> | undefined {
    const listStart = findList(bytes, this.#key);
    if (listStart === undefined) return undefined;
    [this.#next, this.#misses] = [0, 0];
    const records: KnownRecord<T>[] = [];
    let position = skipSpace(bytes, listStart + 1);
    while (bytes[position] === OPEN_BRACE) {
      const record = this.#findSame(bytes, position) ?? this.#readNew(bytes, position);
      if (record === undefined) return undefined;
      records.push(record);
      position = skipSpace(bytes, record.end);
      if (bytes[position] !== COMMA) break;
      position = skipSpace(bytes, position + 1);
    }
    if (bytes[position] !== CLOSE_BRACKET) return undefined;
    [this.#bytes, this.#known] = [bytes, records];
    const frame = bytes.toString('utf8', 0, listStart + 1) + bytes.toString('utf8', position);
    return { frame, values: records.map(({ value }) => value) };
  }

  #findSame(bytes: Buffer, start: number): KnownRecord<T> | undefined {
    const last = Math.min(this.#next + MAX_TRIES, this.#known.length);
    for (let i = this.#next; i < last; i += 1) {
      const known = this.#known[i];
      if (known === undefined) break;
      const end = start + known.end - known.start;
      if (end > bytes.length || bytes.compare(this.#bytes, known.start, known.end, start, end) !== 0) continue;
      this.#next = i + 1;
      this.#misses = 0;
      return { start, end, value: known.value };
    }
    this.#misses += 1;
    if (this.#misses > MAX_TRIES) this.#next += 1;
    return undefined;
  }

  #readNew(bytes: Buffer, start: number): KnownRecord<T> | undefined {
    const end = findEnd(bytes, start);
    return end === undefined ? undefined : { start, end, value: this.#parse(toPathText(bytes.subarray(start, end))) };
  }
}

/** The place of the list's bracket: that of the key of the outermost object. */
function findList(bytes: Buffer, key: Buffer): number | undefined {
  let position = skipSpace(bytes, 0);
  if (bytes[position] !== OPEN_BRACE) return undefined;
  position = skipSpace(bytes, position + 1);
  while (bytes[position] === QUOTE) {
    const keyEnd = skipString(bytes, position);
    const isKey = bytes.subarray(position, keyEnd).equals(key);
    const colon = skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) return undefined;
    const value = skipSpace(bytes, colon + 1);
    if (isKey) return bytes[value] === OPEN_BRACKET ? value : undefined;
    const end = findEnd(bytes, value);
    if (end === undefined) return undefined;
    position = skipSpace(bytes, end);
    if (bytes[position] !== COMMA) return undefined;
    position = skipSpace(bytes, position + 1);
  }
  return undefined;
}

/** The end of the value that begins there. */
function findEnd(bytes: Buffer, start: number): number | undefined {
  let depth = 0;
  let position = start;
  while (position < bytes.length) {
    const byte = bytes[position];
    if (byte === QUOTE) {
      position = skipString(bytes, position);
      if (depth === 0) return position;
      continue;
    }
    const isEnd = byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
    // A number or a word ends where something else begins.
    if (depth === 0 && (isEnd || byte === COMMA)) return position;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (isEnd) depth -= 1;
    position += 1;
    if (isEnd && depth === 0) return position;
  }
  return undefined;
}

/** The place behind a string that begins there. */
function skipString(bytes: Buffer, start: number): number {
  let position = start + 1;
  while (position < bytes.length && bytes[position] !== QUOTE) position += bytes[position] === BACKSLASH ? 2 : 1;
  return position + 1;
}

function skipSpace(bytes: Buffer, start: number): number {
  let position = start;
  while ((bytes[position] ?? Infinity) <= SPACE) position += 1;
  return position;
}
