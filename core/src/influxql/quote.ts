import { DAY_NS, HOUR_NS, MINUTE_NS, NS_PER_MS, NS_PER_S, NS_PER_US, WEEK_NS } from '../numbers/time-units.js';
import { formatRfc3339Nano } from '../point/timestamp.js';

/**
 * An identifier (database, measurement, tag or field name) in double quotes. Escapes as InfluxQL's QuoteIdent:
 * backslash, double quote, newline. Always quoted: `user`, `series` and others are keywords.
 */
export function quoteIdentifier(name: string): string {
  return `"${escapeQuoted(name, '"')}"`;
}

/**
 * A string literal in single quotes. Escapes as InfluxQL's QuoteString: backslash, single quote, newline.
 * InfluxQL cannot carry a carriage return or a NUL: InfluxDB refuses the whole query. Stored tag values hold neither.
 */
export function quoteString(text: string): string {
  return `'${escapeQuoted(text, "'")}'`;
}

function escapeQuoted(text: string, quote: '"' | "'"): string {
  return text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replaceAll('\n', '\\n');
}

/**
 * A regular expression between slashes. Only `/` is escaped; InfluxQL passes every other backslash on to the
 * expression. Characters that would end or break the literal are written as escapes of the regular expression itself: a
 * newline, carriage return or NUL, and a backslash at the end (`\` + `/` would read as an escaped slash).
 */
export function quoteRegex(source: string): string {
  return `/${canonicalRegexSource(source).replaceAll('/', '\\/')}/`;
}

/**
 * The same expression with an escape for each character that a regex literal cannot carry, and in a form that no engine
 * writes out as a list of texts. All others stay.
 */
export function canonicalRegexSource(source: string): string {
  const printable = preventExpansion(source).replace(/[\n\r\0]/g, (char) => CONTROL_ESCAPES[char] ?? char);
  const trailing = /(?<!\\)\\+$/.exec(printable)?.[0].length ?? 0;
  if (trailing === 0) return printable;
  const cut = trailing % 2 === 0 ? 2 : 1;
  return `${printable.slice(0, -cut)}\\x5c`;
}

/** Matches nothing more: an expression that begins with it is not taken for the list of texts that it matches. */
const NO_LIST = '(?:)';
const ANCHOR = /\^|\\A/;
const ESCAPED = /\\[^\p{L}\p{N}]/gu;
/** Repeats what is before it: there, it is an error that stays one. */
const REPETITION = /^(?:\(\?[A-Za-z-]+\))*[*+?{]/;

/**
 * Engines with InfluxDB's rewriting of expressions look up `^(a|b)$` as two texts. openGemini 1.5 does so for
 * `^[a-f]{10}$` as well, runs out of memory at 6^10 texts, and ends (matchExactRegex in its influxql/ast.go).
 */
function preventExpansion(source: string): string {
  const isHarmless = !ANCHOR.test(source) || source.startsWith(NO_LIST) || isShortList(source);
  return isHarmless || REPETITION.test(source) ? source : NO_LIST + source;
}

/** Only of a class, a count or several groups together does an engine write out very many texts. */
function isShortList(source: string): boolean {
  const bare = source.replace(ESCAPED, '');
  return !/[[\\{]/.test(bare) && bare.split('(').length <= 2;
}

const CONTROL_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\x0a', '\r': '\\x0d', '\0': '\\x00' };

const DURATION_UNITS: ReadonlyArray<readonly [string, bigint]> = [
  ['w', WEEK_NS],
  ['d', DAY_NS],
  ['h', HOUR_NS],
  ['m', MINUTE_NS],
  ['s', NS_PER_S],
  ['ms', NS_PER_MS],
  ['u', NS_PER_US],
];

/**
 * A duration literal in the largest unit that holds it exactly, as InfluxQL's FormatDuration: `90m`, `1h`, `-5ns`,
 * `0s`.
 */
export function formatDuration(durationNs: bigint): string {
  if (durationNs === 0n) return '0s';
  const unit = DURATION_UNITS.find(([, size]) => durationNs % size === 0n);
  return unit === undefined ? `${durationNs}ns` : `${durationNs / unit[1]}${unit[0]}`;
}

/** A time literal: RFC 3339 in UTC with nanoseconds, in single quotes. */
export function formatTime(timeNs: bigint): string {
  return `'${formatRfc3339Nano(timeNs)}'`;
}

/**
 * A float literal with a decimal point (without one it would be an integer) and without an exponent, which InfluxQL
 * does not know.
 */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`InfluxQL has no literal for ${value}`);
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const point = whole.length + Number(exponent);
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${fraction}`;
  const padded = digits.padEnd(Math.max(1, point), '0');
  const at = Math.max(1, point);
  return `${sign}${padded.slice(0, at)}.${padded.slice(at) || '0'}`;
}
