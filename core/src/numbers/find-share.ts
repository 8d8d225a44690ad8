interface Extent {
  readonly min: number;
  readonly max: number;
}

/** How far a value is on the way from the lowest to the highest, whose distance may be beyond all numbers. */
export function findShare(value: number, { min, max }: Extent): number {
  const span = max - min;
  return Number.isFinite(span) ? (value - min) / span : (value / 2 - min / 2) / (max / 2 - min / 2);
}
