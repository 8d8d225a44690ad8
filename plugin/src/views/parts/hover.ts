import {
  type BusEvent,
  DataHoverClearEvent,
  DataHoverEvent,
  type DataHoverPayload,
  DataSelectEvent,
  type EventBus,
} from '@grafana/data';
import { toMs, toNs } from '../../frames/times.js';

/** `undefined`: the mouse left. */
type HoverListener = (timeMs: number | undefined) => void;

type SelectListener = (timeNs: bigint) => void;

/**
 * The instant under the mouse, shared by the views of this panel and, over Grafana's event bus, with other panels.
 * A listener is not told of what it published itself.
 */
export interface HoverHub {
  publish(source: object, timeMs: number | undefined): void;
  subscribe(source: object, listener: HoverListener): () => void;
  /**
   * Somebody clicked a point, row or line of this instant, in nanoseconds. The other views, in this panel and others,
   * go to it: the log shows the newest line that is not later. Other panels hear it where the dashboard shares hovers.
   */
  select(source: object, timeNs: bigint): void;
  /** Hears the selections of all others; returns how to stop. */
  onSelect(source: object, listener: SelectListener): () => void;
  /** Starts to listen to the bus; returns how to stop. */
  connect(): () => void;
}

interface HoverPayload {
  readonly point?: { readonly time?: unknown; readonly timeNs?: unknown };
}

function readTimeMs(payload: HoverPayload | undefined): number | undefined {
  const time = payload?.point?.time;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}

/** The exact time as text, as an event may be copied as JSON; the milliseconds of another panel. */
function readTimeNs(payload: HoverPayload | undefined): bigint | undefined {
  const timeNs = payload?.point?.timeNs;
  if (typeof timeNs === 'string' && /^-?\d+$/.test(timeNs)) return BigInt(timeNs);
  const timeMs = readTimeMs(payload);
  return timeMs === undefined ? undefined : toNs(timeMs);
}

export function createHoverHub(bus: EventBus): HoverHub {
  const listeners = new Map<object, HoverListener>();
  const selectListeners = new Map<object, SelectListener>();
  let isPublishing = false;
  const tell = (source: object | undefined, timeMs: number | undefined): void => {
    for (const [key, listener] of listeners) if (key !== source) listener(timeMs);
  };
  const tellSelected = (source: object | undefined, timeNs: bigint): void => {
    for (const [key, listener] of selectListeners) if (key !== source) listener(timeNs);
  };
  const publishToBus = (event: BusEvent): void => {
    isPublishing = true;
    try {
      bus.publish(event);
    } finally {
      isPublishing = false;
    }
  };
  return {
    publish(source, timeMs) {
      tell(source, timeMs);
      publishToBus(timeMs === undefined ? new DataHoverClearEvent() : new DataHoverEvent({ point: { time: timeMs } }));
    },
    select(source, timeNs) {
      tellSelected(source, timeNs);
      const point: Record<string, unknown> = { time: toMs(timeNs), timeNs: String(timeNs) };
      publishToBus(new DataSelectEvent({ point } as DataHoverPayload));
    },
    onSelect(source, listener) {
      selectListeners.set(source, listener);
      return () => {
        selectListeners.delete(source);
      };
    },
    subscribe(source, listener) {
      listeners.set(source, listener);
      return () => {
        listeners.delete(source);
      };
    },
    connect() {
      const hover = bus.getStream(DataHoverEvent).subscribe((event) => {
        const timeMs = readTimeMs(event.payload);
        if (!isPublishing && timeMs !== undefined) tell(undefined, timeMs);
      });
      const clear = bus.getStream(DataHoverClearEvent).subscribe(() => {
        if (!isPublishing) tell(undefined, undefined);
      });
      const select = bus.getStream(DataSelectEvent).subscribe((event) => {
        const timeNs = readTimeNs(event.payload);
        if (!isPublishing && timeNs !== undefined) tellSelected(undefined, timeNs);
      });
      return () => {
        hover.unsubscribe();
        clear.unsubscribe();
        select.unsubscribe();
      };
    },
  };
}

/** Index of the last of these rising times that is not after `timeMs`, the first when all are; -1 for none. */
export function findRowAt(timesMs: readonly number[], timeMs: number): number {
  let low = 0;
  let high = timesMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesMs[middle] ?? Infinity) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return timesMs.length === 0 ? -1 : Math.max(0, low - 1);
}
