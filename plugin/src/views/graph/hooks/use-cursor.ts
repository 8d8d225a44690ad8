import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type uPlot from 'uplot';
import type { XSync } from '../model/panes/x-sync.js';

/** Where the viewer points: the index into the aligned X values, and the mouse. */
export interface CursorPlace {
  readonly index: number;
  readonly pageX: number;
  readonly pageY: number;
  /** On the plot's inside, in pixels from its left and upper edges. */
  readonly leftPx: number;
  readonly topPx: number;
}

interface CursorInput {
  /** The X values that the cursor can be at, ascending. */
  readonly xs: readonly number[];
  readonly sync: XSync;
}

interface CursorControl {
  readonly place: CursorPlace | undefined;
  readonly setPlot: (plot: uPlot | undefined) => void;
  readonly plot: React.RefObject<uPlot | undefined>;
  readonly onCursor: (plot: uPlot) => void;
  readonly onEnter: () => void;
  readonly onLeave: () => void;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
}

const OUTSIDE = { left: -10, top: -10 };

function readPlace(plot: uPlot): CursorPlace | undefined {
  const { idx, left, top } = plot.cursor;
  if (idx === null || idx === undefined || left === undefined || top === undefined || left < 0) return undefined;
  const box = plot.over.getBoundingClientRect();
  return { index: idx, pageX: box.left + left, pageY: box.top + top, leftPx: left, topPx: top };
}

/** Shows the X hovered elsewhere, without telling anybody. */
function moveCursor(plot: uPlot, x: number | undefined): void {
  const left = x === undefined ? -1 : plot.valToPos(x, 'x');
  const isInside = left >= 0 && left <= plot.over.clientWidth;
  plot.setCursor(isInside ? { left, top: 0 } : OUTSIDE, false);
}

function readStep(key: string): -1 | 0 | 1 {
  if (key === 'ArrowRight') return 1;
  return key === 'ArrowLeft' ? -1 : 0;
}

/** The X one step from the cursor, from the near end when there is none. */
function findNextX(plot: uPlot, xs: readonly number[], step: -1 | 1): number | undefined {
  const last = xs.length - 1;
  const from = plot.cursor.idx ?? (step > 0 ? -1 : last + 1);
  return xs[Math.min(last, Math.max(0, from + step))];
}

/** The cursor of one graph: moved by the mouse, by the arrow keys, and by what is hovered elsewhere. */
export function useCursor({ xs, sync }: CursorInput): CursorControl {
  const [place, setPlace] = useState<CursorPlace | undefined>(undefined);
  const plot = useRef<uPlot | undefined>(undefined);
  const isActive = useRef(false);
  const latest = useRef(xs);
  latest.current = xs;
  const source = useMemo(() => ({}), []);

  const onCursor = useCallback(
    (self: uPlot) => {
      if (!isActive.current) return;
      const next = readPlace(self);
      setPlace(next);
      sync.publish(source, next === undefined ? undefined : latest.current[next.index]);
    },
    [sync, source]
  );

  useEffect(
    () =>
      sync.subscribe(source, (x) => {
        if (plot.current !== undefined && !isActive.current) moveCursor(plot.current, x);
      }),
    [sync, source]
  );

  const onLeave = useCallback(() => {
    if (!isActive.current) return;
    isActive.current = false;
    setPlace(undefined);
    sync.publish(source, undefined);
    plot.current?.setCursor(OUTSIDE, false);
  }, [sync, source]);

  const onKeyDown = useCallback((event: React.KeyboardEvent) => {
    const { current } = plot;
    const step = readStep(event.key);
    if (current === undefined || step === 0) return;
    event.preventDefault();
    isActive.current = true;
    const x = findNextX(current, latest.current, step);
    if (x !== undefined) current.setCursor({ left: current.valToPos(x, 'x'), top: current.over.clientHeight / 2 });
  }, []);

  return {
    place,
    plot,
    setPlot: useCallback((next) => {
      plot.current = next;
    }, []),
    onCursor,
    onEnter: useCallback(() => {
      isActive.current = true;
    }, []),
    onLeave,
    onKeyDown,
  };
}
