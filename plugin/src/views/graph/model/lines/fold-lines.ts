import type { GraphLine } from './graphs.js';
import { type LineBand, listExtremes } from './line-band.js';

/** More points than these are no finer on any screen. */
const MAX_POINTS = 2000;

/** The X of all lines, ascending; some of them where they are too many. */
function createGrid(lines: readonly GraphLine[]): readonly number[] {
  const distinct = new Set<number>();
  for (const xs of new Set(lines.map((line) => line.xs))) for (const x of xs) distinct.add(x);
  const all = [...distinct].sort((a, b) => a - b);
  const stride = Math.ceil(all.length / MAX_POINTS);
  return stride < 2 ? all : all.filter((_, at) => at % stride === 0 || at === all.length - 1);
}

/** Reads what a line has at each X of a grid: between two of its points on a straight line, beyond its ends NaN. */
function createReader(
  { xs, ys }: GraphLine,
  grid: readonly number[]
): (values: readonly number[]) => readonly number[] {
  const points = xs.flatMap((_, at) => (Number.isFinite(ys[at]) ? [at] : []));
  // Equal X stay in print order, so that the newest is the last of them.
  points.sort((a, b) => (xs[a] ?? 0) - (xs[b] ?? 0) || a - b);
  return (values) => {
    let next = 0;
    return grid.map((x) => {
      while (next < points.length && (xs[points[next] ?? 0] ?? 0) <= x) next++;
      const [before, after] = [points[next - 1], points[next]];
      if (before === undefined) return NaN;
      const [x0 = NaN, y0 = NaN] = [xs[before], values[before]];
      if (x0 === x) return y0;
      if (after === undefined) return NaN;
      const [x1 = NaN, y1 = NaN] = [xs[after], values[after]];
      return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
    });
  };
}

interface Sample {
  readonly ys: readonly number[];
  readonly mins: readonly number[];
  readonly maxes: readonly number[];
}

function takeSample(line: GraphLine, grid: readonly number[]): Sample {
  const read = createReader(line, grid);
  const ys = read(line.ys);
  return line.band === undefined
    ? { ys, mins: ys, maxes: ys }
    : { ys, mins: read(line.band.mins), maxes: read(line.band.maxes) };
}

function findMean(numbers: readonly number[]): number {
  // Divided first, so that large numbers do not add up to infinity.
  return numbers.length === 0 ? NaN : numbers.reduce((sum, value) => sum + value / numbers.length, 0);
}

/** The ends of the standard deviation about the mean. Of numbers above 0 they are, too, as a logarithm needs it. */
function findDeviationEnds(numbers: readonly number[], mean: number): readonly [low: number, high: number] {
  if (numbers.length < 2) return [mean, mean];
  const variance = numbers.reduce((sum, value) => sum + (value - mean) ** 2 / (numbers.length - 1), 0);
  const [low, lowest] = [mean - Math.sqrt(variance), Math.min(...numbers)];
  return [low <= 0 && lowest > 0 ? lowest : low, mean + Math.sqrt(variance)];
}

/**
 * Several lines as one: their mean at each X where at least one of them is, with a band from the lowest to the highest,
 * or of the standard deviation. A single line stays as it is.
 */
export function foldLines(lines: readonly [GraphLine, ...GraphLine[]], spread: 'range' | 'deviation'): GraphLine {
  const [first] = lines;
  if (lines.length === 1) return first;
  const grid = createGrid(lines);
  const samples = lines.map((line) => takeSample(line, grid));
  const at = (index: number, part: keyof Sample): readonly number[] =>
    samples.map((sample) => sample[part][index] ?? NaN).filter((value) => !Number.isNaN(value));
  const ys = grid.map((_, index) => findMean(at(index, 'ys')));
  const ends = ys.map((mean, index): readonly [low: number, high: number] => {
    if (Number.isNaN(mean)) return [NaN, NaN];
    if (spread === 'deviation') return findDeviationEnds(at(index, 'ys'), mean);
    return [Math.min(...at(index, 'mins')), Math.max(...at(index, 'maxes'))];
  });
  const band: LineBand = {
    mins: ends.map(([low]) => low),
    maxes: ends.map(([, high]) => high),
    ...(spread === 'deviation' && { ends: ['mean - std', 'mean + std'] as const }),
  };
  const nonFinite = lines.flatMap((line) => line.nonFinite.map((mark) => ({ ...mark, index: undefined })));
  const folded = { ...first, xs: grid, ys, band, nonFinite, timesMs: undefined, timesNs: undefined };
  return { ...folded, extremes: listExtremes(ys, band) };
}
