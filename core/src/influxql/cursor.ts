import { locate, scanRegexToken, scanToken, type Token } from './lexer.js';

/** Why Joblens does not answer a text. `message` is what InfluxDB's HTTP API would send. */
export interface InfluxqlError {
  readonly kind: 'syntax' | 'unsupported';
  readonly message: string;
  /** Set where it would write, remove, or change the server. */
  readonly construct?: 'into' | 'statement';
  /** 1-based. */
  readonly line: number;
  readonly char: number;
}

/** A token as a message quotes it: only the beginning of a long one. */
export function shorten(text: string): string {
  return text.length <= MAX_QUOTED_CHARS ? text : `${text.slice(0, MAX_QUOTED_CHARS)}…`;
}

/** Values by name, for `$name` in a query (InfluxDB's `params`). */
export type BoundParameters = ReadonlyMap<string, BoundValue>;

/** A plain value, or `{"regex": "^a$"}`, `{"duration": "5s"}`, `{"identifier": "loss"}` of `params`. */
export type BoundValue =
  string | number | bigint | boolean | { readonly kind: 'regex' | 'duration' | 'identifier'; readonly text: string };

/** Thrown inside the parser only; parseQuery turns it into a value. */
export class InfluxqlParseFailure extends Error {
  constructor(readonly detail: InfluxqlError) {
    super(detail.message);
  }
}

/** Readers of a statement recurse once per level of brackets, and once per link of a chain of AND or OR. */
const MAX_NESTING = 200;
const MAX_CHAIN = 5_000;
const MAX_OPERATIONS = 1_000;
/** How much of a query a message quotes. */
const MAX_QUOTED_CHARS = 100;

/** Reads tokens one by one, with one token of lookahead. */
export class TokenCursor {
  #offset = 0;
  #nesting = 0;
  #chain = 0;
  #operations = 0;
  #localTime: Token | undefined;
  #peeked: Token | undefined;
  readonly #text: string;

  readonly #parameters: BoundParameters;

  constructor(text: string, parameters: BoundParameters = new Map()) {
    this.#text = text;
    this.#parameters = parameters;
  }

  peek(): Token {
    this.#peeked ??= this.#bind(scanToken(this.#text, this.#offset));
    return this.#peeked;
  }

  /** A parameter reads as the literal that it stands for: its value is never read as a part of the text. */
  #bind(token: Token): Token {
    if (token.kind !== 'parameter') return token;
    const value = this.#parameters.get(token.text);
    if (value === undefined) throw this.failure(`missing parameter: ${shorten(token.text)}`, token);
    if (typeof value === 'object') return { ...token, kind: value.kind, text: value.text, found: value.text };
    const text = String(value);
    if (typeof value === 'boolean') return { ...token, kind: 'keyword', text: text.toUpperCase() };
    if (typeof value === 'number') return { ...token, kind: 'number', text, found: text };
    return { ...token, kind: typeof value === 'bigint' ? 'integer' : 'string', text, found: text };
  }

  next(): Token {
    const token = this.peek();
    this.#offset = token.end;
    this.#peeked = undefined;
    return token;
  }

  /** Is the next token this keyword or symbol? A symbol is never a keyword. */
  isAt(text: string): boolean {
    const token = this.peek();
    return (token.kind === 'keyword' || token.kind === 'symbol') && token.text === text;
  }

  /** Is the next token this word, not quoted and not reserved (`time`, `fill`, `now`, `tz`)? */
  isAtWord(word: string): boolean {
    const token = this.peek();
    const isWritten = !['"', '$'].includes(this.#text[token.start] ?? '');
    return token.kind === 'identifier' && isWritten && token.text.toLowerCase() === word;
  }

  accept(text: string): boolean {
    if (!this.isAt(text)) return false;
    this.next();
    return true;
  }

  expect(text: string): Token {
    if (!this.isAt(text)) throw this.unexpected([text]);
    return this.next();
  }

  expectKind(kind: Token['kind'], name: string): Token {
    if (this.peek().kind !== kind) throw this.unexpected([name]);
    return this.next();
  }

  identifier(): string {
    return this.expectKind('identifier', 'identifier').text;
  }

  /**
   * The regular expression at this place, if there is one. Ask before peeking: the meaning of the next token depends on
   * it.
   */
  acceptRegex(): Token | undefined {
    const token = scanRegexToken(this.#text, this.#offset);
    if (token === undefined) return this.peek().kind === 'regex' ? this.next() : undefined;
    this.#peeked = undefined;
    if (token.kind === 'bad') {
      this.#peeked = token;
      throw this.unexpected(['regex']);
    }
    this.#offset = token.end;
    return token;
  }

  /** Reads the content of brackets. */
  nest<T>(read: () => T): T {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) throw this.failure(`more than ${MAX_NESTING} levels of brackets`, this.peek());
    const result = read();
    this.#nesting -= 1;
    return result;
  }

  /** Is there one more condition? Asked for each AND and OR. */
  acceptLink(operator: 'AND' | 'OR'): boolean {
    if (!this.accept(operator)) return false;
    this.#chain += 1;
    if (this.#chain > MAX_CHAIN) throw this.failure(`more than ${MAX_CHAIN} conditions`, this.peek());
    return true;
  }

  /** One more operation of arithmetic: a chain of them nests to the left. */
  countOperation(): void {
    this.#operations += 1;
    if (this.#operations > MAX_OPERATIONS) throw this.failure(`more than ${MAX_OPERATIONS} operations`, this.peek());
  }

  /** A time without a zone: in UTC, unless the statement has a zone of its own, which comes behind it. */
  noteLocalTime(token: Token): void {
    this.#localTime ??= token;
  }

  get localTime(): Token | undefined {
    return this.#localTime;
  }

  startStatement(): void {
    this.#localTime = undefined;
    this.#operations = 0;
    this.#chain = 0;
  }

  /** A count after LIMIT and the like. */
  count(): number {
    const token = this.expectKind('integer', 'integer');
    const value = Number(token.text);
    if (!Number.isSafeInteger(value)) throw this.failure(`${shorten(token.text)}: value out of range`, token);
    return value;
  }

  unexpected(expected: readonly string[]): InfluxqlParseFailure {
    const token = this.peek();
    return this.failure(`found ${shorten(token.found)}, expected ${expected.join(', ')}`, token);
  }

  failure(text: string, token: Token): InfluxqlParseFailure {
    return this.#fail('syntax', text, token);
  }

  /** The error for a construct that InfluxDB knows and this parser does not. */
  unsupported(text: string, token: Token, construct?: InfluxqlError['construct']): InfluxqlParseFailure {
    return this.#fail('unsupported', text, token, construct);
  }

  #fail(
    kind: InfluxqlError['kind'],
    text: string,
    token: Token,
    construct?: InfluxqlError['construct']
  ): InfluxqlParseFailure {
    const { line, char } = locate(this.#text, token.start);
    const message = `error parsing query: ${text} at line ${line}, char ${char}`;
    return new InfluxqlParseFailure({ kind, message, line, char, ...(construct && { construct }) });
  }
}
