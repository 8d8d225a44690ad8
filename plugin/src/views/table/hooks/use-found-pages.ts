import { useEffect, useState } from 'react';
import type { TypedFilters } from '../../../query-types/metadata/found-rows.js';
import type { PanelTable } from '../../parts/components/tables.js';
import type { ReadRows, RowPage, RowQuestion } from '../model/store-rows.js';
import { chooseEdge, type PageEdges, type PageStep } from './use-store-pages.js';
import { useLatest, useStoreRounds } from './use-store-rounds.js';

/** Rows that were found in the store by filters. */
export interface FoundPages extends Omit<Found, 'untilNs'> {
  readonly go: (step: PageStep) => void;
}

interface FoundInput {
  readonly table: PanelTable;
  /** Undefined: nothing is looked for. */
  readonly read: ReadRows | undefined;
  readonly filters: TypedFilters;
  readonly isNewestFirst: boolean;
  readonly pageSize: number;
}

interface Found {
  /** A page of them; undefined before the first one. */
  readonly shown: PanelTable | undefined;
  /** Place of its first row among those found, from 0. */
  readonly from: number;
  /** How many there are; undefined while they are counted. */
  readonly total: number | undefined;
  readonly hasNext: boolean;
  readonly isLoading: boolean;
  readonly problem: string | undefined;
  /** All rows up to this one are looked at; those that come later are another search. */
  readonly untilNs: string | undefined;
}

const NOTHING: Found = {
  ...{ shown: undefined, from: 0, total: undefined, hasNext: false, isLoading: true, problem: undefined },
  untilNs: undefined,
};

/** A search begins so long after the last key. */
const TYPING_MS = 300;

function findNewestNs({ timesNs }: PanelTable): string | undefined {
  return timesNs?.[timesNs.length - 1];
}

function findEdges(shown: PanelTable): PageEdges {
  return { oldestNs: shown.timesNs?.[0], newestNs: findNewestNs(shown) };
}

function limitTo(untilNs: string | undefined, filters: TypedFilters): RowQuestion {
  return { filters, ...(untilNs !== undefined && { beforeNs: String(BigInt(untilNs) + 1n) }) };
}

function showTurn(
  step: Exclude<PageStep, 'first'>,
  { from, total = 0, shown }: Found & { readonly shown: PanelTable },
  { table, hasMore }: RowPage
): Partial<Found> {
  const count = table.rowCount;
  const place = { next: from + shown.rowCount, previous: Math.max(0, from - count), last: total - count };
  const hasNext = step === 'previous' || (step === 'next' && hasMore);
  return { shown: table, from: place[step], hasNext, isLoading: false };
}

/**
 * Pages of the rows that pass filters, through the store, as of the newest row when the search began. So a page stays
 * as it is while rows come in. On the first page, newest first, those that come in are looked at too.
 */
export function useFoundPages({ table, read, filters, isNewestFirst, pageSize }: FoundInput): FoundPages {
  const [found, setFound] = useState(NOTHING);
  const newestNs = findNewestNs(table);
  const newest = useLatest(newestNs);
  const isOn = read !== undefined;
  const change = (changes: Partial<Found>): void => setFound((before) => ({ ...before, ...changes }));
  const rounds = useStoreRounds(read, (problem) => change({ isLoading: false, problem }));
  // The rows in sight stay until others come.
  const clear = (untilNs?: string): void => setFound(({ shown }) => ({ ...NOTHING, shown, untilNs }));

  const search = (): void => {
    const untilNs = newest.current;
    const round = rounds.start();
    const within = limitTo(untilNs, filters);
    clear(untilNs);
    round.ask({ ...within, order: isNewestFirst ? 'desc' : 'asc' }, pageSize, ({ table: shown, hasMore }) => {
      change({ shown, hasNext: hasMore, isLoading: false, ...(!hasMore && { total: shown.rowCount }) });
      if (!hasMore) return;
      round.ask({ ...within, isCount: true }, pageSize, ({ table: { totalRows } }) => change({ total: totalRows }));
    });
  };
  useEffect(() => {
    if (!isOn) return undefined;
    clear();
    const timer = setTimeout(search, TYPING_MS);
    return () => {
      clearTimeout(timer);
      rounds.start();
    };
  }, [isOn, JSON.stringify([table.id, filters, isNewestFirst, pageSize])]);

  const isFollowing = isOn && isNewestFirst && found.from === 0 && !found.isLoading && found.total !== undefined;
  const follow = (toNs: string, fromNs: string, total: number): void => {
    const round = rounds.start();
    const question = { ...limitTo(toNs, filters), afterNs: fromNs, isCount: true };
    round.ask(question, pageSize, ({ table: { totalRows: added } }) => {
      const within = { ...limitTo(toNs, filters), order: 'desc' } as const;
      const show = ({ table: shown, hasMore }: RowPage): void =>
        change({ shown, hasNext: hasMore, untilNs: toNs, total: total + added });
      if (added === 0) change({ untilNs: toNs });
      else round.ask(within, pageSize, show);
    });
  };
  useEffect(() => {
    const { untilNs, total = 0 } = found;
    const isBehind = newestNs !== undefined && untilNs !== undefined && BigInt(newestNs) > BigInt(untilNs);
    if (isFollowing && isBehind) follow(newestNs, untilNs, total);
  }, [isFollowing, newestNs]);

  const turn = (step: Exclude<PageStep, 'first'>, shown: PanelTable): void => {
    if (step === 'last' && found.total === undefined) return;
    // The count may still be on its way.
    const round = found.total === undefined ? rounds.current() : rounds.start();
    change({ isLoading: true });
    const question = { ...limitTo(found.untilNs, filters), ...chooseEdge(step, isNewestFirst, findEdges(shown)) };
    const limit = step === 'last' ? (found.total ?? 0) % pageSize || pageSize : pageSize;
    round.ask(question, limit, (answer) => change(showTurn(step, { ...found, shown }, answer)));
  };
  const go = (step: PageStep): void => {
    if (found.isLoading || found.shown === undefined) return;
    if (step === 'first') search();
    else turn(step, found.shown);
  };
  return { ...found, go };
}
