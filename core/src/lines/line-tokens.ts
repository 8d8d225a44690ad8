import { findNumberEnd } from './number-end.js';
import { FINITE_NUMBER, UNSIGNED_NUMBER } from './printed-value.js';

/** The parts of a line that change from one line to the next of the same pattern. */
export type LineTokenKind =
  | 'number'
  /** A date, a time of day or a duration. */
  | 'time'
  /** The drawing of a bar. */
  | 'bar'
  /** What is behind the real part of a complex number: `-0.25j`. */
  | 'imaginary'
  /** A word that holds digits, such as a path or a version. */
  | 'mixed'
  /** What begins like a number, and is none that we know: `1,5`, `12.5-13.25`, `1.#QNAN`. */
  | 'unread';

export interface LineToken {
  readonly kind: LineTokenKind;
  readonly start: number;
  readonly end: number;
}

const TIME = [
  // 2024-03-04T10:04:08.424+01:00, 2024/03/04 10:04, 12/09/24 14:03:31, 04-12-2024
  String.raw`\d{1,4}[-/]\d\d[-/]\d{2,4}(?:[T_ ,]+\d\d?:\d\d(?::\d\d)?(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?(?![\w/.])`,
  // 20240304_100408
  String.raw`(?:19|20)\d{6}[_-]\d{6}(?![\w.])`,
  // Tue May  9 10:16:47 2023, Nov-02 14:05:53.185, Jan 02 10:00:00
  String.raw`(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[- ] ?\d\d?(?: +\d\d?:\d\d(?::\d\d)?(?:\.\d+)?)?(?: +[A-Z]{3,4})?(?: \d{4})?(?![\w.])`,
  // Sat 01 Jan 2022 10:00:00
  String.raw`(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +)?\d\d? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}(?:,? +\d\d?:\d\d(?::\d\d)?(?:[.,]\d+)?)?(?![\w.])`,
  // I0101 12:00:00.000123 12345: level, time and thread of glog
  String.raw`[IWEF]\d{4} \d\d:\d\d:\d\d(?:\.\d+)?(?: +\d+)?(?![\w.])`,
  // 1-02:03:04, 00:10, 07:41:19.5, 10:27 PM; 04/12 10:00:00, 04-12 10:00:00
  String.raw`(?:\d\d[/-]\d\d )?(?:\d+-)?\d+:\d\d(?::\d\d)?(?:[.,]\d+)?(?: ?[AP]M\b)?(?![\w:])`,
  // 1h2m3s, 0m56.895s, 2d 3h, 0h:1m:12s
  String.raw`\d+[dhm][ :]?\d+(?:\.\d+)?[hms](?:[ :]?\d+(?:\.\d+)?s)?(?!\w)`,
].join('|');

const BAR = String.raw`\[[=>.#-]{4,}\]|\|[█▉▊▋▌▍▎▏ #=>-]*\|(?= *\d+/)|[━╸╺╌▏▎▍▌▋▊▉█░▒▓]{2,}`;

const NUMBER = String.raw`${FINITE_NUMBER}|[+-]?(?:nan|NaN|NAN|inf|Inf|INF|Infinity)(?![\w])`;

const IMAGINARY = String.raw`(?<=\d)[+-]${UNSIGNED_NUMBER}[ij](?!\w)`;

/** Places in sources, versions, addresses and names that begin with a digit. */
const MIXED = String.raw`[\w./-]{1,256}\.(?:py|cc|cpp|cu|c|h|hpp|java|scala|jl|rs|go|ts|js):\d+|\d+(?:\.\d+){2,}[\w.-]*|0x[0-9a-fA-F]+|(?!\d+(?:[eE][+-]?|[dDqQ][+-])\d+(?![\w.])|[1-9]\d{0,2}(?:_\d{3})+(?!\w))\d+[A-Za-z_][\w.-]*[\d_-][\w.-]*`;
/** `tStar+30` is one, and `$1.25` is none. */
const WORD = String.raw`(?:[A-Za-z_~\\]|\$(?!\d)|/(?=[A-Za-z_~.]))[\w$/~\\.@-]*(?:[+*^]\w[\w.]*)*`;

// A digit always begins a token, if only a number: no run of digits is looked at again from its second digit.
const TOKEN = new RegExp(`(${TIME})|(${BAR})|(${MIXED})|(${IMAGINARY})|(${NUMBER})|(${WORD})`, 'gu');

/** The tokens of a line, from left to right; the text between them is the same in each line of a pattern. */
export function findTokens(line: string): readonly LineToken[] {
  const tokens: LineToken[] = [];
  let at = 0;
  for (const match of line.matchAll(TOKEN)) {
    const token = match.index < at ? undefined : readToken(line, match);
    if (token !== undefined) {
      const whole = token.kind === 'number' ? endNumber(line, token) : token;
      tokens.push(whole);
      at = whole.end;
    }
  }
  return tokens;
}

/** With separators between thousands; with all that is stuck to it, unread, where that is not understood. */
function endNumber(line: string, { kind, start, end }: LineToken): LineToken {
  const found = findNumberEnd(line, start, end);
  return { kind: found.isRead ? kind : 'unread', start, end: found.end };
}

function readToken(line: string, match: RegExpExecArray): LineToken | undefined {
  const [text, time, bar, mixed, imaginary, number] = match;
  const start = match.index;
  const end = start + text.length;
  if (imaginary !== undefined) {
    return { kind: 'imaginary', start, end };
  }
  if (number === undefined) {
    const isMixed = mixed !== undefined || /\d/.test(text);
    const kind = time === undefined ? (bar === undefined ? 'mixed' : 'bar') : 'time';
    return kind === 'mixed' && !isMixed ? undefined : { kind, start, end };
  }
  // A sign right behind a word or a number is a hyphen; a point at the very end, or before another, is a full stop.
  const isHyphen = /^[+-]/.test(text) && start > 0 && /[\w)\]]/.test(line.charAt(start - 1));
  const isStop = text.endsWith('.') && (line[end] === '.' || end >= line.trimEnd().length);
  return { kind: 'number', start: start + (isHyphen ? 1 : 0), end: end - (isStop ? 1 : 0) };
}
