import { POWERS_AT, SMALLEST_POWER } from './metadata-layout';
import { high, low, multiply } from './multiply';
import { output, put, putByte } from './metadata-output';

const BLOCK: usize = 16;
const ZERO: u8 = 0x30;
const MINUS: u8 = 0x2d;
const POINT: u8 = 0x2e;
const SMALL_E: u8 = 0x65;

const HIDDEN_BIT: u64 = 1 << 52;
/** The bias of the exponent, counted from the last bit of a double's digits. */
const BIAS: i32 = 1075;

/** Takes 24 digits of 64 bits; copies may pass its end. */
const DIGITS: usize = memory.data(48, 16);
const DIGITS_END: usize = DIGITS + 24;
const EIGHT_DIGITS: u64 = 100_000_000;
/** From this many zeros behind the point on, a number has an exponent. */
const MAX_ZEROS: i32 = 6;
/** Where the zeros between the point and the digits are. */
const ZEROS: usize = memory.data<u8>([0x30, 0x2e, 0x30, 0x30, 0x30, 0x30, 0x30, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** The digits of the present number, and the power of ten of the last one. */
let decimal: u64 = 0;
let exponent: i32 = 0;

/**
 * Writes a number as ECMAScript does: the fewest digits that read back as the same double, and of those the nearest. It
 * is 0, or between 2^-270 and 10^19, so that its power of ten is known here.
 */
export function putNumber(value: f64): void {
  if (value == 0) return putByte(ZERO);
  if (value < 0) putByte(MINUS);
  findDecimal(reinterpret<u64>(abs(value)));
  putDecimal();
}

/** The algorithm is Schubfach (Giulietti, The Schubfach way to render doubles, 2020). */
function findDecimal(bits: u64): void {
  const fraction = bits & (HIDDEN_BIT - 1);
  const digits = fraction | HIDDEN_BIT;
  const scale = <i32>(bits >> 52) - BIAS;
  if (scale <= 0 && scale > -53 && (digits & ((1 << -scale) - 1)) == 0) {
    decimal = digits >> -scale;
    exponent = 0;
    return;
  }
  // The double below a power of two is only half as far away.
  const isUneven: u64 = fraction == 0 ? 1 : 0;
  // 1262611 / 2^22 is the decimal logarithm of two, and 524031 / 2^22 that of 4/3; 1741647 / 2^19 is the reverse.
  const power = (scale * 1262611 - (fraction == 0 ? 524031 : 0)) >> 22;
  const shift = <u64>(scale + ((-power * 1741647) >> 19) + 1);
  const entry = POWERS_AT + ((<usize>(-power - SMALLEST_POWER)) << 4);
  // Four times the number, and the ends of the numbers that read back as it: an odd double does not own its ends.
  const odd = digits & 1;
  const middle = roundToOdd(entry, (4 * digits) << shift);
  const lower = roundToOdd(entry, (4 * digits - 2 + isUneven) << shift) + odd;
  const upper = roundToOdd(entry, (4 * digits + 2) << shift) - odd;
  const tens = middle / 40;
  const isTensBelow = lower <= 40 * tens;
  const isTensAbove = 40 * tens + 40 <= upper;
  if (isTensBelow != isTensAbove) {
    decimal = tens + (isTensAbove ? 1 : 0);
    exponent = power + 1;
    return;
  }
  const ones = middle / 4;
  const isBelow = lower <= 4 * ones;
  const isAbove = 4 * ones + 4 <= upper;
  // Exactly between two, the even one is taken.
  const isUp = isBelow != isAbove ? isAbove : middle + (ones & 1) > 4 * ones + 2;
  decimal = ones + (isUp ? 1 : 0);
  exponent = power;
}

/** The upper bits of the product with a power of five; the lowest one says whether others are lost. */
function roundToOdd(entry: usize, factor: u64): u64 {
  multiply(factor, load<u64>(entry, 8));
  const carried = high;
  multiply(factor, load<u64>(entry));
  const lower = low + carried;
  const upper = high + (lower < carried ? 1 : 0);
  return upper | (lower > 1 ? 1 : 0);
}

function putDecimal(): void {
  const upper = decimal / EIGHT_DIGITS;
  store<u64>(DIGITS, toEightDigits(upper / EIGHT_DIGITS));
  store<u64>(DIGITS, toEightDigits(upper % EIGHT_DIGITS), 8);
  store<u64>(DIGITS, toEightDigits(decimal % EIGHT_DIGITS), BLOCK);
  let start = DIGITS;
  while (load<u8>(start) == ZERO) start += 1;
  let end = DIGITS_END;
  while (load<u8>(end - 1) == ZERO) end -= 1;
  const point = <i32>(DIGITS_END - start) + exponent;
  if (point <= -MAX_ZEROS) {
    putWithPoint(start, end, 1);
    putExponent(1 - point);
  } else if (point <= 0) {
    put(ZEROS, 2 - point);
    put(start, end - start);
  } else {
    putWithPoint(start, end, point);
  }
}

/** Writes digits of which so many are before the point. */
function putWithPoint(start: usize, end: usize, point: i32): void {
  const middle = start + point;
  put(start, min(middle, end) - start);
  for (let at = end; at < middle; at += 1) putByte(ZERO);
  if (middle >= end) return;
  putByte(POINT);
  put(middle, end - middle);
}

/** Writes a negative exponent of at most two digits. */
function putExponent(negative: i32): void {
  putByte(SMALL_E);
  putByte(MINUS);
  if (negative >= 10) putByte(ZERO + <u8>(negative / 10));
  putByte(ZERO + <u8>(negative % 10));
}

/** A number below 10^8 as text, its first digit in the lowest byte: each step splits all its parts into two. */
function toEightDigits(number: u64): u64 {
  const four = number / 10_000;
  const fours = four | ((number - 10_000 * four) << 32);
  const two = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
  const twos = two | ((fours - 100 * two) << 16);
  const one = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
  return (one | ((twos - 10 * one) << 8)) + 0x3030_3030_3030_3030;
}
