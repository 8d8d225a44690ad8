import type { Band, Column } from '../../../parts/components/tables.js';

/** The lowest and the highest number that each point of a line stands for; NaN where it has none. */
export interface LineBand {
  readonly mins: readonly number[];
  readonly maxes: readonly number[];
  /** What its ends are; they are the lowest and the highest number where nothing else is said. */
  readonly ends?: readonly [low: string, high: string];
}

interface RowRef {
  /** Into the columns. */
  readonly at: number;
  readonly row: number;
}

function readFinite(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

/** The band of a line whose points are rows of these columns; undefined if each point is a row that was printed. */
export function readBand(
  columns: readonly Column[],
  ys: readonly number[],
  rowOf: (index: number) => RowRef
): LineBand | undefined {
  if (!columns.some(({ band }) => band !== undefined)) return undefined;
  const read = (side: keyof Band): readonly number[] =>
    ys.map((y, index) => {
      const { at, row } = rowOf(index);
      return readFinite(columns[at]?.band?.[side][row], y);
    });
  return { mins: read('mins'), maxes: read('maxes') };
}

/** The numbers that a line must have room for. */
export function listExtremes(ys: readonly number[], band: LineBand | undefined): readonly number[] {
  return band === undefined ? ys : [...band.mins, ...band.maxes];
}

/** X of means: where the middle of their rows is, whichever way X goes. */
export function findMiddles({ mins, maxes }: Band): readonly (number | undefined)[] {
  return mins.map((min, row) => {
    const max = maxes[row];
    return typeof min === 'number' && typeof max === 'number' ? min / 2 + max / 2 : undefined;
  });
}

interface BandInput {
  readonly toX: (index: number) => number;
  /** Pixel positions, upwards smaller; NaN is a gap. */
  readonly toLow: (index: number) => number;
  readonly toHigh: (index: number) => number;
  readonly count: number;
  readonly isBreak: (index: number) => boolean;
}

/** A column of pixels with the ends of all that is in it. */
interface PixelColumn {
  readonly x: number;
  low: number;
  high: number;
}

/** What a Path2D has, too. */
interface AreaPen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
}

/** Draws the area between lowest and highest values, at least a pixel wide everywhere, so that a spike shows. */
export function traceBand(pen: AreaPen, { toX, toLow, toHigh, count, isBreak }: BandInput): void {
  let columns: PixelColumn[] = [];
  const end = (): void => {
    const [first] = columns;
    if (first !== undefined) {
      pen.moveTo(first.x, first.high);
      for (const { x, high } of columns) {
        pen.lineTo(x, high);
        pen.lineTo(x + 1, high);
      }
      for (const { x, low } of columns.toReversed()) {
        pen.lineTo(x + 1, low);
        pen.lineTo(x, low);
      }
      pen.closePath();
    }
    columns = [];
  };
  for (let index = 0; index < count; index++) {
    const [low, high] = [toLow(index), toHigh(index)];
    const isGap = !Number.isFinite(low) || !Number.isFinite(high);
    if (isGap || isBreak(index)) end();
    if (isGap) continue;
    const x = Math.floor(toX(index));
    const last = columns.at(-1);
    if (last?.x === x) {
      last.low = Math.max(last.low, low);
      last.high = Math.min(last.high, high);
    } else columns.push({ x, low, high });
  }
  end();
}
