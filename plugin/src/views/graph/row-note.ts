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

/** The same for a toolbar with little room. */
export function describeRowsShortly(graph: Parameters<typeof describeRows>[0]): string | undefined {
  const folded = graph.tables.flatMap((table) => (table.folded === undefined ? [] : [table.folded]));
  if (folded.length === 0) {
    const { shownRows, totalRows } = graph;
    return totalRows > shownRows ? `${Math.max(1, Math.floor((100 * shownRows) / totalRows))} % of rows` : undefined;
  }
  return folded.some(({ isAggregated }) => isAggregated)
    ? 'min, max'
    : `${formatCount(Math.max(...folded.map(({ rowsPerPoint }) => rowsPerPoint)))} a point`;
}
