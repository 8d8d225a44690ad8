import { FINITE_NUMBER, isNumberText, readPrintedValue } from './printed-value.js';

const VALUE = String.raw`([+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|${FINITE_NUMBER}|[+-]?(?:nan|inf|infinity))`;
/** `name: 1.2`, `name = 1.2`, `name 1.2`; a unit or a percent sign may follow. */
const PAIR = new RegExp(
  `^(.*?[^\\s:=])(?:\\s+(?:[:=]\\s*)?|[:=]\\s*)${VALUE}\\s*(?:%|[A-Za-zµ]{1,3}(?:/[A-Za-z]+)?)?$`,
  'i'
);

/** `7 steps of size 4.5e-01. acc. prob=0.92` of NumPyro: the words before belong to numbers that change. */
const NUMBERS_BEFORE = /^\d+ [^\d]*\d[\d.e+-]*\s+(?=\S)/;
/** A longer piece is prose. */
const MAX_PIECE_CHARS = 200;

/** Reads pieces of a line such as `lm loss: 1.2E+00` into a row; all other pieces are left out. */
export function readPairs(pieces: readonly string[]): Map<string, number | string> {
  const row = new Map<string, number | string>();
  for (const piece of pieces) {
    const [, name, value] = (piece.length <= MAX_PIECE_CHARS && PAIR.exec(piece.trim())) || [];
    // `eta: 0:10:00` is a time, and `loss: 0.5 0.25` has two values.
    if (name !== undefined && value !== undefined && !/[:=]\s*[+-]?\.?\d\S*$/.test(name)) {
      row.set(name.replace(NUMBERS_BEFORE, ''), readPrintedValue(value));
    }
  }
  return row;
}

/** The row with texts that are numbers made numbers, as programs print that put them in quotes. */
export function readQuotedNumbers(row: ReadonlyMap<string, number | string>): Map<string, number | string> {
  return new Map(
    Array.from(row, ([key, value]) => [
      key,
      typeof value === 'string' && isNumberText(value) ? readPrintedValue(value) : value,
    ])
  );
}
