import { createUnitFormat, formatNumber } from '../parts/number-format.js';
import type { GraphLine } from './graphs.js';
import { findExtent } from './scale.js';

/** What a legend says of a line; undefined where it has no value. */
export interface LineSummary {
  readonly last: number | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export const SUMMARY_COLUMNS = ['last', 'min', 'max'] as const;
export type SummaryColumn = (typeof SUMMARY_COLUMNS)[number];

const summaries = new WeakMap<GraphLine, LineSummary>();

/** The newest, lowest and highest finite value. Computed once for each line. */
export function summariseLine(line: GraphLine): LineSummary {
  const known = summaries.get(line);
  if (known !== undefined) return known;
  const extent = findExtent(line.ys);
  let index = line.ys.length - 1;
  while (index >= 0 && !Number.isFinite(line.ys[index])) index -= 1;
  const summary = { last: line.ys[index], min: extent?.min, max: extent?.max };
  summaries.set(line, summary);
  return summary;
}

/** A value of a line, by the unit and decimals of its field where someone has set them. */
export function formatLineValue(line: GraphLine, value: number | undefined): string {
  if (value === undefined) return '';
  return createUnitFormat(line.column.field)?.(value) ?? formatNumber(value);
}

/** Which column the table of a legend is sorted by; none is the order in which the keys were printed. */
export interface LegendSort {
  readonly column: SummaryColumn | 'name';
  readonly isDescending: boolean;
}

const byName = new Intl.Collator('en', { numeric: true });

/** Lines without a value come last in both directions. */
export function sortLines<L extends { readonly model: GraphLine }>(
  lines: readonly L[],
  sort: LegendSort | undefined
): readonly L[] {
  if (sort === undefined) return lines;
  const { column } = sort;
  const sign = sort.isDescending ? -1 : 1;
  if (column === 'name') return [...lines].sort((a, b) => sign * byName.compare(a.model.name, b.model.name));
  return [...lines].sort((a, b) => {
    const [left, right] = [summariseLine(a.model)[column], summariseLine(b.model)[column]];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return sign * (left - right);
  });
}

/** The sort after a click on a column's head: numbers the largest first, then the smallest, then as printed. */
export function nextSort(sort: LegendSort | undefined, column: LegendSort['column']): LegendSort | undefined {
  const firstIsDescending = column !== 'name';
  if (sort?.column !== column) return { column, isDescending: firstIsDescending };
  return sort.isDescending === firstIsDescending ? { column, isDescending: !firstIsDescending } : undefined;
}
