import type { Extent } from './scale.js';

/** The power of ten of a value that is one (`-100` has 2); undefined for any other. */
function findDecade(value: number): number | undefined {
  const decade = Math.log10(Math.abs(value));
  const rounded = Math.round(decade);
  return Math.abs(decade - rounded) < 1e-9 ? rounded : undefined;
}

function isLabelDigit(value: number): boolean {
  return /^-?[125](?:\.0+)?e/.test(value.toExponential(2));
}

/**
 * Which ticks of a logarithmic axis to draw, null for the others: decades, as many as there is room for, and 2 and 5
 * between them where the axis spans few. uPlot offers ticks beyond the ends too.
 */
export function filterLogTicks(ticks: readonly number[], { min, max }: Extent, room: number): (number | null)[] {
  const inRange = ticks.filter((tick) => tick >= min && tick <= max);
  const decades = inRange.filter((tick) => findDecade(tick) !== undefined);
  const step = Math.max(1, Math.ceil(decades.length / Math.max(1, room)));
  const isFine = decades.length < 3;
  return ticks.map((tick) => {
    if (tick < min || tick > max) return null;
    if (tick === 0) return 0;
    const decade = findDecade(tick);
    if (decade !== undefined) return decade % step === 0 ? tick : null;
    return isFine && isLabelDigit(tick) ? tick : null;
  });
}
