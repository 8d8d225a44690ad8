import type { Extent } from './scale.js';

/** The powers of ten that a double can be. */
const DECADES = Array.from({ length: 632 }, (_, at) => at - 323);

function listSteps(mantissas: readonly number[], decades: readonly number[]): number[] {
  return decades
    .flatMap((decade) => mantissas.map((mantissa) => Number(`${mantissa}e${decade}`)))
    .filter((step, at, steps) => Number.isFinite(step) && step > (steps[at - 1] ?? 0));
}

/** The steps between ticks of a linear axis, whatever its range. */
export const STEPS = listSteps([1, 2, 2.5, 5], DECADES);

/** The steps of an axis whose values are all integers. */
export const INTEGER_STEPS = STEPS.filter(Number.isInteger);

/** The steps of an axis of bytes: powers of two. */
export const BYTE_STEPS = Array.from({ length: 1044 }, (_, at) => 2 ** (at - 20));

/** More ticks than any axis has room for. */
const MAX_TICKS = 1000;

/** The multiples of a step within a range, none twice: the step may be below what numbers of this size differ by. */
export function listLinearTicks({ min, max }: Extent, step: number): number[] {
  const first = Math.ceil(min / step);
  const count = Math.min(MAX_TICKS, Math.floor(max / step) - first);
  const ticks: number[] = [];
  for (let at = 0; at <= count; at++) {
    const tick = (first + at) * step + 0;
    if (tick !== ticks[ticks.length - 1]) ticks.push(tick);
  }
  return ticks;
}

/** The least of the steps that leaves no more ticks than there is room for. */
export function chooseStep({ min, max }: Extent, room: number, steps: readonly number[] = STEPS): number {
  const least = max / Math.max(1, room) - min / Math.max(1, room);
  return steps.find((step) => step >= least) ?? steps[steps.length - 1] ?? 1;
}
