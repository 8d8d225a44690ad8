import { findTokens, type LineToken } from './line-tokens.js';
import { findNamedNumbers, type NamedNumber } from './named-numbers.js';

/** A line as constant text and the tokens between. */
export interface LineShape {
  readonly line: string;
  readonly tokens: readonly LineToken[];
  readonly numbers: readonly NamedNumber[];
}

export function inferLineShape(line: string): LineShape {
  const tokens = findTokens(line);
  return { line, tokens, numbers: findNamedNumbers(line, tokens) };
}

const MARKS = {
  number: '\u0001',
  time: '\u0002',
  bar: '\u0003',
  mixed: '\u0004',
  imaginary: '\u0005',
  unread: '\u0006',
} as const;

/**
 * What lines of the same pattern share: the constant text, without spaces where their number may change. `isLoose`:
 * words with digits may change too.
 */
export function formatShapeKey({ line, tokens }: LineShape, isLoose: boolean): string {
  let key = '';
  let at = 0;
  for (const { kind, start, end } of tokens) {
    if (kind === 'mixed' && !isLoose) {
      continue;
    }
    key += line.slice(at, start) + MARKS[kind];
    at = end;
  }
  key += line.slice(at);
  // A row of numbers of any length within brackets is one: `lr=[1e-3, 1e-3]`.
  return key.replace(/\s+/g, ' ').replace(/ ?([^\w ]) ?/g, '$1');
}

/** Which numbers of a line a pattern captures, and the names of its groups. */
export type Captures = ReadonlyMap<NamedNumber, string>;

/**
 * Captures for the numbers that satisfy `isWanted`. The names become those of groups: `lm loss` is `lm_loss`, `Epoch`
 * is `epoch`, since the choice of X knows it so. No two are the same.
 */
export function nameCaptures(shape: LineShape, isWanted: (number: NamedNumber, i: number) => boolean): Captures {
  const captures = new Map<NamedNumber, string>();
  const taken = new Set<string>();
  shape.numbers.forEach((number, i) => {
    if (!isWanted(number, i)) {
      return;
    }
    const base = toGroupName(number.isTotal ? `${number.name} total` : number.name);
    let name = base;
    for (let n = 2; taken.has(name); n += 1) {
      name = `${base}_${n}`;
    }
    taken.add(name);
    captures.set(number, name);
  });
  return captures;
}

const COUNTS = /^(?:epoch|step|iter|iteration|progress)$/i;

function toGroupName(name: string): string {
  const word = name
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .replace(/^(?=\d)/, 'n');
  return word === '' ? 'value' : COUNTS.test(word) ? word.toLowerCase() : word;
}

/** The regular expression of the lines with this shape, as people would write it. */
export function formatPattern(shape: LineShape, captures: Captures, isLoose: boolean): string {
  const { line, tokens } = shape;
  const numberAt = new Map(shape.numbers.map((number) => [number.start, number]));
  const first = findStart(shape);
  const isWhole = first <= line.length - line.trimStart().length;
  let source = isWhole ? '^\\s*' : '';
  let at = first;
  let isAfterToken = isWhole;
  for (const token of tokens) {
    if (token.start < first || (token.kind === 'mixed' && !isLoose)) {
      continue;
    }
    source += formatText(line.slice(at, token.start), isAfterToken, true);
    // The real part of a complex number ends as soon as the rest may be the imaginary one.
    const isReal = tokens.some(({ kind, start }) => kind === 'imaginary' && start === token.end);
    source += formatToken(token, numberAt.get(token.start), captures, isReal ? '+?' : '+');
    at = token.end;
    isAfterToken = true;
  }
  const rest = formatText(line.slice(at).trimEnd(), isAfterToken, false);
  return source + rest + (rest === '' && !/[\w)]/.test(line.charAt(at)) ? '(?:\\s|$)' : '');
}

/** Behind the date at the beginning of a line, if there is one. */
function findStart({ line, tokens }: LineShape): number {
  let start = line.length - line.trimStart().length;
  for (const token of tokens) {
    if (token.kind !== 'time' || !/^[\s[(<|,-]*$/.test(line.slice(start, token.start))) {
      break;
    }
    start = token.end;
  }
  return start;
}

function formatToken(
  token: LineToken,
  number: NamedNumber | undefined,
  captures: Captures,
  repeat: '+' | '+?'
): string {
  switch (token.kind) {
    case 'time':
      return '[-\\w:/.,+ ]+?';
    case 'bar':
      return '.*?';
    case 'imaginary':
      return '[-+][\\d.]+(?:[eEdD][-+]?\\d+)?[ij]';
    case 'mixed':
    case 'unread':
      return '\\S+';
    default: {
      const name = number && captures.get(number);
      const isCount = number !== undefined && /^\d+$/.test(number.text) && (number.isTotal || COUNTS.test(number.name));
      const hasCommas = number?.text.includes(',') === true;
      const text = hasCommas ? '[-+.,\\w]*\\w' : isCount ? '\\d+' : `[-+.\\w]${repeat}`;
      return name === undefined ? text : `(?<${name}>${text})`;
    }
  }
}

/** Constant text. Next to punctuation and next to a token, the number of spaces may change. */
function formatText(text: string, isAfterToken: boolean, isBeforeToken: boolean): string {
  let source = '';
  const pieces = text.split(/(\s+)/);
  pieces.forEach((piece, i) => {
    if (piece === '') {
      return;
    }
    if (/^\s/.test(piece)) {
      const before = pieces[i - 1] ?? '';
      const after = pieces[i + 1] ?? '';
      const isWords = /\w$/.test(before) || (before === '' && isAfterToken);
      const isNextWord = /^\w/.test(after) || (after === '' && isBeforeToken);
      source += isWords && isNextWord ? '\\s+' : '\\s*';
      return;
    }
    source += piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  const hasLooseEnd = isBeforeToken && /[^\w\s]$/.test(text);
  return source + (hasLooseEnd ? '\\s*' : '');
}
