import { panBy, toTimeMs, zoomBy } from '../model/viewport.js';
import type { ChartPoint, GesturesInput, Marked } from './gestures.js';
import type { ViewportControl } from './use-viewport.js';

export type PointerHandlers = Pick<
  React.DOMAttributes<HTMLDivElement>,
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel' | 'onPointerLeave' | 'onDoubleClick'
>;

interface PointerPlace {
  readonly read: () => GesturesInput;
  readonly inFrame: (task: () => void) => void;
  readonly onMarked: (marked: Marked | undefined) => void;
}

interface Drag {
  readonly kind: 'mark' | 'pan';
  readonly startPx: number;
  lastPx: number;
  isMoved: boolean;
}

/** A hand that clicks may move so far. */
const MIN_DRAG_PX = 5;
const LEAST_SPREAD_PX = 8;

function spread([a = 0, b = 0]: readonly number[]): number {
  return Math.max(LEAST_SPREAD_PX, Math.abs(a - b));
}

/** Two fingers: the instants under them stay under them. */
function pinch(control: ViewportControl, before: readonly number[], after: readonly number[]): void {
  const now = control.read();
  const findMiddle = ([a = 0, b = 0]: readonly number[]): number => (a + b) / 2;
  const anchorMs = toTimeMs(findMiddle(before), now);
  const zoomed = zoomBy(now, spread(before) / spread(after), anchorMs);
  const underMs = toTimeMs(findMiddle(after), { ...zoomed, widthPx: now.widthPx });
  control.move(panBy(zoomed, anchorMs - underMs));
}

function pan(control: ViewportControl, byPx: number): void {
  const now = control.read();
  control.move(panBy(now, (byPx / Math.max(1, now.widthPx)) * (now.max - now.min)));
}

function zoomToMarked(control: ViewportControl, edgesPx: readonly number[]): void {
  const now = control.read();
  const edges = edgesPx.map((px) => toTimeMs(Math.min(now.widthPx, Math.max(0, px)), now));
  control.zoomTo({ min: Math.min(...edges), max: Math.max(...edges) });
}

function isOnScrollBar({ nativeEvent, currentTarget }: React.PointerEvent): boolean {
  return nativeEvent.offsetX >= currentTarget.clientWidth;
}

function chooseKind({ pointerType, shiftKey, button }: React.PointerEvent): Drag['kind'] {
  return pointerType === 'touch' || shiftKey || button === 1 ? 'pan' : 'mark';
}

/** What the hand does with mouse, pen or fingers. */
export function createPointerHandlers({ read, inFrame, onMarked }: PointerPlace): PointerHandlers {
  const fingers = new Map<number, number>();
  let drag: Drag | undefined;
  const locate = (event: React.PointerEvent): ChartPoint => {
    const box = event.currentTarget.getBoundingClientRect();
    const { clientX: pageX, clientY: pageY } = event;
    return { xPx: pageX - box.left - read().gutterPx, yPx: pageY - box.top, pageX, pageY };
  };
  const end = ({ pointerId }: React.PointerEvent): Drag | undefined => {
    const ended = drag;
    fingers.delete(pointerId);
    drag = undefined;
    onMarked(undefined);
    return ended;
  };
  const dragTo = (active: Drag, xPx: number): void => {
    const [fromPx, toPx] = [Math.min(active.startPx, xPx), Math.max(active.startPx, xPx)];
    if (active.kind === 'pan') pan(read().control, active.lastPx - xPx);
    // A frame that comes after the end of the drag marks nothing.
    else inFrame(() => onMarked(drag === active ? { fromPx, toPx } : undefined));
    active.lastPx = xPx;
  };
  const pinchTo = (event: React.PointerEvent, xPx: number): void => {
    const before = [...fingers.values()];
    fingers.set(event.pointerId, xPx);
    pinch(read().control, before, [...fingers.values()]);
  };
  return {
    onPointerDown(event) {
      const { xPx } = locate(event);
      if (isOnScrollBar(event) || event.button > 1) return;
      if (event.pointerType === 'touch') fingers.set(event.pointerId, xPx);
      drag = fingers.size > 1 ? undefined : { kind: chooseKind(event), startPx: xPx, lastPx: xPx, isMoved: false };
    },
    onPointerMove(event) {
      const point = locate(event);
      if (fingers.size > 1 && fingers.has(event.pointerId)) pinchTo(event, point.xPx);
      else if (drag === undefined) inFrame(() => read().onHover(point));
      else if (drag.isMoved || Math.abs(point.xPx - drag.startPx) >= MIN_DRAG_PX) {
        if (!drag.isMoved) {
          event.currentTarget.setPointerCapture(event.pointerId);
          read().onHover(undefined);
        }
        drag.isMoved = true;
        dragTo(drag, point.xPx);
      }
    },
    onPointerUp(event) {
      const ended = end(event);
      const point = locate(event);
      if (ended === undefined) return;
      if (!ended.isMoved) read().onClick(point);
      else if (ended.kind === 'mark') zoomToMarked(read().control, [ended.startPx, point.xPx]);
    },
    onPointerCancel: (event) => void end(event),
    onPointerLeave({ pointerType }) {
      // A finger leaves with each tap: what it tapped stays told.
      if (pointerType !== 'touch') inFrame(() => read().onHover(undefined));
    },
    onDoubleClick: () => read().control.reset(),
  };
}
