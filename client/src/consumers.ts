import type { EventKind, JsonValue, LogEvent } from './log-event.js';
import type { Consumer } from './multi-sink.js';

/** What every event has. */
export interface CoreElement {
  readonly timeMs: number;
  readonly category: string;
  readonly kind: EventKind;
}

export function core({ timeMs, category, kind }: LogEvent): CoreElement {
  return { timeMs, category, kind };
}

export function id(event: LogEvent): string {
  return event.id;
}

/** What the program said beside: name, worker and data. */
export interface TimelineElement {
  readonly name: string;
  readonly worker: string;
  readonly data?: JsonValue | undefined;
}

export function timeline({ name, worker, data }: LogEvent): TimelineElement {
  return { name, worker, data };
}

/** The categories of spans that take and free memory, whose data has `bytes`. */
export interface MemoryCategories {
  readonly taking?: string;
  readonly freeing?: string;
}

/** The bytes that were taken since logging began, freed ones too. */
export function bytesAllocated({ taking = 'move' }: MemoryCategories = {}): Consumer<number> {
  let bytes = 0;
  return (event) => {
    if (event.kind === 'finish' && event.category === taking) bytes += readBytes(event);
    return bytes;
  };
}

/** The bytes that are taken at present. */
export function bytesLive({ taking = 'move', freeing = 'evict' }: MemoryCategories = {}): Consumer<number> {
  let bytes = 0;
  return (event) => {
    if (event.kind === 'finish' && event.category === taking) bytes += readBytes(event);
    if (event.kind === 'finish' && event.category === freeing) bytes = Math.max(0, bytes - readBytes(event));
    return bytes;
  };
}

function readBytes({ data }: LogEvent): number {
  if (typeof data !== 'object' || data === null || !('bytes' in data)) return 0;
  return typeof data['bytes'] === 'number' && Number.isFinite(data['bytes']) ? data['bytes'] : 0;
}

/** How many spans of each category run; categories without one are left out. */
export function eventSaturation(): Consumer<Readonly<Record<string, number>>> {
  const running = new RunningSpans();
  return (event) => {
    running.note(event);
    return Object.fromEntries(running.counts);
  };
}

/** How many spans of a category run: how busy the workers are. */
export function workerSaturation(category = 'compute'): Consumer<number> {
  const running = new RunningSpans();
  return (event) => {
    if (event.category === category) running.note(event);
    return running.counts.get(category) ?? 0;
  };
}

/** Counts the spans that have started and not finished. A finish without its start changes nothing. */
class RunningSpans {
  readonly counts = new Map<string, number>();
  readonly #open = new Map<string, Set<string>>();

  note({ kind, category, id: spanId }: LogEvent): void {
    let open = this.#open.get(category);
    if (kind === 'start') {
      if (open === undefined) this.#open.set(category, (open = new Set()));
      open.add(spanId);
    } else if (kind !== 'finish' || open?.delete(spanId) !== true) return;
    if (open.size > 0) this.counts.set(category, open.size);
    else {
      // A program may name ever new categories.
      this.counts.delete(category);
      this.#open.delete(category);
    }
  }
}

/** The part of the memory that is free, 0 to 1, as `read` tells it: `() => os.freemem() / os.totalmem()`. */
export function memoryFree(read: () => number): Consumer<number> {
  return () => read();
}

/** The load of the machine in the last minute, as `read` tells it: `() => os.loadavg()[0]`. */
export function loadAverage(read: () => number): Consumer<number> {
  return () => read();
}
