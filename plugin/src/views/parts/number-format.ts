import { formattedValueToString, type Field } from '@grafana/data';

const SIGNIFICANT_DIGITS = 5;
/** Columns whose largest value lies between these are written plainly, others with an exponent. */
const PLAIN_MIN = 1e-3;
const PLAIN_MAX = 1e12;
/** A column whose small values need more digits than this beside its large ones is written with an exponent too. */
const MAX_PLAIN_DIGITS = 10;
/** Digits that every double holds. Values that differ only in later digits are equal but for rounding. */
const DOUBLE_DIGITS = 15;
/** Integers up to here are exact. */
const MAX_EXACT_INTEGER = 2 ** 53;

/** Values looked at to find how many digits a column needs: the newest, and as many of all. */
const SAMPLE_SIZE = 250;

/** A way of writing numbers with a given count of decimals. */
type Notation = (value: number, decimals: number) => string;
const plainNotation: Notation = (value, decimals) => value.toFixed(decimals);
const exponentNotation: Notation = (value, decimals) => (value === 0 ? '0' : value.toExponential(decimals));

/**
 * A value at five significant digits: the number of digits after the first, without trailing zeros, and the power of
 * ten.
 */
function readDigits(value: number): { readonly fraction: number; readonly exponent: number } {
  const [, fraction = '', exponent = '0'] =
    /\.((?:\d*[1-9])?)0*e(.+)$/.exec(value.toExponential(SIGNIFICANT_DIGITS - 1)) ?? [];
  return { fraction: fraction.length, exponent: Number(exponent) };
}

/** The rows whose digits decide: a sample, the newest rows, and the value nearest to zero. */
function listSampleRows(values: readonly number[]): number[] {
  const stride = Math.ceil(values.length / SAMPLE_SIZE);
  let smallest = -1;
  values.forEach((value, row) => {
    if (value !== 0 && Math.abs(value) < Math.abs(values[smallest] ?? Infinity)) smallest = row;
  });
  return [...values.keys()].filter(
    (row) => row % stride === 0 || row >= values.length - SAMPLE_SIZE || row === smallest
  );
}

/**
 * The fewest decimals, from `least` up, that tell each row of the sample from the row before, where the values
 * differ.
 */
function countDecimalsApart(
  values: readonly number[],
  rows: readonly number[],
  notation: Notation,
  { least, most }: { readonly least: number; readonly most: number }
): number {
  let decimals = least;
  for (const row of rows) {
    const value = values[row] ?? NaN;
    const before = values[row - 1] ?? value;
    if (notation(value, most) === notation(before, most)) continue;
    while (decimals < most && notation(value, decimals) === notation(before, decimals)) decimals += 1;
  }
  return decimals;
}

/**
 * One notation for all numbers of a column, so that their decimal points line up: five digits of each value, and as
 * many more as tell neighbouring rows apart.
 */
export function createNumberFormat(values: readonly unknown[]): (value: number) => string {
  const finite = values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
  if (finite.every((value) => Number.isInteger(value) && Math.abs(value) <= MAX_EXACT_INTEGER)) return String;
  const rows = listSampleRows(finite);
  const digits = rows.map((row) => readDigits(finite[row] ?? 0));
  const largest = finite.reduce((all, value) => Math.max(all, Math.abs(value)), 0);
  const integerDigits = Math.max(1, readDigits(largest).exponent + 1);
  const decimals = Math.max(1, ...digits.map(({ fraction, exponent }) => fraction - exponent));
  const isNarrow = decimals < SIGNIFICANT_DIGITS || integerDigits + decimals <= MAX_PLAIN_DIGITS;
  const isPlain = largest >= PLAIN_MIN && largest < PLAIN_MAX && isNarrow;
  const notation = isPlain ? plainNotation : exponentNotation;
  const least = isPlain ? decimals : Math.max(0, ...digits.map(({ fraction }) => fraction));
  const most = Math.max(least, DOUBLE_DIGITS - (isPlain ? integerDigits : 1));
  const count = countDecimalsApart(finite, rows, notation, { least, most });
  return (value) => (Number.isFinite(value) ? notation(value, count) : String(value));
}

/** By the field's own unit and decimals where someone has set them, else `undefined`. */
export function createUnitFormat(field: Field): ((value: unknown) => string) | undefined {
  const { display, config } = field;
  const isSet = config.unit !== undefined || config.decimals !== undefined || (config.mappings?.length ?? 0) > 0;
  return display !== undefined && isSet ? (value) => formattedValueToString(display(value)) : undefined;
}
