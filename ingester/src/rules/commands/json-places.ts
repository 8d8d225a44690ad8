/** Places in a JSON text, for messages that must not quote it. */
export interface JsonPlaces {
  /** Offset of the first character that is not allowed; undefined when the text is one valid value. */
  readonly fault: number | undefined;
  /** Offsets of the outermost object's keys and of their values. */
  readonly members: ReadonlyMap<string, { readonly key: number; readonly value: number }>;
}

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'more' | 'end';

/** The tokens allowed in each place; s is a string, v any other scalar. */
const TOKENS: Readonly<Record<Expected, string>> = {
  value: 'sv{[',
  'first value': 'sv{[]',
  key: 's',
  'first key': 's}',
  colon: ':',
  more: ',}]',
  end: '',
};
const BRACKETS: Readonly<Record<string, string>> = { '}': '{', ']': '[' };

const SCALAR =
  /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const SPACE = /[ \t\n\r]*/y;

/** Reads a text as JSON.parse does (RFC 8259), up to the first fault. */
export function findJsonPlaces(text: string): JsonPlaces {
  const members = new Map<string, { key: number; value: number }>();
  const open: string[] = [];
  let expected: Expected = 'value';
  let key: { readonly name: string; readonly offset: number } | undefined;
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const scalar = match(SCALAR, text, at);
    const token = toToken(scalar, text.charAt(at));
    const isWrongEnd = token in BRACKETS && open.at(-1) !== BRACKETS[token];
    if (isWrongEnd || !TOKENS[expected].includes(token)) return { fault: at, members };
    const isKey: boolean = expected.endsWith('key') && token === 's';
    if (open.length === 1 && isKey) key = { name: JSON.parse(scalar) as string, offset: at };
    else if (open.length === 1 && key !== undefined && expected === 'value')
      members.set(key.name, { key: key.offset, value: at });
    expected = isKey ? 'colon' : takeToken(token, open);
    at += Math.max(1, scalar.length);
  }
  return { fault: expected === 'end' ? undefined : text.length, members };
}

function toToken(scalar: string, char: string): string {
  if (scalar === '') return char;
  return scalar.startsWith('"') ? 's' : 'v';
}

/** The expectation after a token that is not a key. `open`: the open brackets. */
function takeToken(token: string, open: string[]): Expected {
  switch (token) {
    case '{':
    case '[':
      open.push(token);
      return token === '{' ? 'first key' : 'first value';
    case ':':
      return 'value';
    case ',':
      return open.at(-1) === '{' ? 'key' : 'value';
    default:
      if (token in BRACKETS) open.pop();
      return open.length === 0 ? 'end' : 'more';
  }
}

function skipSpace(text: string, at: number): number {
  return at + match(SPACE, text, at).length;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
