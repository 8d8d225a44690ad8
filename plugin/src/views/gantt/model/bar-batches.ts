const LEVELS = 8;
/** What ran for a thousandth of a pixel must still be seen. */
const LEAST_ALPHA = 0.3;

/** Rectangles by their look, so that a canvas changes its colour once for each. */
export interface BarBatches {
  /** Neighbours of one look and height become one rectangle. */
  readonly add: (
    look: number,
    strength: number,
    leftPx: number,
    topPx: number,
    widthPx: number,
    heightPx: number
  ) => void;
  /** `rects`: left, top, width and height of each. */
  readonly flush: (draw: (look: number, alpha: number, rects: readonly number[]) => void) => void;
}

export function createBarBatches(): BarBatches {
  const batches = new Map<number, number[]>();
  return {
    add(look, strength, leftPx, topPx, widthPx, heightPx) {
      const key = look * (LEVELS + 1) + Math.round(strength * LEVELS);
      let rects = batches.get(key);
      if (rects === undefined) batches.set(key, (rects = []));
      const last = rects.length - 4;
      const isNext = rects[last + 1] === topPx && (rects[last] ?? 0) + (rects[last + 2] ?? 0) === leftPx;
      if (isNext && strength < 1) rects[last + 2] = (rects[last + 2] ?? 0) + widthPx;
      else rects.push(leftPx, topPx, widthPx, heightPx);
    },
    flush(draw) {
      for (const [key, rects] of batches) {
        const strength = (key % (LEVELS + 1)) / LEVELS;
        draw(Math.floor(key / (LEVELS + 1)), LEAST_ALPHA + (1 - LEAST_ALPHA) * strength, rects);
      }
    },
  };
}
