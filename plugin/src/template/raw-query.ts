import type { ScopedVars } from '@grafana/data';
import { formatTime, quoteIdentifier, quoteRegex, quoteString } from '@joblens/core/influxql/quote';
import { escapeRegex } from '@joblens/core/words/escape-regex';
import { type TemplateSource, toValues } from './template.js';

/** A place in an InfluxQL text. A variable is written differently in each. */
type Place = 'code' | 'string' | 'identifier' | 'regex' | 'comment';
interface Piece {
  readonly place: Place;
  readonly text: string;
}

const NUMBER_OR_DURATION = /^-?\d+(?:\.\d+)?(?:ns|u|µ|ms|s|m|h|d|w)?$/;
const TIME_FILTER = /\$(?:__)?timeFilter\b/g;
/** A slash starts a regular expression after these; elsewhere it divides. */
const BEFORE_REGEX = /(?:[~,(]|\bfrom|\bby|\bmeasurement|\bselect)\s*$/i;

const PIECES: ReadonlyArray<readonly [Place, RegExp]> = [
  ['comment', /--[^\n]*|\/\*[^]*?(?:\*\/|$)/y],
  ['string', /'(?:\\[^]|[^'\\])*(?:'|$)/y],
  ['identifier', /"(?:\\[^]|[^"\\])*(?:"|$)/y],
  ['regex', /\/(?:\\[^]|[^/\\\n])*(?:\/|$)/y],
];

/**
 * Fills the variables of an InfluxQL text in. Each is quoted for its place, so no value can end the literal around it:
 * - in '…' and "…" a variable must have one value,
 * - in /…/ several values become (a|b),
 * - elsewhere numbers and durations stay as they are, and everything else becomes a string literal.
 *
 * `$timeFilter` becomes the condition on time; without a range it stays. Throws RangeError when a variable has several
 * values where one is needed.
 */
export function interpolateRawQuery(
  rawQuery: string,
  range: { readonly fromNs: bigint; readonly toNs: bigint } | undefined,
  scopedVars: ScopedVars,
  templates: TemplateSource
): string {
  const timeFilter = range && `time >= ${formatTime(range.fromNs)} AND time <= ${formatTime(range.toNs)}`;
  return splitInfluxql(rawQuery)
    .map(({ place, text }) => {
      if (place === 'comment') return ' ';
      const filled = place === 'code' && timeFilter !== undefined ? text.replace(TIME_FILTER, timeFilter) : text;
      return templates.replace(filled, scopedVars, (value) => formatValue(place, toValues(value)));
    })
    .join('');
}

/** Cuts an InfluxQL text into code, literals and comments. Joined again, they are the same text. */
export function splitInfluxql(text: string): Piece[] {
  const pieces: Piece[] = [];
  let codeFrom = 0;
  let at = 0;
  while (at < text.length) {
    const piece = matchPiece(text, at, codeFrom);
    if (piece === undefined) {
      at += 1;
      continue;
    }
    if (codeFrom < at) pieces.push({ place: 'code', text: text.slice(codeFrom, at) });
    pieces.push(piece);
    at += piece.text.length;
    codeFrom = at;
  }
  if (codeFrom < text.length) pieces.push({ place: 'code', text: text.slice(codeFrom) });
  return pieces;
}

function matchPiece(text: string, at: number, codeFrom: number): Piece | undefined {
  for (const [place, pattern] of PIECES) {
    if (place === 'regex' && !BEFORE_REGEX.test(text.slice(codeFrom, at))) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    if (match !== undefined) return { place, text: match };
  }
  return undefined;
}

function formatValue(place: Place, values: readonly string[]): string {
  if (place === 'regex') return formatAlternatives(values);
  const [value = '', ...more] = values;
  if (more.length > 0) {
    throw new RangeError(
      `A variable has ${values.length} values where the query takes one: write =~ /^\${name}$/ to match any of them`
    );
  }
  if (place === 'string') return quoteString(value).slice(1, -1);
  if (place === 'identifier') return quoteIdentifier(value).slice(1, -1);
  return NUMBER_OR_DURATION.test(value) ? value : quoteString(value);
}

/** Values inside a regular expression of InfluxQL, taken literally. */
function formatAlternatives(values: readonly string[]): string {
  const escaped = values.map((value) => quoteRegex(escapeRegex(value)).slice(1, -1));
  return escaped.length === 1 ? (escaped[0] ?? '') : `(${escaped.join('|')})`;
}
