import { NUMBER_BYTES, POWERS_AT, SMALLEST_POWER } from './metadata-layout';
import { high, low, multiply } from './multiply';

const ZERO: u8 = 0x30;
const MINUS: u8 = 0x2d;
const PLUS: u8 = 0x2b;
const POINT: u8 = 0x2e;
const SMALL_E: u8 = 0x65;
const CASE: u8 = 0x20;

/** Numbers of this many digits always fit into 64 bits. */
const MAX_DIGITS: i32 = 19;
const MAX_SAFE_INTEGER: f64 = 9007199254740991;
/** Both are exact as doubles, so their product and quotient are the nearest doubles (Clinger 1990). */
const MAX_EXACT_MANTISSA: u64 = 1 << 53;
const MAX_EXACT_POWER: i32 = 22;

const TENS: StaticArray<u64> = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
const EXACT_TENS: StaticArray<f64> = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
];

/** After `readNumber`: the nearest double, and where its text may end, without trailing zeros. */
export let numberValue: f64 = 0;
export let numberTextEnd: usize = 0;
/** Whether it is an integer beyond those that a double holds, which is a text as well. */
export let isInexact: bool = false;

/** The digits that were read since this was 0, as one integer. */
let mantissa: u64 = 0;
let exponent: i32 = 0;

/** Reads a JSON number and returns where it ends; 0 for anything else, and for a number that is not read here. */
export function readNumber(start: usize): usize {
  const isNegative = load<u8>(start) == MINUS;
  const first = isNegative ? start + 1 : start;
  mantissa = 0;
  isInexact = false;
  let end = readDigits(first);
  const wholeDigits = <i32>(end - first);
  if (wholeDigits == 0 || (wholeDigits > 1 && load<u8>(first) == ZERO)) return 0;
  let textEnd = end;
  let power = 0;
  if (load<u8>(end) == POINT) {
    const fraction = end + 1;
    end = readDigits(fraction);
    if (end == fraction) return 0;
    textEnd = findTextEnd(end);
    power = -(<i32>(end - fraction));
  }
  const hasExponent = (load<u8>(end) | CASE) == SMALL_E;
  isInexact = power == 0 && !hasExponent && mantissa > MAX_EXACT_MANTISSA;
  const digits = wholeDigits - power;
  if (digits > MAX_DIGITS && isTooLong(first, end, digits)) return 0;
  if (hasExponent) {
    end = readExponent(end + 1);
    if (end == 0) return 0;
    textEnd = end;
    power += exponent;
  }
  const value = isInexact ? <f64>mantissa : toDouble(power);
  // The comparison also fails for NaN, a number that is not known here.
  if (end - start > NUMBER_BYTES || !(isInexact || value <= MAX_SAFE_INTEGER)) return 0;
  numberValue = isNegative ? -value : value;
  numberTextEnd = textEnd;
  return end;
}

/** Reads digits, eight at a time, and returns where they end. */
function readDigits(start: usize): usize {
  let at = start;
  let digits: i32;
  do {
    let values = load<u64>(at) ^ 0x3030303030303030;
    // The top bit is set for each byte that is no digit. It is reliable up to the first such byte.
    const others = ((values + 0x7676767676767676) | values) & 0x8080808080808080;
    digits = <i32>(ctz(others) >> 3);
    if (digits == 0) break;
    values <<= 64 - 8 * digits;
    values = (values * 10 + (values >> 8)) & 0x00ff00ff00ff00ff;
    values = (values * 100 + (values >> 16)) & 0x0000ffff0000ffff;
    values = (values * 10_000 + (values >> 32)) & 0xffffffff;
    mantissa = mantissa * unchecked(TENS[digits]) + values;
    at += digits;
  } while (digits == 8);
  return at;
}

function isDigit(byte: u8): bool {
  return <u8>(byte - ZERO) <= 9;
}

/** `end`: the end of the fraction. */
function findTextEnd(end: usize): usize {
  let at = end;
  while (load<u8>(at - 1) == ZERO) at -= 1;
  return load<u8>(at - 1) == POINT ? at - 1 : at;
}

/** Whether there are too many digits, counted from the first one that is not zero. */
function isTooLong(start: usize, end: usize, digits: i32): bool {
  if (load<u8>(start) != ZERO) return digits > MAX_DIGITS;
  let at = start;
  while (load<u8>(at) == ZERO || load<u8>(at) == POINT) at += 1;
  return <i32>(end - at) > MAX_DIGITS;
}

function readExponent(start: usize): usize {
  const sign = load<u8>(start);
  const first = sign == MINUS || sign == PLUS ? start + 1 : start;
  let at = first;
  let value = 0;
  for (; isDigit(load<u8>(at)); at += 1) value = min(value * 10 + <i32>(load<u8>(at) - ZERO), 10_000);
  exponent = sign == MINUS ? -value : value;
  return at == first ? 0 : at;
}

/** The nearest double of the mantissa times a power of ten; NaN if it is not known here. */
function toDouble(power: i32): f64 {
  if (mantissa <= MAX_EXACT_MANTISSA && power <= MAX_EXACT_POWER && power >= -MAX_EXACT_POWER) {
    const whole = <f64>mantissa;
    return power < 0 ? whole / unchecked(EXACT_TENS[-power]) : whole * unchecked(EXACT_TENS[power]);
  }
  return mantissa != 0 && power < 0 && power >= SMALLEST_POWER ? roundProduct(power) : NaN;
}

/**
 * The mantissa times a negative power of ten by the algorithm of Eisel and Lemire (Lemire, Number Parsing at a Gigabyte
 * per Second, 2021): its product with 128 bits of the power of five tells how to round.
 */
function roundProduct(power: i32): f64 {
  const zeros = clz(mantissa);
  const factor = mantissa << zeros;
  const entry = POWERS_AT + ((<usize>(power - SMALLEST_POWER)) << 4);
  multiply(factor, load<u64>(entry));
  let upper = high;
  let lower = low;
  if ((upper & 0x1ff) == 0x1ff) {
    multiply(factor, load<u64>(entry, 8));
    lower += high;
    if (lower < high) upper += 1;
  }
  const upperBit = upper >> 63;
  let digits = upper >> (upperBit + 9);
  // 217706 / 2^16 is the binary logarithm of ten. To it come the exponent's bias, 1023, and the bits by which both
  // factors were shifted.
  let scale = <i64>((217706 * power) >> 16) + 63 + upperBit - zeros + 1023;
  // Exactly between two doubles, the even one is the nearest.
  if (lower <= 1 && power >= -4 && (digits & 3) == 1 && digits << (upperBit + 9) == upper) digits &= ~1;
  digits = (digits + (digits & 1)) >> 1;
  if (digits >= 1 << 53) {
    digits = 1 << 52;
    scale += 1;
  }
  return reinterpret<f64>((digits & ((1 << 52) - 1)) | ((<u64>scale) << 52));
}
