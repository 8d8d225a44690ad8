/** Where a line is drawn; a Path2D has these methods. */
export interface LinePen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

interface TraceInput {
  /** Pixel positions of the points in the order they were printed; NaN y is a gap. */
  readonly toX: (index: number) => number;
  readonly toY: (index: number) => number;
  readonly count: number;
  /** True where a new segment starts although the point before has a value: X turned back. */
  readonly isBreak: (index: number) => boolean;
}

/** The points that fall into one column of pixels. */
interface PixelColumn {
  holds(x: number): boolean;
  start(x: number, y: number): void;
  add(y: number): void;
  /** Draws the lowest, the highest and the last point; the first one is drawn already. */
  flush(): void;
}

/** Draws the extremes of each column of pixels, so that no spike is lost. */
function createPixelColumn(pen: LinePen): PixelColumn {
  let [columnX, lowest, highest, last] = [NaN, NaN, NaN, NaN];
  return {
    holds: (x) => Math.floor(x) === Math.floor(columnX),
    start: (x, y) => {
      columnX = x;
      lowest = highest = last = y;
    },
    add: (y) => {
      lowest = Math.min(lowest, y);
      highest = Math.max(highest, y);
      last = y;
    },
    flush: () => {
      if (Number.isNaN(columnX)) return;
      if (lowest !== highest) {
        pen.lineTo(columnX, lowest);
        pen.lineTo(columnX, highest);
        pen.lineTo(columnX, last);
      }
      columnX = NaN;
    },
  };
}

/**
 * Draws one line through its points in print order: broken at gaps and where X turns back, and with at most four
 * vertices a pixel column and segment.
 * @returns indices of points that are alone in their segment, to be drawn as dots
 */
export function traceLine(pen: LinePen, { toX, toY, count, isBreak }: TraceInput): readonly number[] {
  const alone: number[] = [];
  const column = createPixelColumn(pen);
  let segmentLength = 0;
  const endSegment = (next: number): void => {
    column.flush();
    if (segmentLength === 1) alone.push(next - 1);
    segmentLength = 0;
  };
  for (let index = 0; index < count; index++) {
    const y = toY(index);
    if (!Number.isFinite(y)) {
      endSegment(index);
      continue;
    }
    if (isBreak(index)) endSegment(index);
    const x = toX(index);
    if (segmentLength > 0 && column.holds(x)) {
      column.add(y);
    } else {
      column.flush();
      if (segmentLength === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
      column.start(x, y);
    }
    segmentLength += 1;
  }
  endSegment(count);
  return alone;
}
