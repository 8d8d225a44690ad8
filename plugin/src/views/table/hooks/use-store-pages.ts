import { useEffect, useState } from 'react';
import type { PanelTable } from '../../parts/components/tables.js';
import type { ReadRows, RowEdge } from '../model/store-rows.js';
import { useStoreRounds } from './use-store-rounds.js';

export type PageStep = 'first' | 'previous' | 'next' | 'last';

export interface StorePages {
  /** A page beyond the loaded rows; undefined while those are shown. */
  readonly shown: PanelTable | undefined;
  /** Place of its first row in the order that is shown, from 0. */
  readonly from: number;
  readonly isLoading: boolean;
  readonly problem: string | undefined;
  readonly go: (step: PageStep, edges: PageEdges) => void;
  readonly close: () => void;
}

/** Exact times of the oldest and the newest row in sight. */
export interface PageEdges {
  readonly oldestNs: string | undefined;
  readonly newestNs: string | undefined;
}

interface Shown {
  readonly table: PanelTable;
  /** Rows of the table before this page: they do not change while rows come in. */
  readonly olderRows: number;
}

/** Rows of a step, in time. */
export function chooseEdge(step: PageStep, isNewestFirst: boolean, { oldestNs, newestNs }: PageEdges): RowEdge {
  const isOlder = (step === 'next' || step === 'last') === isNewestFirst;
  if (step === 'first') return { order: isNewestFirst ? 'desc' : 'asc' };
  if (step === 'last') return { order: isOlder ? 'asc' : 'desc' };
  return isOlder
    ? { order: 'desc', ...(oldestNs !== undefined && { beforeNs: oldestNs }) }
    : { order: 'asc', ...(newestNs !== undefined && { afterNs: newestNs }) };
}

/**
 * Pages of a table through the store, by the time of the rows at their edges: rows that come in meanwhile move nothing.
 * @param localRows rows of the first page, which are loaded
 */
export function useStorePages(
  table: PanelTable | undefined,
  read: ReadRows | undefined,
  isNewestFirst: boolean,
  pageSize: number,
  localRows: number
): StorePages {
  const [shown, setShown] = useState<Shown | undefined>(undefined);
  const [status, setStatus] = useState<{ readonly isLoading: boolean; readonly problem?: string }>({
    isLoading: false,
  });
  const rounds = useStoreRounds(read, (problem) => setStatus({ isLoading: false, problem }));
  const id = table?.id;
  const total = table?.totalRows ?? 0;
  useEffect(() => {
    setShown(undefined);
    setStatus({ isLoading: false });
    // A page of another table or order that is still asked for is of no use.
    return () => void rounds.start();
  }, [id, isNewestFirst, pageSize]);

  const countOlder = (step: PageStep, rows: number): number => {
    const current = shown ?? { olderRows: total - localRows, table: { rowCount: localRows } };
    if (step === 'first') return isNewestFirst ? total - rows : 0;
    if (step === 'last') return isNewestFirst ? 0 : total - rows;
    const isOlder = (step === 'next') === isNewestFirst;
    return isOlder ? current.olderRows - rows : current.olderRows + current.table.rowCount;
  };
  const go = (step: PageStep, edges: PageEdges): void => {
    const isRelative = step === 'next' || step === 'previous';
    if (read === undefined || (isRelative && status.isLoading)) return;
    setStatus({ isLoading: true });
    const limit = step === 'last' ? total % pageSize || pageSize : pageSize;
    rounds.start().ask(chooseEdge(step, isNewestFirst, edges), limit, ({ table: rows }) => {
      setStatus({ isLoading: false });
      if (rows.rowCount > 0) setShown({ table: rows, olderRows: Math.max(0, countOlder(step, rows.rowCount)) });
    });
  };
  const newer = shown === undefined ? 0 : Math.max(0, total - shown.olderRows - shown.table.rowCount);
  return {
    shown: shown?.table,
    from: shown === undefined ? 0 : isNewestFirst ? newer : shown.olderRows,
    isLoading: status.isLoading,
    problem: status.problem,
    go,
    close: () => {
      rounds.start();
      setStatus({ isLoading: false });
      setShown(undefined);
    },
  };
}
