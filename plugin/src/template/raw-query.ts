import type { ScopedVars } from '@grafana/data';
import { formatTime, quoteIdentifier, quoteRegex, quoteString } from '@joblens/core';
import { type TemplateSource, toValues } from './template.js';

/** Where in an InfluxQL text a piece stands; a variable is written differently in each place. */
type Place = 'code' | 'string' | 'identifier' | 'regex' | 'comment';
interface Piece {
  readonly place: Place;
  readonly text: string;
}

const NUMBER_OR_DURATION = /^-?\d+(?:\.\d+)?(?:ns|u|µ|ms|s|m|h|d|w)?$/;
const TIME_FILTER = /\$(?:__)?timeFilter\b/g;
/** A slash starts a regular expression where a value or a source may stand, else it divides. */
const BEFORE_REGEX = /(?:[~,(]|\bfrom|\bby|\bmeasurement|\bselect)\s*$/i;

const PIECES: ReadonlyArray<readonly [Place, RegExp]> = [
  ['comment', /--[^\n]*|\/\*[^]*?(?:\*\/|$)/y],
  ['string', /'(?:\\[^]|[^'\\])*(?:'|$)/y],
  ['identifier', /"(?:\\[^]|[^"\\])*(?:"|$)/y],
  ['regex', /\/(?:\\[^]|[^/\\\n])*(?:\/|$)/y],
];

/**
 * An InfluxQL text with its variables filled in, each as the place where it stands needs it, so that no value can end the literal it is in.
 * In '…' and "…" a variable must have one value; in /…/ several become (a|b); elsewhere numbers and durations stay, all else becomes
 * a string literal. `$timeFilter` becomes the condition on time, and stays without a range. Throws RangeError when several values stand where one must.
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

/** An InfluxQL text cut into code, literals and comments; joined again it is the same text. */
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
  const escaped = values.map((value) => quoteRegex(value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).slice(1, -1));
  return escaped.length === 1 ? (escaped[0] ?? '') : `(${escaped.join('|')})`;
}
