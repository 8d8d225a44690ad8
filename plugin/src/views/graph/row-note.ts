import type { GraphModel } from './graphs.js';
import { countOf, formatCount } from '../parts/counts.js';

/** What a graph shows of its rows, in words, if it does not show each; else undefined. */
export function describeRows({ tables, shownRows, totalRows }: Pick<GraphModel, 'tables' | 'shownRows' | 'totalRows'>) {
  const folded = tables.flatMap((table) => (table.folded === undefined ? [] : [table.folded]));
  if (folded.length === 0) {
    return totalRows > shownRows ? `${formatCount(shownRows)} of ${countOf(totalRows, 'row')}` : undefined;
  }
  const point = folded.some(({ isAggregated }) => isAggregated)
    ? 'lowest and highest of many a point'
    : `${formatCount(Math.max(...folded.map(({ rowsPerPoint }) => rowsPerPoint)))} a point`;
  return `${formatCount(shownRows)} rows, ${point}; zoom in for each`;
}
