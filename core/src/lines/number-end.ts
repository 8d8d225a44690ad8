import { UNSIGNED_NUMBER } from './printed-value.js';

/** Where a number ends with its separators; where all ends that is stuck to it, if it is not understood. */
export interface NumberEnd {
  readonly end: number;
  readonly isRead: boolean;
}

/** Before a number, and behind it, so much is looked at. */
const MAX_CHARS = 40;

/** A number with separators between thousands, and the unit that may be stuck to it. */
const THOUSANDS = /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:_\d{3})+)(?:\.\d+)?(?![\d.]|[,_]\d)/;
/** Numbers with a comma between, and none of them with a name of its own. */
const COMMAS = /^[\d.]+(?:,[+-]?[\d.]+)+/;
/** `shape=256,256` are two numbers. */
const LIST_NAME = /(?:size|shape|dims?|resolution|crop|range|layers?|ids?|gpus?|devices?)$/i;
const NAME_END = /[\p{L}\d_)\]|%$€£]$/u;
/** `9,115 tok/s` is named by its unit. */
const UNIT_BEHIND = /^\s?[A-Za-zµ%]/;

/** What may be stuck to a number: its unit. `1.25e` has lost its exponent. */
const UNIT = /^(?![eEDQ](?!\w))(?:[\p{L}°Å]+|[a-z]{0,2}m[23])(?![\w#])/u;
/** The rest of a number in a way of printing that we do not know. */
const REST = new RegExp(String.raw`^(?:[\w#]|[+*^×·'’\u00a0\u202f]\d|[-–−][\d.]|\(\d+\)[eEdDxX×*^])`, 'u');
/** `x 10^-3`, whose 10 is no number of its own. */
const POWER_OF_TEN = /^\s?[x×*·]\s?10\s?(?:\^|\*\*|[⁰¹²³⁴-⁹⁻])\s?[-+−(]?\S*/u;
/** A minus that is none of ASCII; a dash where a number begins. */
const OTHER_MINUS = /[−﹣－‐‑]$|(?:^|[\s=:([{|])[–—]$/u;
const IMAGINARY = new RegExp(String.raw`^[+-]${UNSIGNED_NUMBER}[ij](?!\w)`);

/** The end of the number of which these are the first digits. */
export function findNumberEnd(line: string, start: number, end: number): NumberEnd {
  const before = line.slice(Math.max(0, start - MAX_CHARS), start);
  if (/^[,_]\d|^,[+-]?[\d.]/.test(line.slice(end, end + 3))) {
    return endCommas(line, start, end, before);
  }
  if (OTHER_MINUS.test(before)) return { end: Math.min(line.length, findWordEnd(line, end)), isRead: false };
  const rest = line.slice(end, end + MAX_CHARS);
  const [power] = POWER_OF_TEN.exec(rest) ?? [];
  if (power !== undefined) return { end: end + power.length, isRead: false };
  const isUnread = REST.test(rest) && !UNIT.test(rest) && !IMAGINARY.test(rest);
  return isUnread ? { end: findWordEnd(line, end), isRead: false } : { end, isRead: true };
}

function endCommas(line: string, start: number, end: number, before: string): NumberEnd {
  const isBound = /[=:]\s*$/.test(before);
  const name = before.trimEnd().replace(/[=:]$/, '').trimEnd();
  const text = line.slice(start, start + MAX_CHARS);
  const sign = /^[+-]?/.exec(text)?.[0].length ?? 0;
  const [thousands] = THOUSANDS.exec(text.slice(sign)) ?? [];
  if (thousands !== undefined && !LIST_NAME.test(name)) {
    const length = sign + thousands.length;
    const isNumber = isBound || /[\p{L}_)|$€£]$/u.test(name) || UNIT_BEHIND.test(text.slice(length));
    if (isNumber) return { end: start + length, isRead: true };
  }
  const [commas = ''] = COMMAS.exec(text) ?? [];
  const isUnread = commas !== '' && (isBound || NAME_END.test(name));
  return isUnread ? { end: start + commas.length, isRead: false } : { end, isRead: true };
}

/** The end of what has no space in it. */
function findWordEnd(line: string, from: number): number {
  let end = from;
  while (end < line.length && !/[\s,;|)\]}]/.test(line.charAt(end))) end += 1;
  return Math.max(end, from + 1);
}
