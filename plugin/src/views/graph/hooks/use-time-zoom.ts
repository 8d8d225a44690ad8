import type { TimeRange } from '@grafana/data';
import { useCallback, useState } from 'react';
import { goToPageRange, isMoving, type PageRange, readPageRange } from '../../parts/page-range.js';
import type { Extent } from '../model/scales/scale.js';

interface TimeZoomInput {
  readonly timeRange: TimeRange;
  readonly onTimeRange: (range: Extent) => void;
}

/** What the page showed before the first zoom. */
interface Before {
  readonly page: PageRange;
  readonly shown: Extent;
}

interface TimeZoom {
  readonly isZoomed: boolean;
  /** Undefined: back to what the page showed. */
  readonly onZoom: (range: Extent | undefined) => void;
}

/** A zoom of the dashboard's time range, which can be undone to what the page showed before the first one. */
export function useTimeZoom({ timeRange, onTimeRange }: TimeZoomInput): TimeZoom {
  const [before, setBefore] = useState<Before | undefined>(undefined);
  const [fromMs, toMs] = [timeRange.from.valueOf(), timeRange.to.valueOf()];
  const onZoom = useCallback(
    (range: Extent | undefined) => {
      if (range === undefined) {
        if (before !== undefined && isMoving(before.page)) goToPageRange(before.page);
        else if (before !== undefined) onTimeRange(before.shown);
        setBefore(undefined);
      } else {
        setBefore((known) => known ?? { page: readPageRange(timeRange), shown: { min: fromMs, max: toMs } });
        onTimeRange(range);
      }
    },
    [before, fromMs, toMs, timeRange, onTimeRange]
  );
  return { isZoomed: before !== undefined, onZoom };
}
