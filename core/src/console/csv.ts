/** A spreadsheet runs what begins with one of these (OWASP, CSV Injection). */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
/** No spreadsheet runs a number, and programs read it. */
const NUMBER = /^[+-](?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)$/i;

/** A text for a cell of a spreadsheet: one that would run as a formula has an apostrophe before it, as is usual. */
export function guardFormula(text: string): string {
  return FORMULA_START.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** A cell of CSV (RFC 4180). */
export function quoteCsvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
