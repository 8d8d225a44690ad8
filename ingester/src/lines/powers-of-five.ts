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

/** Puts the powers of five from `smallest` to -1, 16 bytes each, the upper half first. */
export function putPowersOfFive(view: DataView, address: number, smallest: number): void {
  for (let power = smallest; power < 0; power += 1) {
    const at = address + (power - smallest) * 16;
    const value = reciprocal(power);
    view.setBigUint64(at, value >> HALF, true);
    view.setBigUint64(at + 8, BigInt.asUintN(64, value), true);
  }
}
