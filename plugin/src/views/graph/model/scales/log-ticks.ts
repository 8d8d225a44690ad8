import { chooseStep, listLinearTicks } from './axis-steps.js';
import type { Extent } from './scale.js';

/** Between so few decades, there is room for 2 and 5 too. */
const FEW_DECADES = 3;
const MANTISSAS = [1, 2, 5] as const;

function isWithin(value: number, { min, max }: Extent): boolean {
  return value >= min && value <= max;
}

/** The powers of ten whose decades touch a range of positive numbers. */
function listDecades({ min, max }: Extent): number[] {
  const first = Math.floor(Math.log10(min));
  return Array.from({ length: Math.floor(Math.log10(max)) - first + 1 }, (_, at) => first + at);
}

/** The parts of a range that a logarithmic scale shows as such: above the threshold, and below its negative. */
function listSides({ min, max }: Extent, threshold: number): { readonly sign: 1 | -1; readonly side: Extent }[] {
  const sides = [
    { sign: -1, side: { min: Math.max(threshold, -max), max: -min } },
    { sign: 1, side: { min: Math.max(threshold, min), max } },
  ] as const;
  return sides.filter(({ side }) => side.max >= side.min);
}

/**
 * The ticks of a logarithmic axis, which is linear within `threshold` of zero: decades, as many as there is room for,
 * with 2 and 5 between few of them; evenly apart where that gives less than two.
 */
export function listLogTicks(range: Extent, room: number, threshold = 0): number[] {
  const sides = listSides(range, Math.max(threshold, Number.MIN_VALUE)).map(({ sign, side }) => {
    return { sign, side, decades: listDecades(side) };
  });
  const count = sides.reduce(
    (sum, { side, decades }) => sum + decades.filter((decade) => isWithin(Number(`1e${decade}`), side)).length,
    0
  );
  const stride = Math.max(1, Math.ceil(count / Math.max(1, room)));
  const mantissas = count < FEW_DECADES ? MANTISSAS : MANTISSAS.slice(0, 1);
  const ticks = sides.flatMap(({ sign, side, decades }) =>
    decades
      .filter((decade) => decade % stride === 0)
      .flatMap((decade) => mantissas.map((mantissa) => Number(`${mantissa}e${decade}`)))
      .filter((tick) => isWithin(tick, side))
      .map((tick) => sign * tick)
  );
  const all = threshold > 0 && isWithin(0, range) ? [...ticks, 0] : ticks;
  return all.length < 2 ? listLinearTicks(range, chooseStep(range, room)) : all.sort((a, b) => a - b);
}
