import { LINES_LAYOUT } from './lines-module.js';

const { POWERS_AT, SMALLEST_POWER, LARGEST_POWER } = LINES_LAYOUT;

const BITS = 128n;
const HALF = 64n;

/** Up to 5^27 a power fits into 64 bits; then, and only then, the reciprocal is to be rounded up. */
const SMALLEST_ROUNDED_UP = -27;

/** The first 128 bits of 5^power; of a negative one as in Lemire, Number Parsing at a Gigabyte per Second, 2021. */
function firstBits(power: number): bigint {
  const whole = 5n ** BigInt(Math.abs(power));
  const bits = BigInt(whole.toString(2).length);
  if (power >= 0) return bits > BITS ? (whole >> (bits - BITS)) + 1n : whole << (BITS - bits);
  const quotient = (1n << (bits + BITS - 1n)) / whole;
  return power >= SMALLEST_ROUNDED_UP ? quotient + 1n : quotient;
}

/** Writes the powers of five that the kernel needs, 16 bytes each, the upper half first. */
export function putPowersOfFive(view: DataView): void {
  for (let power: number = SMALLEST_POWER; power <= LARGEST_POWER; power += 1) {
    const at = POWERS_AT + (power - SMALLEST_POWER) * 16;
    const value = firstBits(power);
    view.setBigUint64(at, value >> HALF, true);
    view.setBigUint64(at + 8, BigInt.asUintN(64, value), true);
  }
}
