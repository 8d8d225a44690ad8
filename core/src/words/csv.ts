/** A spreadsheet runs what begins with one of these (OWASP, CSV Injection). */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
/** No spreadsheet runs a number, and programs read it. */
const NUMBER = /^[+-](?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)$/i;

/** A text for a cell of a spreadsheet: one that would run as a formula has an apostrophe before it, as is usual. */
function guardFormula(text: string): string {
  return FORMULA_START.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A row of CSV (RFC 4180) without its line end. No cell runs in a spreadsheet, unless the row is to be raw. */
export function formatCsvRow(cells: readonly string[], { isRaw = false } = {}): string {
  return (isRaw ? cells : cells.map(guardFormula)).map(quoteCell).join(',');
}

/** The same with tabs between the cells, as spreadsheets paste them: a tab or a line end within a cell is a space. */
export function formatTsvRow(cells: readonly string[]): string {
  return cells.map((cell) => guardFormula(cell).replace(/[\t\r\n]/g, ' ')).join('\t');
}
