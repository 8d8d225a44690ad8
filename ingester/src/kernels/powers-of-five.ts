import { LINES_LAYOUT } from './lines-module.js';

const { POWERS_AT, SMALLEST_POWER } = LINES_LAYOUT;

const BITS = 128n;
const HALF = 64n;

/** Up to 5^27 a power fits into 64 bits; then, and only then, the reciprocal is to be rounded up. */
const SMALLEST_ROUNDED_UP = -27;

/** The first 128 bits of 5^power, a negative one (Lemire, Number Parsing at a Gigabyte per Second, 2021). */
function reciprocal(power: number): bigint {
  const divisor = 5n ** BigInt(-power);
  const bits = BigInt(divisor.toString(2).length);
  const quotient = (1n << (bits + BITS - 1n)) / divisor;
  return power >= SMALLEST_ROUNDED_UP ? quotient + 1n : quotient;
}

/** Writes the powers of five that the kernel needs, 16 bytes each, the upper half first. */
export function putPowersOfFive(view: DataView): void {
  for (let power: number = SMALLEST_POWER; power < 0; power += 1) {
    const at = POWERS_AT + (power - SMALLEST_POWER) * 16;
    const value = reciprocal(power);
    view.setBigUint64(at, value >> HALF, true);
    view.setBigUint64(at + 8, BigInt.asUintN(64, value), true);
  }
}
