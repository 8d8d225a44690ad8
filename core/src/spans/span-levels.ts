/** Slots of one level in a slot of the next. */
const LEVEL_FACTOR = 8;
const FINEST_MS = 64;

/** 1 is the finest, 7 the coarsest. */
export const SPAN_LEVELS = [1, 2, 3, 4, 5, 6, 7] as const;
export const COARSEST_LEVEL = 7;

/** The width of a level's slots, which begin at its multiples since the epoch: 64 ms to 4.7 hours. */
export function findLevelWidthMs(level: number): number {
  return FINEST_MS * LEVEL_FACTOR ** (level - 1);
}

/** The coarsest level whose slots fill slots of a width, a power of two; the finest one for narrower ones. */
export function findLevelOf(widthMs: number): number {
  const fitting = SPAN_LEVELS.filter((level) => findLevelWidthMs(level) <= widthMs);
  return fitting.at(-1) ?? 1;
}

/** Moments in a slot count from here: the beginning of the coarsest slot around it, which wider slots share with it. */
export function findReferenceMs(timeMs: number): number {
  const widthMs = findLevelWidthMs(COARSEST_LEVEL);
  return Math.floor(timeMs / widthMs) * widthMs;
}
