const SIGNIFICANT_DIGITS = 5;
/** What a large number keeps behind its point. */
const KEPT_DECIMALS = 3;
/** Digits that every double holds. */
const DOUBLE_DIGITS = 15;
/** Sizes between these are written plainly, others with an exponent. */
export const PLAIN_MIN = 1e-3;
const PLAIN_MAX = 1e12;
const PLAIN_INTEGER_MAX = 1e15;

/** How many digits are before the decimal point; 0 and less for a number below 1. */
function countIntegerDigits(size: number): number {
  return Number(size.toExponential().split('e')[1]) + 1;
}

/** Decimals that show a difference of this size; none for a whole one. */
function countStepDecimals(step: number): number {
  return Number.isFinite(step) && step > 0 ? Math.ceil(-Math.log10(step)) : 0;
}

/**
 * One number by itself, with no more zeros than it needs: five digits, three decimals of a large one, and as many more
 * as tell it from its neighbour, which is `step` away.
 */
export function formatNumber(value: number, step = Infinity): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size === 0 || (Number.isInteger(value) && size < PLAIN_INTEGER_MAX)) return String(value);
  const integerDigits = countIntegerDigits(size);
  const stepDigits = integerDigits + countStepDecimals(step);
  const isPlain = size >= PLAIN_MIN && size < PLAIN_MAX;
  const least = isPlain ? Math.max(SIGNIFICANT_DIGITS, integerDigits + KEPT_DECIMALS) : SIGNIFICANT_DIGITS;
  const digits = Math.min(DOUBLE_DIGITS, Math.max(least, stepDigits));
  if (isPlain) return String(Number(value.toPrecision(digits)));
  return value.toExponential(digits - 1).replace(/\.?(?<!0)0+e/, 'e');
}
