import type { GraphModel } from './graphs.js';
import { countOf, formatCount } from '@joblens/core/words/counts';

type ShownRows = Pick<GraphModel, 'tables' | 'shownRows' | 'totalRows'>;

/** What a graph shows of its rows, in words, if it does not show each; else undefined. */
export function describeRows(graph: ShownRows): string | undefined {
  const point = describePoint(graph, 'many a point');
  if (point !== undefined) {
    return `${formatCount(graph.shownRows)} rows, ${point}: their mean, pale from lowest to highest; zoom in for each`;
  }
  return isCut(graph) ? `${formatCount(graph.shownRows)} of ${countOf(graph.totalRows, 'row')}` : undefined;
}

/** The same for a toolbar with little room. */
export function describeRowsShortly(graph: ShownRows): string | undefined {
  const share = Math.max(1, Math.floor((100 * graph.shownRows) / graph.totalRows));
  return describePoint(graph, 'many a point') ?? (isCut(graph) ? `${share} % of rows` : undefined);
}

function isCut({ shownRows, totalRows }: ShownRows): boolean {
  return totalRows > shownRows;
}

/** What a point stands for, where it is not one row; undefined where each is. */
function describePoint({ tables }: ShownRows, aggregate: string): string | undefined {
  const folded = tables.flatMap((table) => (table.folded === undefined ? [] : [table.folded]));
  if (folded.length === 0) return undefined;
  if (folded.some(({ isAggregated }) => isAggregated)) return aggregate;
  return `${formatCount(Math.max(...folded.map(({ rowsPerPoint }) => rowsPerPoint)))} a point`;
}
