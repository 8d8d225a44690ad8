import type { TimeRange } from '@grafana/data';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { goToPageRange, isMoving, type PageRange, readPageRange } from '../../parts/page-range.js';
import type { GraphModel } from '../model/graphs.js';
import type { Extent } from '../model/scale.js';

interface ZoomInput {
  readonly graph: GraphModel;
  readonly timeRange: TimeRange;
  readonly onTimeRange: (range: Extent) => void;
  /** A zoom on X, undefined at its end. */
  readonly onZoom: (graph: GraphModel, range: Extent | undefined) => void;
}

/** The part of X that is drawn, and how it changes. */
export interface Zoom {
  readonly xRange: Extent | undefined;
  readonly isZoomed: boolean;
  readonly onZoomX: (range: Extent | undefined) => void;
}

/** What the page showed before the first zoom on time. */
interface Before {
  readonly page: PageRange;
  readonly shown: Extent;
}

/** On time, a zoom is the dashboard's: it can be undone to what the page showed before the first one. */
export function useZoom({ graph, timeRange, onTimeRange, onZoom }: ZoomInput): Zoom {
  const [zoom, setZoom] = useState<Extent | undefined>(undefined);
  const [before, setBefore] = useState<Before | undefined>(undefined);
  useEffect(() => setZoom(undefined), [graph.id]);
  const isTime = graph.xKind === 'time';
  const [fromMs, toMs] = [timeRange.from.valueOf(), timeRange.to.valueOf()];
  const onZoomX = useCallback(
    (range: Extent | undefined) => {
      if (!isTime) {
        setZoom(range);
        onZoom(graph, range);
      } else if (range === undefined) {
        if (before !== undefined && isMoving(before.page)) goToPageRange(before.page);
        else if (before !== undefined) onTimeRange(before.shown);
        setBefore(undefined);
      } else {
        setBefore((known) => known ?? { page: readPageRange(timeRange), shown: { min: fromMs, max: toMs } });
        onTimeRange(range);
      }
    },
    [isTime, before, fromMs, toMs, timeRange, graph, onTimeRange, onZoom]
  );
  const xRange = useMemo(() => (isTime ? { min: fromMs, max: toMs } : zoom), [isTime, fromMs, toMs, zoom]);
  return { xRange, isZoomed: (isTime ? before : zoom) !== undefined, onZoomX };
}
