import type { TimeRange } from '@grafana/data';

/** Grafana 9.5 works `now` out for one panel of a dashboard after the other, all within this time. */
const SAME_MOMENT_MS = 500;

export interface RangeMemory {
  /** The range, or one that was asked for a moment ago and has the same words (`now-1h` to `now`). */
  recall(range: TimeRange): TimeRange;
}

/** Lets panels that are refreshed together ask for the same range, so that what they ask alike is asked once. */
export function createRangeMemory(): RangeMemory {
  let last: TimeRange | undefined;
  return {
    recall: (range) => {
      const isSame = last !== undefined && haveSameWords(last, range) && getDistanceMs(last, range) <= SAME_MOMENT_MS;
      if (!isSame) last = range;
      return last ?? range;
    },
  };
}

function haveSameWords({ raw: a }: TimeRange, { raw: b }: TimeRange): boolean {
  return typeof a.to === 'string' && a.to === b.to && String(a.from) === String(b.from);
}

function getDistanceMs(a: TimeRange, b: TimeRange): number {
  return Math.max(Math.abs(a.from.valueOf() - b.from.valueOf()), Math.abs(a.to.valueOf() - b.to.valueOf()));
}
