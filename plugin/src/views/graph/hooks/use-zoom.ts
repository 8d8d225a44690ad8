import type { TimeRange } from '@grafana/data';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { GraphModel } from '../model/lines/graphs.js';
import type { Extent } from '../model/scales/scale.js';
import { useTimeZoom } from './use-time-zoom.js';

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

/** On time, a zoom is the dashboard's. */
export function useZoom({ graph, timeRange, onTimeRange, onZoom }: ZoomInput): Zoom {
  const [zoom, setZoom] = useState<Extent | undefined>(undefined);
  const time = useTimeZoom({ timeRange, onTimeRange });
  useEffect(() => setZoom(undefined), [graph.id]);
  const isTime = graph.xKind === 'time';
  const [fromMs, toMs] = [timeRange.from.valueOf(), timeRange.to.valueOf()];
  const { onZoom: onZoomTime } = time;
  const onZoomX = useCallback(
    (range: Extent | undefined) => {
      if (isTime) {
        onZoomTime(range);
        return;
      }
      setZoom(range);
      onZoom(graph, range);
    },
    [isTime, graph, onZoomTime, onZoom]
  );
  const xRange = useMemo(() => (isTime ? { min: fromMs, max: toMs } : zoom), [isTime, fromMs, toMs, zoom]);
  return { xRange, isZoomed: isTime ? time.isZoomed : zoom !== undefined, onZoomX };
}
