import { DataHoverClearEvent, DataHoverEvent, type EventBus } from '@grafana/data';

/** `undefined`: the mouse left. */
type HoverListener = (timeMs: number | undefined) => void;

/**
 * The instant under the mouse, shared by the views of this panel and, over Grafana's event bus, with other panels.
 * A listener is not told of what it published itself.
 */
export interface HoverHub {
  publish(source: object, timeMs: number | undefined): void;
  subscribe(source: object, listener: HoverListener): () => void;
  /** Starts to listen to the bus; returns how to stop. */
  connect(): () => void;
}

interface HoverPayload {
  readonly point?: { readonly time?: unknown };
}

function readTimeMs(payload: HoverPayload | undefined): number | undefined {
  const time = payload?.point?.time;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}

export function createHoverHub(bus: EventBus): HoverHub {
  const listeners = new Map<object, HoverListener>();
  let isPublishing = false;
  const tell = (source: object | undefined, timeMs: number | undefined): void => {
    for (const [key, listener] of listeners) if (key !== source) listener(timeMs);
  };
  return {
    publish(source, timeMs) {
      tell(source, timeMs);
      isPublishing = true;
      try {
        bus.publish(timeMs === undefined ? new DataHoverClearEvent() : new DataHoverEvent({ point: { time: timeMs } }));
      } finally {
        isPublishing = false;
      }
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
      return () => {
        hover.unsubscribe();
        clear.unsubscribe();
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
