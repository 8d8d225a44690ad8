import { type RefObject, useCallback, useState } from 'react';
import { stepBar, type Direction } from '../model/bar-steps.js';
import { findBoxAt, type Hit, type RowBox } from '../model/boxes.js';
import type { Lane } from '../model/lanes.js';
import { revealTime, zoomBy } from '../model/viewport.js';
import type { ViewportControl } from './use-viewport.js';

interface BarKeysInput {
  /** What the keys move over: with a search, what it finds. */
  readonly boxes: readonly RowBox[];
  readonly area: RefObject<HTMLDivElement | null>;
  readonly control: ViewportControl;
  readonly onPoint: (timeMs: number | undefined) => void;
  readonly onSelect: (timeMs: number) => void;
}

export interface BarKeys {
  readonly focused: Hit | undefined;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
  readonly onBlur: () => void;
  /** Around what is focused, else around the middle. */
  readonly zoom: (factor: number) => void;
}

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const STEP = 2;
const ZOOMS: Readonly<Record<string, number>> = { '+': 1 / STEP, '=': 1 / STEP, '-': STEP, _: STEP };

function findLane(boxes: readonly RowBox[], hit: Hit | undefined): Lane | undefined {
  return hit === undefined ? undefined : boxes[hit.boxAt]?.row.lanes[hit.laneAt];
}

/** Scrolls as little as shows the lane. */
function revealLane(area: HTMLDivElement | null, boxes: readonly RowBox[], { boxAt, laneAt }: Hit): void {
  const box = boxes[boxAt];
  if (area === null || box === undefined) return;
  const topPx = laneAt === 0 ? box.topPx : box.lanesTopPx + laneAt * box.laneHeightPx;
  const bottomPx = box.lanesTopPx + (laneAt + 1) * box.laneHeightPx;
  if (topPx < area.scrollTop) area.scrollTop = topPx;
  else if (bottomPx > area.scrollTop + area.clientHeight) area.scrollTop = bottomPx - area.clientHeight;
}

/** Arrows go from bar to bar, + and - zoom, Enter is a click, Escape lets go and then undoes the zoom. */
export function useBarKeys({ boxes, area, control, onPoint, onSelect }: BarKeysInput): BarKeys {
  const [chosen, setChosen] = useState<Hit | undefined>(undefined);
  const lane = findLane(boxes, chosen);
  // Rows change with a refresh, a search and the choice of rows.
  const focused = chosen !== undefined && chosen.first < (lane?.spans.length ?? 0) ? chosen : undefined;
  const startMs = focused === undefined ? undefined : lane?.starts[focused.first];
  const zoom = useCallback(
    (factor: number) => {
      const now = control.read();
      control.move(zoomBy(now, factor, startMs ?? (now.min + now.max) / 2));
    },
    [control, startMs]
  );
  const go = (direction: Direction): void => {
    const now = control.read();
    const topBox = findBoxAt(boxes, area.current?.scrollTop ?? 0);
    const next = stepBar(boxes, now, { from: focused, topBox }, direction);
    const nextMs = next === undefined ? undefined : findLane(boxes, next)?.starts[next.first];
    setChosen(next);
    if (next === undefined || nextMs === undefined) return;
    revealLane(area.current, boxes, next);
    const shown = revealTime(now, nextMs);
    if (shown !== now) control.move(shown);
    onPoint(nextMs);
  };
  const letGo = (): boolean => {
    const isHeld = focused !== undefined;
    setChosen(undefined);
    onPoint(undefined);
    return isHeld;
  };
  const act = (key: string): boolean => {
    const direction = DIRECTIONS[key];
    const factor = ZOOMS[key];
    if (direction !== undefined) go(direction);
    else if (factor !== undefined) zoom(factor);
    else if (key === 'Enter' && startMs !== undefined) onSelect(startMs);
    else if (key === 'Escape') {
      if (letGo()) return true;
      if (!control.isZoomed) return false;
      control.reset();
    } else return false;
    return true;
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !act(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { focused, onKeyDown, onBlur: () => void letGo(), zoom };
}
