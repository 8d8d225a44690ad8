import type { EventFilter } from './event-filter.js';

export interface RoundsRequest {
  readonly filter: EventFilter;
  readonly order: 'newest-first' | 'oldest-first';
  readonly limit: number;
  /** Without it, everything is read in one round. */
  readonly nowNs?: bigint;
}

/** A part of the range of a filter; an end that is left out is the filter's. */
export type Round = Pick<EventFilter, 'afterNs' | 'beforeNs'>;

/**
 * How far the rounds reach, in sixteenths of the range from where the list begins. More rounds would cost more: in each
 * of them, the store looks at all series of a shard.
 */
const ENDS = [1n, 16n];

/**
 * The order in which to read the range of a filter. No index finds a text, so the store reads all events of a range to
 * find few of them; most texts are found soon. By other filters, everything is read in one round.
 */
export function planRounds({ filter, order, limit, nowNs }: RoundsRequest): readonly Round[] {
  const { text = '', jobs = [], afterNs, beforeNs = nowNs } = filter;
  const isSearch = text !== '' && jobs.length === 0 && Number.isFinite(limit);
  if (!isSearch || nowNs === undefined || afterNs === undefined || beforeNs === undefined) return [{}];
  const spanNs = beforeNs - afterNs;
  if (spanNs < 16n) return [{}];
  // The outer ends stay as they were asked for, also where there is none.
  return ENDS.map((end, i) => {
    const begin = ENDS[i - 1];
    if (order === 'newest-first') {
      return {
        ...(end < 16n && { afterNs: beforeNs - (spanNs * end) / 16n }),
        ...(begin !== undefined && { beforeNs: beforeNs - (spanNs * begin) / 16n - 1n }),
      };
    }
    return {
      ...(begin !== undefined && { afterNs: afterNs + (spanNs * begin) / 16n + 1n }),
      ...(end < 16n && { beforeNs: afterNs + (spanNs * end) / 16n }),
    };
  });
}
