import { PrintedNumber, readPrintedNumber } from '../json/printed-json.js';

/**
 * The source of an expression for a number without a sign. Fortran prints exponents with a D or a Q, and without any
 * letter where they have three digits: `1.25D+02`, `1.2-104`.
 */
export const UNSIGNED_NUMBER = String.raw`(?:(?:\d+\.\d*|\.\d+)(?:[eEdDqQ][+-]?\d+|[+-][1-3]\d\d(?![\w.]))?|\d+(?:[eE][+-]?\d+|[dDqQ][+-]\d+)?)`;
export const FINITE_NUMBER = `[+-]?${UNSIGNED_NUMBER}`;

const NUMBER = new RegExp(`^${FINITE_NUMBER}$`);
const EXPONENT_BEGINS = /[eEdDqQ]|(?<=[\d.])(?=[+-])/;
/** `121,400`, as some programs print what they count; no decimal comma has a zero alone before it. */
const THOUSANDS = /^[+-]?[1-9]\d{0,2}(?:(?:,\d{3})+|(?:_\d{3})+)(?:\.\d+)?$/;
const NONFINITE = /^([+-]?)(?:(nan)|inf(?:inity)?)$/i;

/** Whether a text is a printed number, finite or not. */
export function isNumberText(text: string): boolean {
  return NUMBER.test(text) || THOUSANDS.test(text) || NONFINITE.test(text);
}

/**
 * A printed value as a row holds it: a number if a double carries it exactly, `NaN`, `Infinity` or `-Infinity`, else
 * the text itself.
 */
export function readPrintedValue(printed: string): number | string {
  const text = THOUSANDS.test(printed) ? printed.replace(/[,_]/g, '') : printed;
  if (NUMBER.test(text)) {
    const [mantissa = '', exponent] = text.replace(/^\+/, '').split(EXPONENT_BEGINS);
    const value = readPrintedNumber(exponent === undefined ? mantissa : `${mantissa}e${exponent}`);
    return value instanceof PrintedNumber ? value.text : value;
  }
  const [, sign, nan] = NONFINITE.exec(text) ?? [];
  if (sign === undefined) {
    return text;
  }
  return nan === undefined ? `${sign === '-' ? '-' : ''}Infinity` : 'NaN';
}
