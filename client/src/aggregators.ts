import type { CoreElement } from './consumers.js';
import type { Aggregator, Streams } from './multi-sink.js';

/** The elements of one event, by consumer. */
export type Row = Readonly<Record<string, unknown>>;

export interface WindowOptions {
  /** How far the streams go back from the newest event. */
  readonly lengthMs: number;
  /** The consumer whose elements have the times. */
  readonly core?: string;
  /** Told of each new event … */
  readonly onRow?: (row: Row) => void;
  /** … and of how many of the oldest events go. */
  readonly onDelete?: (count: number) => void;
}

/** Keeps the streams short: events before the window go. Those that lie in it stay, the first one too. */
export function logWindow({ lengthMs, core = 'core', onRow, onDelete }: WindowOptions): Aggregator {
  return {
    afterEvent(streams) {
      const times = streams.get(core) as readonly (CoreElement | undefined)[] | undefined;
      const newest = times?.at(-1);
      if (times === undefined || newest === undefined) return;
      onRow?.(readRow(streams, times.length - 1));
      const firstMs = newest.timeMs - lengthMs;
      const first = times.findIndex((element) => element !== undefined && element.timeMs >= firstMs);
      if (first <= 0) return;
      onDelete?.(first);
      for (const stream of streams.values()) stream.splice(0, first);
    },
  };
}

/** One row for each event, in the order of their times. */
export interface TableStorage extends Aggregator {
  readonly length: number;
  /** The rows from one time to another, both inclusive, in milliseconds since the epoch. */
  rows(fromMs?: number, toMs?: number): readonly Row[];
}

interface TimedRow {
  readonly timeMs: number;
  readonly row: Row;
}

/** Keeps what the streams say as a table, also where they are handed over or cut. `core`: who has the times. */
export function tableStorage(core = 'core'): TableStorage {
  const table: TimedRow[] = [];
  return {
    get length() {
      return table.length;
    },
    afterEvent(streams) {
      const element = streams.get(core)?.at(-1) as CoreElement | undefined;
      if (element === undefined) return;
      const entry = { timeMs: element.timeMs, row: readRow(streams, -1) };
      const place = findPlace(table, element.timeMs, true);
      if (place === table.length) table.push(entry);
      else table.splice(place, 0, entry);
    },
    rows: (fromMs = -Infinity, toMs = Infinity) =>
      table.slice(findPlace(table, fromMs, false), findPlace(table, toMs, true)).map(({ row }) => row),
  };
}

function readRow(streams: Streams, place: number): Row {
  return Object.fromEntries([...streams].map(([name, stream]) => [name, stream.at(place)]));
}

/** The first place whose time is not before this one; with `isBehind`, the first whose time is after it. */
function findPlace(table: readonly TimedRow[], timeMs: number, isBehind: boolean): number {
  let [low, high] = [0, table.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = table[middle]?.timeMs ?? Infinity;
    if (found < timeMs || (isBehind && found === timeMs)) low = middle + 1;
    else high = middle;
  }
  return low;
}
