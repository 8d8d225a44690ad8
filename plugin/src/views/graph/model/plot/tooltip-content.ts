import { findStepAt, formatLineValue } from '../lines/line-summary.js';
import type { AlignedData } from '../scales/align.js';
import type { PlotLine } from './plot-lines.js';

export interface TooltipRow {
  readonly name: string;
  readonly colour: string;
  readonly value: string;
  /** The value before smoothing. */
  readonly rawValue: string | undefined;
  /** Between which numbers those are whose mean the value is; undefined if it is a single one. */
  readonly range: string | undefined;
  readonly isNearest: boolean;
}

export interface TooltipContent {
  readonly title: string;
  /** The lines of the graph under the mouse. */
  readonly rows: readonly TooltipRow[];
  /** The lines of the graphs beside it, at the same X. */
  readonly otherRows: readonly TooltipRow[];
  readonly moreRows: number;
}

/** What was printed at an X and what is drawn there; the newest where X repeats. */
interface Printed {
  readonly line: PlotLine;
  readonly raw: number;
  readonly drawn: number;
  /** How far the values beside it are, before smoothing and after. */
  readonly rawStep: number;
  readonly drawnStep: number;
  readonly ends?: readonly [min: number, max: number];
}

function createMark(line: PlotLine, value: number): Printed {
  return { line, raw: value, drawn: value, rawStep: Infinity, drawnStep: Infinity };
}

function readPrinted(line: PlotLine, x: number): Printed | undefined {
  const { xs, ys, nonFinite } = line.model;
  const apart = nonFinite.find((mark) => mark.index === undefined && mark.x === x);
  if (apart !== undefined) return createMark(line, apart.value);
  for (let index = xs.length - 1; index >= 0; index--) {
    if (xs[index] !== x) continue;
    const raw = ys[index] ?? NaN;
    if (Number.isFinite(raw)) {
      const drawnStep = findStepAt(line.values, index);
      const drawn = line.values[index] ?? NaN;
      return { line, raw, drawn, rawStep: findStepAt(ys, index), drawnStep, ...readEnds(line, index) };
    }
    const mark = nonFinite.find((candidate) => candidate.index === index);
    if (mark !== undefined) return createMark(line, mark.value);
  }
  return undefined;
}

function readEnds({ model: { band } }: PlotLine, index: number): Pick<Printed, 'ends'> {
  const [min = NaN, max = NaN] = [band?.mins[index], band?.maxes[index]];
  return min < max ? { ends: [min, max] } : {};
}

function formatRange({ line: { model }, ends }: Printed): string | undefined {
  if (ends === undefined) return undefined;
  const step = ends[1] - ends[0];
  return ends.map((value) => formatLineValue(model, { value, step })).join(' – ');
}

/** Larger values first; what is not a number last. */
function compareValues(a: Printed, b: Printed): number {
  if (Number.isNaN(a.drawn) || Number.isNaN(b.drawn))
    return Number(Number.isNaN(a.drawn)) - Number(Number.isNaN(b.drawn));
  return b.drawn - a.drawn;
}

function createRow(printed: Printed, isNearest: boolean): TooltipRow {
  const { line, raw, drawn, rawStep, drawnStep } = printed;
  return {
    name: line.model.name,
    colour: line.colour,
    value: formatLineValue(line.model, { value: drawn, step: drawnStep }),
    rawValue: line.rawYs === undefined ? undefined : formatLineValue(line.model, { value: raw, step: rawStep }),
    range: formatRange(printed),
    isNearest,
  };
}

function isShown(line: PlotLine): boolean {
  return line.isVisible && !line.style.isHiddenFromTooltip;
}

const MAX_ROWS = 24;

interface Hovered {
  readonly title: string;
  readonly lines: readonly PlotLine[];
  readonly data: AlignedData;
  /** Into the aligned X values. */
  readonly index: number;
  /** How far above or below the mouse a drawn value is, in pixels. */
  readonly measureDistance: (drawn: number) => number;
  readonly otherLines: readonly PlotLine[];
}

/** The line whose drawn value is nearest to the mouse. */
function findNearest({ lines, data, index, measureDistance }: Hovered): PlotLine | undefined {
  let nearest: { readonly line: PlotLine; readonly distance: number } | undefined;
  lines.forEach((line, lineIndex) => {
    const drawn = data[lineIndex + 1]?.[index] ?? null;
    if (!isShown(line) || drawn === null) return;
    const distance = measureDistance(drawn);
    if (nearest === undefined || distance < nearest.distance) nearest = { line, distance };
  });
  return nearest?.line;
}

/**
 * The values of all visible lines at one X, the largest first: those of the graph under the mouse, then those of the
 * graphs beside it.
 */
export function createTooltipContent(hovered: Hovered): TooltipContent {
  const x = hovered.data[0][hovered.index] ?? NaN;
  const read = (lines: readonly PlotLine[]): readonly Printed[] =>
    lines
      .filter(isShown)
      .flatMap((line) => readPrinted(line, x) ?? [])
      .sort(compareValues);
  const [own, others] = [read(hovered.lines), read(hovered.otherLines)];
  const nearest = findNearest(hovered);
  const rows = own
    .slice(0, MAX_ROWS)
    .map((printed) => createRow(printed, printed.line === nearest && own.length + others.length > 1));
  const otherRows = others.slice(0, MAX_ROWS - rows.length).map((printed) => createRow(printed, false));
  return {
    title: hovered.title,
    rows,
    otherRows,
    moreRows: own.length + others.length - rows.length - otherRows.length,
  };
}
