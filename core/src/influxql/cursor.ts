import { locate, scanRegexToken, scanToken } from './lexer.js';
import type { Token } from './lexer.js';

/** Why a text is not a query that Joblens answers. `message` is what InfluxDB's HTTP API would send. */
export interface InfluxqlError {
  readonly kind: 'syntax' | 'unsupported';
  readonly message: string;
  /** 1-based. */
  readonly line: number;
  readonly char: number;
}

/** Thrown inside the parser only; parseQuery turns it into a value. */
export class InfluxqlParseFailure extends Error {
  constructor(readonly detail: InfluxqlError) {
    super(detail.message);
  }
}

/** Reads tokens one by one, with one token of lookahead. */
export class TokenCursor {
  #offset = 0;
  #peeked: Token | undefined;

  constructor(private readonly text: string) {}

  peek(): Token {
    this.#peeked ??= scanToken(this.text, this.#offset);
    return this.#peeked;
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
    return token.kind === 'identifier' && this.text[token.start] !== '"' && token.text.toLowerCase() === word;
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

  /** A regular expression if one stands here. Must be asked before any token is peeked at whose meaning depends on it. */
  acceptRegex(): Token | undefined {
    const token = scanRegexToken(this.text, this.#offset);
    if (token === undefined) return undefined;
    this.#peeked = undefined;
    if (token.kind === 'bad') {
      this.#peeked = token;
      throw this.unexpected(['regex']);
    }
    this.#offset = token.end;
    return token;
  }

  /** A count after LIMIT and the like. */
  count(): number {
    const token = this.expectKind('integer', 'integer');
    const value = Number(token.text);
    if (!Number.isSafeInteger(value)) throw this.failure(`${token.text}: value out of range`, token);
    return value;
  }

  unexpected(expected: readonly string[]): InfluxqlParseFailure {
    const token = this.peek();
    return this.failure(`found ${token.found}, expected ${expected.join(', ')}`, token);
  }

  failure(text: string, token: Token): InfluxqlParseFailure {
    return this.#fail('syntax', text, token);
  }

  /** For what InfluxDB knows and this parser does not. */
  unsupported(text: string, token: Token): InfluxqlParseFailure {
    return this.#fail('unsupported', text, token);
  }

  #fail(kind: InfluxqlError['kind'], text: string, token: Token): InfluxqlParseFailure {
    const { line, char } = locate(this.text, token.start);
    const message = `error parsing query: ${text} at line ${line}, char ${char}`;
    return new InfluxqlParseFailure({ kind, message, line, char });
  }
}
