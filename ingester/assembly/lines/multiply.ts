/** The upper and lower half of a product. */
export let high: u64 = 0;
export let low: u64 = 0;

export function multiply(a: u64, b: u64): void {
  const a1 = a >> 32;
  const a0 = a & 0xffffffff;
  const b1 = b >> 32;
  const b0 = b & 0xffffffff;
  const middle = a1 * b0 + ((a0 * b0) >> 32);
  const carried = a0 * b1 + (middle & 0xffffffff);
  high = a1 * b1 + (middle >> 32) + (carried >> 32);
  low = a * b;
}
