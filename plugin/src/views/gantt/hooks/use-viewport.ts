import type { TimeRange } from '@grafana/data';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTimeZoom } from '../../graph/hooks/use-time-zoom.js';
import type { Extent } from '../../graph/model/scales/scale.js';
import type { Viewport } from '../model/viewport.js';
import { useFrame } from './use-frame.js';

interface ViewportInput {
  readonly timeRange: TimeRange;
  readonly onTimeRange: (range: Extent) => void;
  readonly widthPx: number;
  /** What is drawn of a range until somebody moves. */
  readonly fitted: Extent | undefined;
}

/** The part of time that is drawn. */
export interface ViewportControl {
  readonly viewport: Viewport;
  /** As of the last gesture, which may not be drawn yet. */
  readonly read: () => Viewport;
  readonly isZoomed: boolean;
  /** At once on the screen; the dashboard follows when the hand rests. */
  readonly move: (extent: Extent) => void;
  /** For the whole dashboard, at once. */
  readonly zoomTo: (extent: Extent) => void;
  readonly reset: () => void;
}

const REST_MS = 350;

/** Whole milliseconds, which a dashboard's time range has. */
function roundOut({ min, max }: Extent): Extent {
  const from = Math.floor(min);
  return { min: from, max: Math.max(from + 1, Math.ceil(max)) };
}

/** The dashboard's time range, moved and zoomed by hand: without asking the store for each step on the way. */
export function useViewport({ timeRange, onTimeRange, widthPx, fitted }: ViewportInput): ViewportControl {
  const [min, max] = [timeRange.from.valueOf(), timeRange.to.valueOf()];
  const [own, setOwn] = useState<Extent | undefined>(undefined);
  const asked = useRef<Extent | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const { isZoomed, onZoom } = useTimeZoom({ timeRange, onTimeRange });
  const commit = useRef(onZoom);
  commit.current = onZoom;
  const inFrame = useFrame();
  const viewport = useMemo(() => ({ min, max, ...(own ?? fitted), widthPx }), [min, max, own, fitted, widthPx]);
  const latest = useRef<Viewport>(viewport);
  latest.current = timer.current === undefined ? viewport : { ...latest.current, widthPx };
  useEffect(() => {
    // Another range than the one that was asked for here is somebody else's wish.
    const isOurs = asked.current?.min === min && asked.current.max === max;
    if (!isOurs && timer.current === undefined) setOwn(undefined);
  }, [min, max]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = useCallback((extent: Extent) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    asked.current = roundOut(extent);
    commit.current(asked.current);
  }, []);
  const move = useCallback(
    (extent: Extent) => {
      latest.current = { ...latest.current, ...extent };
      inFrame(() => setOwn({ min: latest.current.min, max: latest.current.max }));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => ask(latest.current), REST_MS);
    },
    [ask, inFrame]
  );
  const zoomTo = useCallback(
    (extent: Extent) => {
      setOwn(extent);
      ask(extent);
    },
    [ask]
  );
  const reset = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    asked.current = undefined;
    setOwn(undefined);
    commit.current(undefined);
  }, []);
  const read = useCallback(() => latest.current, []);
  return { viewport, read, isZoomed: isZoomed || own !== undefined, move, zoomTo, reset };
}
