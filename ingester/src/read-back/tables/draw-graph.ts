import { columnsOfText } from '@joblens/core/console/column-width';
import { cutToColumns, toVisibleText } from '@joblens/core/console/terminal-text';
import { findShare } from '@joblens/core/numbers/find-share';
import { formatNumber } from '@joblens/core/numbers/format-number';
import { labelTicks } from '@joblens/core/numbers/tick-labels';
import { type Charset, ellipsisOf } from '../../host/charset.js';
import { ASCII_DOTS, BRAILLE, type Dot, DotCanvas, type DotCharacters } from './dot-canvas.js';

/** A part of a curve: one row, or many rows as their mean, their last, lowest and highest value. */
export interface CurvePiece {
  readonly x: number;
  readonly mean: number;
  readonly last: number;
  readonly min: number;
  readonly max: number;
}

export interface Curve {
  readonly name: string;
  /** In printed order. */
  readonly pieces: readonly CurvePiece[];
}

export interface GraphOptions {
  readonly width: number;
  /** Lines in all. */
  readonly height: number;
  readonly hasColors: boolean;
  readonly charset: Charset;
  readonly xName: string;
  /** Writes the ends of X so that they differ. */
  readonly labelX: (xs: readonly number[]) => string[];
}

/** Distinct on dark and on light: blue, yellow, green, magenta, cyan, red. */
const INKS = [34, 33, 32, 35, 36, 31];
const MIN_CANVAS_ROWS = 3;

interface Glyphs {
  readonly dots: DotCharacters;
  readonly edge: string;
  readonly tick: string;
  readonly corner: string;
  readonly axis: string;
  readonly legend: string;
}

const GLYPHS: Readonly<Record<Charset, Glyphs>> = {
  'utf-8': { dots: BRAILLE, edge: '│', tick: '┤', corner: '└', axis: '─', legend: '━━' },
  ascii: { dots: ASCII_DOTS, edge: '|', tick: '+', corner: '+', axis: '-', legend: '--' },
};

/** Draws curves into one graph with axes and a legend, as lines that end with a newline. */
export function drawGraph(curves: readonly Curve[], options: GraphOptions): string {
  const { width, height, hasColors, charset } = options;
  const glyphs = GLYPHS[charset];
  const pieces = curves.flatMap((curve) => curve.pieces);
  const [minX, maxX] = boundsOf(pieces.map(({ x }) => x));
  const [minY, maxY] = boundsOf(pieces.flatMap(({ min, max }) => [min, max]));
  const labels = labelTicks([maxY, minY / 2 + maxY / 2, minY]);
  const labelWidth = Math.max(...labels.map((label) => label.length));
  const rows = Math.max(MIN_CANVAS_ROWS, height - 2 - curves.length);
  const columns = Math.max(10, width - labelWidth - 3);
  const canvas = new DotCanvas(columns, rows, glyphs.dots);
  const scale = (value: number, min: number, max: number, dots: number): number =>
    max === min ? (dots - 1) / 2 : findShare(value, { min, max }) * (dots - 1);
  const place = (x: number, y: number): Dot => [
    scale(x, minX, maxX, canvas.width),
    scale(y, minY, maxY, canvas.height),
  ];
  curves.forEach((curve, i) => drawCurve(canvas, curve, place, i + 1));

  const colorize = (text: string, ink: number): string =>
    hasColors ? `\x1b[${INKS[(ink - 1) % INKS.length]}m${text}\x1b[0m` : text;
  const graph = canvas.formatLines(colorize).map((line, i) => {
    const label = i === 0 ? labels[0] : i === rows - 1 ? labels[2] : i === Math.floor(rows / 2) ? labels[1] : undefined;
    return `${(label ?? '').padStart(labelWidth)} ${label === undefined ? glyphs.edge : glyphs.tick}${line}`;
  });
  const axis = `${' '.repeat(labelWidth)} ${glyphs.corner}${glyphs.axis.repeat(columns)}`;
  const legend = curves.map((curve, i) => {
    const mark = curves.length > 1 ? `${colorize(glyphs.legend, i + 1)} ` : '';
    const room = width - (curves.length > 1 ? 3 : 0);
    return mark + cutToColumns(formatLegend(curve), room, ellipsisOf(charset));
  });
  return [...legend, ...graph, axis, formatXAxis(options, [minX, maxX], labelWidth + 2)]
    .map((line) => `${line}\n`)
    .join('');
}

/** A line through rows and means; behind a mean, the lowest and the highest value as dots, so that spikes show. */
function drawCurve(canvas: DotCanvas, { pieces }: Curve, place: (x: number, y: number) => Dot, ink: number): void {
  let before: CurvePiece | undefined;
  for (const piece of pieces) {
    const dot = place(piece.x, piece.mean);
    // Where X falls back, the job began again.
    const from = before !== undefined && piece.x >= before.x ? place(before.x, before.mean) : dot;
    canvas.drawLine(from, dot, ink);
    before = piece;
  }
  for (const [x, min, max] of findBand(pieces, (piece) => Math.round(place(piece.x, piece.mean)[0]))) {
    for (const end of [place(x, min), place(x, max)]) canvas.drawLine(end, end, ink);
  }
}

/** The lowest and the highest value in each column of dots that has means, with an X in it. */
function findBand(
  pieces: readonly CurvePiece[],
  columnOf: (piece: CurvePiece) => number
): Iterable<readonly [x: number, min: number, max: number]> {
  const columns = new Map<number, readonly [number, number, number]>();
  for (const piece of pieces) {
    if (piece.min === piece.max) continue;
    const column = columnOf(piece);
    const [x, min, max] = columns.get(column) ?? [piece.x, Infinity, -Infinity];
    columns.set(column, [x, Math.min(min, piece.min), Math.max(max, piece.max)]);
  }
  return columns.values();
}

function boundsOf(values: readonly number[]): readonly [min: number, max: number] {
  return values.reduce(([min, max], value) => [Math.min(min, value), Math.max(max, value)], [Infinity, -Infinity]);
}

function formatLegend({ name, pieces }: Curve): string {
  const [min, max] = boundsOf(pieces.flatMap((piece) => [piece.min, piece.max]));
  const last = pieces.at(-1)?.last ?? NaN;
  const before = pieces.findLast((piece) => piece.last !== last)?.last ?? Infinity;
  const write = (value: number): string => formatNumber(value, Math.abs(last - before));
  return `${toVisibleText(name)}   last ${write(last)}   min ${write(min)}   max ${write(max)}`;
}

function formatXAxis(
  { xName, labelX, width, charset }: GraphOptions,
  [min, max]: readonly [number, number],
  left: number
): string {
  const [first = '', last = ''] = labelX([min, max]);
  const name = toVisibleText(xName);
  const room = Math.max(0, width - left - first.length - last.length - 1);
  const shown = cutToColumns(name, Math.max(1, room - 2), ellipsisOf(charset));
  const before = Math.max(1, Math.floor((room - columnsOfText(shown)) / 2));
  const after = Math.max(1, room - before - columnsOfText(shown));
  return `${' '.repeat(left)}${first}${' '.repeat(before)}${shown}${' '.repeat(after)}${last}`;
}
