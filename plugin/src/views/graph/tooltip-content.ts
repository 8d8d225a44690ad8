import { createUnitFormat, formatNumber } from '../parts/number-format.js';
import type { AlignedData } from './align.js';
import type { PlotLine } from './plot-lines.js';
import type { YScale } from './scale.js';

interface TooltipRow {
  readonly name: string;
  readonly colour: string;
  readonly value: string;
  readonly isNearest: boolean;
}

export interface TooltipContent {
  readonly title: string;
  readonly rows: readonly TooltipRow[];
  readonly moreRows: number;
}

interface Candidate {
  readonly line: PlotLine;
  readonly value: number;
  /** How far above or below the mouse, in pixels. */
  readonly distancePx: number;
}

/** The value that was printed, whatever the Y scale made of it: the newest at this X. */
function readPrinted(line: PlotLine, x: number): number {
  const { xs, ys } = line.model;
  for (let index = xs.length - 1; index >= 0; index--) {
    const y = ys[index] ?? NaN;
    if (xs[index] === x && Number.isFinite(y)) return y;
  }
  return NaN;
}

function formatValue(line: PlotLine, value: number): string {
  return createUnitFormat(line.model.column.field)?.(value) ?? formatNumber(value);
}

const MAX_ROWS = 16;

/** The values of all visible lines at one X; of many, those nearest to the mouse, in the order of the legend. */
export function createTooltipContent(
  title: string,
  lines: readonly PlotLine[],
  data: AlignedData,
  index: number,
  yScale: YScale,
  measureDistance: (scaledValue: number) => number
): TooltipContent {
  const x = data[0][index] ?? NaN;
  const candidates: Candidate[] = [];
  lines.forEach((line, lineIndex) => {
    const scaled = data[lineIndex + 1]?.[index] ?? null;
    if (!line.isVisible || scaled === null) return;
    // Only a share hides what was printed; elsewhere the drawn value is the value.
    const value = yScale.kind === 'share' ? readPrinted(line, x) : scaled;
    candidates.push({ line, value, distancePx: measureDistance(scaled) });
  });
  const byDistance = [...candidates].sort((a, b) => a.distancePx - b.distancePx);
  const kept = new Set(byDistance.slice(0, MAX_ROWS));
  const [nearest] = byDistance;
  return {
    title,
    rows: candidates
      .filter((candidate) => kept.has(candidate))
      .map((candidate) => ({
        name: candidate.line.model.name,
        colour: candidate.line.colour,
        value: formatValue(candidate.line, candidate.value),
        isNearest: candidate === nearest && candidates.length > 1,
      })),
    moreRows: candidates.length - kept.size,
  };
}
