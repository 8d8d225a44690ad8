/** Tokens of InfluxQL as InfluxDB 1.x scans them. Only the parser knows where a `/` starts a regular expression. */
export type TokenKind =
  | 'eof'
  | 'keyword'
  | 'identifier'
  | 'string'
  | 'number'
  | 'integer'
  | 'duration'
  | 'regex'
  | 'symbol'
  | 'parameter'
  | 'bad';

export interface Token {
  readonly kind: TokenKind;
  /** Keyword in capitals, symbol, unescaped text of a literal or identifier. */
  readonly text: string;
  /** How InfluxDB names it after "found". */
  readonly found: string;
  readonly start: number;
  readonly end: number;
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'ALL ALTER ANALYZE AND ANY AS ASC BEGIN BY CARDINALITY CREATE CONTINUOUS DATABASE DATABASES DEFAULT DELETE DESC ' +
    'DESTINATIONS DIAGNOSTICS DISTINCT DROP DURATION END EVERY EXACT EXPLAIN FALSE FIELD FOR FROM GRANT GRANTS GROUP ' +
    'GROUPS IN INF INSERT INTO KEY KEYS KILL LIMIT MEASUREMENT MEASUREMENTS NAME OFFSET ON OR ORDER PASSWORD POLICY ' +
    'POLICIES PRIVILEGES QUERIES QUERY READ REPLICATION RESAMPLE RETENTION REVOKE SELECT SERIES SET SHARD SHARDS SHOW ' +
    'SLIMIT SOFFSET STATS SUBSCRIPTION SUBSCRIPTIONS TAG TO TRUE USER USERS VALUES VERBOSE WHERE WITH WRITE'
  ).split(' ')
);

const SPACE_OR_COMMENT = /(?:[ \t\r\n]+|--[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const SPACE = /[ \t\r\n]*/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /\d*\.\d+|\d+\./y;
const DURATION = /\d+[A-Za-zµ][A-Za-zµ0-9]*/y;
const INTEGER = /\d+/y;
const SYMBOL = /=~|!~|!=|<>|<=|>=|::|[=<>(),;.:*+\-/%&|^]/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** The token at or after `from`, white space and comments skipped. */
export function scanToken(text: string, from: number): Token {
  const start = from + (matchAt(SPACE_OR_COMMENT, text, from)?.length ?? 0);
  const first = text[start];
  if (first === undefined) return { kind: 'eof', text: '', found: 'EOF', start, end: start };
  if (first === '"') return scanQuoted(text, start, 'identifier');
  if (first === "'") return scanQuoted(text, start, 'string');
  if (first === '$') return scanParameter(text, start);
  return scanWord(text, start) ?? scanNumeric(text, start) ?? scanSymbol(text, start);
}

/** The regular expression at or after `from`; undefined when the next character is not a slash. */
export function scanRegexToken(text: string, from: number): Token | undefined {
  const start = from + (matchAt(SPACE, text, from)?.length ?? 0);
  if (text[start] !== '/') return undefined;
  let source = '';
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '/') return { kind: 'regex', text: source, found: source || 'REGEX', start, end: at + 1 };
    if (char === '\n') break;
    if (char === '\\' && text[at + 1] === '/') {
      source += '/';
      at++;
    } else {
      source += char;
    }
  }
  return { kind: 'bad', text: source, found: 'BADREGEX', start, end: text.length };
}

function scanWord(text: string, start: number): Token | undefined {
  const word = matchAt(WORD, text, start);
  if (word === undefined) return undefined;
  const upper = word.toUpperCase();
  const end = start + word.length;
  return KEYWORDS.has(upper)
    ? { kind: 'keyword', text: upper, found: upper, start, end }
    : { kind: 'identifier', text: word, found: word, start, end };
}

/** `$name` or `$"name"`: a value that comes beside the text. */
function scanParameter(text: string, start: number): Token {
  const isQuoted = text[start + 1] === '"';
  const name = isQuoted ? scanQuoted(text, start + 1, 'identifier') : scanWord(text, start + 1);
  if (name === undefined) return { kind: 'bad', text: '$', found: '$', start, end: start + 1 };
  if (name.kind === 'bad') return { ...name, start };
  const written = isQuoted ? name.text : text.slice(start + 1, name.end);
  return { kind: 'parameter', text: written, found: `$${written}`, start, end: name.end };
}

function scanNumeric(text: string, start: number): Token | undefined {
  for (const [kind, pattern] of [
    ['number', NUMBER],
    ['duration', DURATION],
    ['integer', INTEGER],
  ] as const) {
    const literal = matchAt(pattern, text, start);
    if (literal !== undefined) return { kind, text: literal, found: literal, start, end: start + literal.length };
  }
  return undefined;
}

function scanSymbol(text: string, start: number): Token {
  const symbol = matchAt(SYMBOL, text, start);
  if (symbol === undefined) {
    const char = String.fromCodePoint(text.codePointAt(start) ?? 0);
    return { kind: 'bad', text: char, found: char, start, end: start + char.length };
  }
  const name = symbol === '<>' ? '!=' : symbol;
  return { kind: 'symbol', text: name, found: name, start, end: start + symbol.length };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', '\\': '\\', '"': '"', "'": "'" };

/** A quoted text. Raw carriage returns and NULs are accepted, though InfluxDB refuses them: quoteString writes them. */
function scanQuoted(text: string, start: number, kind: 'identifier' | 'string'): Token {
  const quote = text[start];
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === quote) {
      return { kind, text: value, found: value || (kind === 'string' ? 'STRING' : 'IDENT'), start, end: at + 1 };
    }
    if (char === '\n') break;
    if (char !== '\\') {
      value += char;
      continue;
    }
    at++;
    const escaped = ESCAPES[text[at] ?? ''];
    if (escaped === undefined) {
      const found = char + (text[at] ?? '');
      return { kind: 'bad', text: found, found, start: at, end: text.length };
    }
    value += escaped;
  }
  return { kind: 'bad', text: value, found: value || 'BADSTRING', start, end: text.length };
}

/** 1-based line and character (code point), as InfluxDB counts them. */
export function locate(text: string, offset: number): { readonly line: number; readonly char: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, char: Array.from(lines.at(-1) ?? '').length + 1 };
}
