import { useEffect, useMemo, useRef, useState } from 'react';
import { panBy, toTimeMs, zoomBy } from '../model/viewport.js';
import type { GesturesInput, Marked } from './gestures.js';
import { createPointerHandlers, type PointerHandlers } from './pointer-handlers.js';
import { useFrame } from './use-frame.js';

interface Gestures {
  readonly marked: Marked | undefined;
  readonly handlers: PointerHandlers;
}

const WHEEL_LINE_PX = 16;
const ZOOM_PER_PX = 1.0025;

function readWheel({ deltaX, deltaY, deltaMode }: WheelEvent): { readonly x: number; readonly y: number } {
  const unit = deltaMode === 1 ? WHEEL_LINE_PX : 1;
  return { x: deltaX * unit, y: deltaY * unit };
}

/** Ctrl and the wheel zoom, Shift and the wheel move in time, as does a wheel that turns sideways; else rows scroll. */
function useWheel({ area, gutterPx, control }: GesturesInput): void {
  const { move, read } = control;
  useEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent): void => {
      const wheel = readWheel(event);
      const now = read();
      if (event.ctrlKey || event.metaKey) {
        const xPx = event.clientX - element.getBoundingClientRect().left - gutterPx;
        move(zoomBy(now, ZOOM_PER_PX ** wheel.y, toTimeMs(xPx, now)));
      } else if (event.shiftKey || Math.abs(wheel.x) > Math.abs(wheel.y)) {
        const byPx = wheel.x === 0 ? wheel.y : wheel.x;
        move(panBy(now, (byPx / Math.max(1, now.widthPx)) * (now.max - now.min)));
      } else return;
      event.preventDefault();
    };
    // React's own listener may not hold the page's zoom back.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [area, gutterPx, move, read]);
}

/** Drag to zoom as in a graph; with Shift, the middle button or a finger, drag to move in time. */
export function useGestures(input: GesturesInput): Gestures {
  const [marked, setMarked] = useState<Marked | undefined>(undefined);
  const latest = useRef(input);
  latest.current = input;
  const inFrame = useFrame();
  useWheel(input);
  const handlers = useMemo(
    () => createPointerHandlers({ read: () => latest.current, inFrame, onMarked: setMarked }),
    [inFrame]
  );
  return { marked, handlers };
}
