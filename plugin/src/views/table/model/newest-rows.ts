import { useEffect, useMemo, useState } from 'react';
import type { MetadataQuery } from '../../../query-types/metadata/metadata.js';
import { createTables, type PanelTable } from '../../parts/components/tables.js';
import type { Ask } from '../../view.js';

/** The tables as rows: those that came folded, for the graph, are replaced by their newest rows. */
export function useNewestRows(tables: readonly PanelTable[], ask: Ask | undefined): readonly PanelTable[] {
  const [asked, setAsked] = useState<readonly PanelTable[]>([]);
  const hasFolded = tables.some(({ folded }) => folded !== undefined);
  useEffect(() => {
    if (!hasFolded || ask === undefined) return undefined;
    const newest: Pick<MetadataQuery, 'page'> = { page: {} };
    const subscription = ask({ query: newest }).subscribe({
      next: (frames) => setAsked(createTables(frames)),
      error: () => setAsked([]),
    });
    return () => subscription.unsubscribe();
  }, [hasFolded, ask]);
  return useMemo(() => {
    const rowsOf = new Map(asked.map((table) => [table.id, table]));
    return tables.flatMap((table) => {
      if (table.folded === undefined) return [table];
      const rows = rowsOf.get(table.id);
      return rows === undefined ? [] : [{ ...rows, label: table.label }];
    });
  }, [tables, asked]);
}
