import { findTurns } from '@joblens/core/rows/segments';
import { selectRank } from './select-rank.js';

/** The strongest smoothing that is offered; 1 would draw a constant. */
export const MAX_SMOOTHING = 0.99;

/** A weight from 0 (none) to `MAX_SMOOTHING`; anything else becomes the nearest of these. */
export function readSmoothing(value: unknown): number {
  const weight = typeof value === 'string' ? Number(value) : value;
  if (typeof weight !== 'number' || Number.isNaN(weight)) return 0;
  return Math.min(MAX_SMOOTHING, Math.max(0, weight));
}

/** The usual step of X; undefined where X never changes. */
function findStep(xs: readonly number[]): number | undefined {
  const steps = Float64Array.from(xs, (x, index) => Math.abs(x - (xs[index - 1] ?? x))).filter((step) => step > 0);
  return steps.length === 0 ? undefined : selectRank(steps, steps.length >> 1);
}

/**
 * The exponential moving average of TensorBoard and W&B, debiased, so that it starts at the first value and not at
 * zero. Where X is irregular, a value fades with its distance: `weight` to the power of the usual step of X. A value
 * that is not finite stays NaN and changes nothing. Each segment, where X turns back, starts anew.
 * @param weight from 0 to below 1
 */
export function smoothValues(xs: readonly number[], ys: readonly number[], weight: number): readonly number[] {
  if (weight <= 0) return ys;
  const step = findStep(xs);
  const isTurn = findTurns(xs);
  let [sum, share, lastX] = [0, 0, NaN];
  return ys.map((y, index) => {
    if (isTurn(index)) [sum, share, lastX] = [0, 0, NaN];
    if (!Number.isFinite(y)) return NaN;
    const x = xs[index] ?? NaN;
    const distance = step === undefined ? 1 : Math.abs(x - lastX) / step;
    const fade = share === 0 ? 0 : weight ** distance;
    sum = sum * fade + y;
    share = share * fade + 1;
    lastX = x;
    return sum / share;
  });
}
