import { PrintedNumber, readPrintedNumber } from '../json/printed-json.js';

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** `121,400`, as some programs print what they count. */
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
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
  const text = THOUSANDS.test(printed) ? printed.replace(/,/g, '') : printed;
  if (NUMBER.test(text)) {
    const value = readPrintedNumber(text.startsWith('+') ? text.slice(1) : text);
    return value instanceof PrintedNumber ? value.text : value;
  }
  const [, sign, nan] = NONFINITE.exec(text) ?? [];
  if (sign === undefined) {
    return text;
  }
  return nan === undefined ? `${sign === '-' ? '-' : ''}Infinity` : 'NaN';
}
