import type { AbsoluteTimeRange } from '@grafana/data';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createTables, type PanelTable } from '../../../parts/components/tables.js';
import type { Ask } from '../../../view.js';
import type { GraphLine, GraphModel } from './graphs.js';
import type { Extent } from '../scales/scale.js';

/** The time in which these lines pass a part of X, from the last point before it to the first one behind it. */
export function findTimesOfX(lines: readonly GraphLine[], { min, max }: Extent): AbsoluteTimeRange | undefined {
  let [from, to] = [Infinity, -Infinity];
  for (const { xs, timesMs, band } of new Map(lines.map((line) => [line.xs, line])).values()) {
    xs.forEach((x, at) => {
      const isBegin = at === 0 && band !== undefined;
      const next = Math.min(at + 1, xs.length - 1);
      const nextX = xs[next] ?? x;
      if (Math.max(x, nextX) < min || (!isBegin && Math.min(x, nextX) > max)) return;
      from = Math.min(from, isBegin ? findBegin(timesMs) : (timesMs?.[at] ?? Infinity));
      to = Math.max(to, timesMs?.[next] ?? -Infinity);
    });
  }
  // A time of a point is cut to milliseconds.
  return from <= to ? { from: Math.floor(from), to: Math.ceil(to) + 1 } : undefined;
}

/** A first point that stands for many rows is in their middle: they begin no earlier than one more before it. */
function findBegin([first = Infinity, second = first]: readonly number[] = []): number {
  return first - (second - first);
}

interface Zoom {
  readonly times: AbsoluteTimeRange;
  readonly tableIds: ReadonlySet<string>;
}

type ZoomsByGraph = ReadonlyMap<string, Zoom>;
type TablesByGraph = ReadonlyMap<string, readonly PanelTable[]>;

/** The tables to draw, and what to call when a viewer zooms a graph on X, with `undefined` at the end of the zoom. */
export interface ZoomedTables {
  readonly tables: readonly PanelTable[];
  readonly onZoom: (graph: GraphModel, range: Extent | undefined) => void;
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  return map.has(key) ? new Map([...map].filter(([each]) => each !== key)) : map;
}

/** Asks for the tables of each zoomed graph in the zoom's time, again with each refresh of the panel. */
function useFinerTables(zooms: ZoomsByGraph, ask: Ask | undefined): TablesByGraph {
  const [finer, setFiner] = useState<TablesByGraph>(new Map());
  useEffect(() => {
    // The same map where nothing changes: another one lets all graphs be made anew.
    setFiner((known) => [...known.keys()].reduce((rest, id) => (zooms.has(id) ? rest : without(rest, id)), known));
    if (ask === undefined) return undefined;
    const subscriptions = [...zooms].map(([id, { times, tableIds }]) =>
      ask({ range: times }).subscribe({
        next: (frames) => {
          const found = createTables(frames).filter((table) => tableIds.has(table.id) && table.rowCount > 0);
          if (found.length > 0) setFiner((known) => new Map([...known, [id, found]]));
        },
        // The picture at hand stays.
        error: () => undefined,
      })
    );
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [zooms, ask]);
  return finer;
}

/**
 * The tables of a zoomed graph at the resolution of its zoom, where they are too long to be shown row by row. The
 * tables at hand stay until the finer ones are there. A zoom is forgotten when `resetKey` changes.
 */
export function useZoomedTables(tables: readonly PanelTable[], ask: Ask | undefined, resetKey: string): ZoomedTables {
  const [zooms, setZooms] = useState<ZoomsByGraph>(new Map());
  useEffect(() => setZooms((known) => (known.size === 0 ? known : new Map())), [resetKey]);
  const finer = useFinerTables(zooms, ask);
  const foldedIds = useMemo(() => new Set(tables.filter(({ folded }) => folded).map(({ id }) => id)), [tables]);
  const onZoom = useCallback(
    (graph: GraphModel, range: Extent | undefined) => {
      const times = range === undefined ? undefined : findTimesOfX(graph.lines, range);
      const tableIds = new Set(graph.tables.map(({ id }) => id).filter((id) => foldedIds.has(id)));
      setZooms((known) => {
        if (times === undefined || tableIds.size === 0) return without(known, graph.id);
        return new Map([...known, [graph.id, { times, tableIds }]]);
      });
    },
    [foldedIds]
  );
  const shown = useMemo(() => {
    const found = new Map([...finer.values()].flat().map((table) => [table.id, table]));
    return tables.map((table) => {
      const zoomed = found.get(table.id);
      return zoomed === undefined ? table : { ...zoomed, label: table.label, startMs: table.startMs };
    });
  }, [tables, finer]);
  return { tables: shown, onZoom };
}
