/** Where a line is drawn; a Path2D has these methods. */
export interface LinePen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

export interface TraceInput {
  /** Pixel positions of the points in the order they were printed; NaN y is a gap. */
  readonly toX: (index: number) => number;
  readonly toY: (index: number) => number;
  readonly count: number;
  /** True where a new segment starts although the point before has a value: X turned back. */
  readonly isBreak: (index: number) => boolean;
}

/**
 * Where X turns back, as when a run was restarted: where it falls, but on a line whose X falls more often than it rises (a countdown)
 * where it rises. X values are finite.
 */
export function findTurns(xs: readonly number[]): (index: number) => boolean {
  let [rises, falls] = [0, 0];
  xs.forEach((x, index) => {
    const before = xs[index - 1] ?? x;
    if (x > before) rises += 1;
    if (x < before) falls += 1;
  });
  const forward = falls > rises ? -1 : 1;
  return (index) => forward * ((xs[index] ?? 0) - (xs[index - 1] ?? xs[index] ?? 0)) < 0;
}

/** What the canvas shows of all points in one pixel column: nothing is lost when a spike stands between two of them. */
class PixelColumn {
  private x = NaN;
  private lowest = NaN;
  private highest = NaN;
  private last = NaN;

  constructor(private readonly pen: LinePen) {}

  get isEmpty(): boolean {
    return Number.isNaN(this.x);
  }

  holds(x: number): boolean {
    return Math.floor(x) === Math.floor(this.x);
  }

  start(x: number, y: number): void {
    this.x = x;
    this.lowest = this.highest = this.last = y;
  }

  add(y: number): void {
    this.lowest = Math.min(this.lowest, y);
    this.highest = Math.max(this.highest, y);
    this.last = y;
  }

  /** The column's first point is drawn already; its extremes and its last point follow. */
  flush(): void {
    if (this.isEmpty) return;
    if (this.lowest !== this.highest) {
      this.pen.lineTo(this.x, this.lowest);
      this.pen.lineTo(this.x, this.highest);
      this.pen.lineTo(this.x, this.last);
    }
    this.x = NaN;
  }
}

/**
 * Draws one line through its points in print order: broken at gaps and where X turns back, and with at most four
 * vertices a pixel column and segment.
 * @returns indices of points that stand alone in their segment, to be drawn as dots
 */
export function traceLine(pen: LinePen, { toX, toY, count, isBreak }: TraceInput): readonly number[] {
  const alone: number[] = [];
  const column = new PixelColumn(pen);
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
