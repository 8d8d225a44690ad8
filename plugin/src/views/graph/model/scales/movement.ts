import { findExtent } from './scale.js';

const known = new WeakMap<readonly number[], number>();

/** Points that are looked at: enough to tell a trend from noise. */
const MAX_POINTS = 2000;

/**
 * How much a line moves, from 0 (constant) to 2 (from one size to its opposite), whatever its unit: its range compared
 * with its largest size, less where the line jumps about without a direction. Computed once for each line.
 */
export function measureMovement(ys: readonly number[]): number {
  const cached = known.get(ys);
  if (cached !== undefined) return cached;
  const movement = computeMovement(ys);
  known.set(ys, movement);
  return movement;
}

/** What is left of the movement of pure noise, so that it still comes before a constant. */
const NOISE_SHARE = 0.05;

function computeMovement(ys: readonly number[]): number {
  const extent = findExtent(ys);
  if (extent === undefined || extent.min === extent.max) return 0;
  const size = Math.max(Math.abs(extent.min), Math.abs(extent.max));
  const range = extent.max / size - extent.min / size;
  return range * (NOISE_SHARE + (1 - NOISE_SHARE) * (1 - measureNoise(ys, size)));
}

/** The von Neumann ratio, half: about 1 where each value is independent of the one before, near 0 for a trend. */
function measureNoise(ys: readonly number[], size: number): number {
  const stride = Math.max(1, Math.floor(ys.length / MAX_POINTS));
  const values = ys.filter((y, index) => index % stride === 0 && Number.isFinite(y)).map((y) => y / size);
  const mean = values.reduce((sum, y) => sum + y / values.length, 0);
  let [variance, steps] = [0, 0];
  values.forEach((y, index) => {
    variance += (y - mean) ** 2;
    steps += (y - (values[index - 1] ?? y)) ** 2;
  });
  return variance === 0 ? 0 : Math.min(1, steps / variance / 2);
}
