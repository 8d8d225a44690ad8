import { useEffect, useMemo, useState } from 'react';
import { toNs } from '../../../frames/times.js';
import { findRowAt, type HoverHub } from '../../parts/hover.js';
import type { PanelTable } from '../../parts/components/tables.js';

interface RowHub {
  /** The row under the mouse here, or the newest at the instant hovered elsewhere; -1 for none. */
  readonly hovered: number;
  readonly hover: (row: number) => void;
  /** Takes the log and the other views to the row's time; undefined where rows have none. */
  readonly select: ((row: number) => void) | undefined;
}

/** What the rows share with the other views. */
export function useRowHub(table: PanelTable, hub: HoverHub): RowHub {
  const [hovered, setHovered] = useState(-1);
  const source = useMemo(() => ({}), []);
  const { timesMs, timesNs } = table;
  useEffect(
    () =>
      hub.subscribe(source, (timeMs) => {
        setHovered(timeMs === undefined || timesMs === undefined ? -1 : findRowAt(timesMs, timeMs));
      }),
    [hub, source, timesMs]
  );
  const hover = (row: number): void => {
    setHovered(row);
    hub.publish(source, row < 0 ? undefined : timesMs?.[row]);
  };
  const select = (row: number): void => {
    const [timeNs, timeMs] = [timesNs?.[row], timesMs?.[row]];
    if (timeNs !== undefined) hub.select(source, BigInt(timeNs));
    else if (typeof timeMs === 'number') hub.select(source, toNs(timeMs));
  };
  // A row of the list of jobs leads to its job.
  return { hovered, hover, select: table.kind === 'jobs' || timesMs === undefined ? undefined : select };
}

/** A click on a link, or one that ends the selection of text, is none on the row. */
export function isRowClick({ target }: React.MouseEvent): boolean {
  return !(target as Element).closest('a') && (window.getSelection()?.isCollapsed ?? true);
}
