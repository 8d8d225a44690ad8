import { formattedValueToString, type Field } from '@grafana/data';

const SIGNIFICANT_DIGITS = 5;
/** Columns whose largest value lies between these are written plainly, others with an exponent. */
const PLAIN_MIN = 1e-3;
const PLAIN_MAX = 1e12;

/** Values looked at to find how many digits a column needs: the newest, and as many of all. */
const SAMPLE_SIZE = 250;

function formatExponent(value: number): string {
  return value.toExponential(SIGNIFICANT_DIGITS - 1).replace(/\.?0+e/, 'e');
}

/** Digits after the point that some value of the column needs, of those that `write` gives. */
function countDecimals(values: readonly number[], write: (value: number) => string): number {
  const stride = Math.ceil(values.length / SAMPLE_SIZE);
  const sample = values.filter((_, index) => index % stride === 0 || index >= values.length - SAMPLE_SIZE);
  const needed = sample.map((value) => /\.(\d*?)0*(?:e|$)/.exec(write(value))?.[1]?.length ?? 0);
  return needed.reduce((most, count) => Math.max(most, count), 0);
}

/** One number by itself: five digits, no more zeros than it needs. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const size = Math.abs(value);
  if (size < PLAIN_MIN || size >= PLAIN_MAX) return formatExponent(value);
  const digits = Math.max(SIGNIFICANT_DIGITS, Math.floor(Math.log10(size)) + 2);
  return String(Number(value.toPrecision(Math.min(digits, 17))));
}

function createExponentFormat(values: readonly number[]): (value: number) => string {
  const decimals = countDecimals(values, (value) => value.toExponential(SIGNIFICANT_DIGITS - 1));
  return (value) => (value === 0 ? '0' : value.toExponential(decimals));
}

function createPlainFormat(values: readonly number[], largest: number): (value: number) => string {
  const most = Math.max(1, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(largest)));
  const decimals = Math.max(
    1,
    countDecimals(values, (value) => value.toFixed(most))
  );
  const smallest = 10 ** -(most - 1);
  return (value) => {
    if (value !== 0 && Math.abs(value) < smallest) return formatExponent(value);
    return value.toFixed(decimals);
  };
}

/** One way of writing for all numbers of a column, so that their points stand below each other. */
export function createNumberFormat(values: readonly unknown[]): (value: number) => string {
  const finite = values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
  if (finite.every((value) => Number.isInteger(value) && Math.abs(value) < 1e15)) return formatNumber;
  const largest = finite.reduce((all, value) => Math.max(all, Math.abs(value)), 0);
  const isPlain = largest >= PLAIN_MIN && largest < PLAIN_MAX;
  const format = isPlain ? createPlainFormat(finite, largest) : createExponentFormat(finite);
  return (value) => (Number.isFinite(value) ? format(value) : String(value));
}

/** By the field's own unit and decimals where someone has set them, else `undefined`. */
export function createUnitFormat(field: Field): ((value: unknown) => string) | undefined {
  const { display, config } = field;
  const isSet = config.unit !== undefined || config.decimals !== undefined || (config.mappings?.length ?? 0) > 0;
  return display !== undefined && isSet ? (value) => formattedValueToString(display(value)) : undefined;
}
