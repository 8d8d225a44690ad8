import type { LogSearch } from '../model/search.js';
import { useCallback, useMemo, useState } from 'react';
import type { LogOrder, PanelLogLine } from '../model/log-model.js';
import { createRows, findTraceOf, findTraces, type LogRow } from '../model/traces.js';

export interface SearchChoices {
  readonly search: LogSearch;
  /** Only lines that match are shown. */
  readonly isFilter: boolean;
  /** And so many lines around each of them. */
  readonly context: number;
}

interface LogRows {
  readonly rows: readonly LogRow[];
  /** Opens or folds the stack trace that begins with this line. */
  readonly toggle: (id: string) => void;
}

/** The rows of the loaded lines: filtered, with stack traces folded, in the order to show. */
export function useLogRows(
  lines: readonly PanelLogLine[],
  { order, isFolding }: { readonly order: LogOrder; readonly isFolding: boolean },
  { isFilter }: SearchChoices,
  targetId: string | undefined
): LogRows {
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  const traces = useMemo(() => (isFolding && !isFilter ? findTraces(lines) : []), [lines, isFolding, isFilter]);
  const rows = useMemo((): readonly LogRow[] => {
    // The line that the viewer goes to is never inside a folded trace.
    const head = targetId === undefined ? undefined : findTraceOf(traces, targetId);
    const ascending = createRows(lines, traces, head === undefined ? openIds : new Set([...openIds, head]));
    return order === 'asc' ? ascending : [...ascending].reverse();
  }, [lines, traces, openIds, order, targetId]);
  const toggle = useCallback((id: string) => {
    setOpenIds((open) => {
      const next = new Set(open);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  return { rows, toggle };
}
