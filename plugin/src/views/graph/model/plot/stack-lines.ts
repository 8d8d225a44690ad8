import type { HideableLine, PlotLine } from './plot-lines.js';

/** A gap adds nothing to what is stacked on it. */
function addValues(base: readonly number[], ys: readonly number[]): readonly number[] {
  return ys.map((y, index) => (base[index] ?? 0) + (Number.isFinite(y) ? y : 0));
}

/**
 * The lines, those that their style stacks on top of each other, the first lowest. A hidden line takes no room. Only
 * lines that share their X values stack: columns of one table. Lines that are not stacked stay the same objects.
 */
export function stackLines(lines: readonly HideableLine[], hidden: ReadonlySet<string>): readonly HideableLine[] {
  const tops = new Map<readonly number[], readonly number[]>();
  return lines.map((line) => {
    if (!line.style.isStacked || hidden.has(line.model.name)) return line;
    const baseYs = tops.get(line.xs);
    const ys = addValues(baseYs ?? [], line.ys);
    tops.set(line.xs, ys);
    return { ...line, ys, rawYs: undefined, band: undefined, ...(baseYs !== undefined && { baseYs }) };
  });
}

/** Whether any of these lines, drawn on a linear scale, is on top of another or on the axis. */
export function hasStack(lines: readonly Pick<PlotLine, 'style'>[]): boolean {
  return lines.some(({ style }) => style.isStacked);
}
