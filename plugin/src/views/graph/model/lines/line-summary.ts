import { formatNumber } from '@joblens/core/numbers/format-number';
import { createUnitFormat } from '../../../parts/number-format.js';
import type { GraphLine } from './graphs.js';
import { findExtent } from '../scales/scale.js';

/** A value of a line, and how far the nearest neighbour that differs is: the digits that are worth showing. */
export interface LineValue {
  readonly value: number;
  readonly step: number;
}

/** What a legend says of a line; undefined where it has no value. */
export interface LineSummary {
  readonly last: LineValue | undefined;
  readonly min: LineValue | undefined;
  readonly max: LineValue | undefined;
}

export const SUMMARY_COLUMNS = ['last', 'min', 'max'] as const;
export type SummaryColumn = (typeof SUMMARY_COLUMNS)[number];

const summaries = new WeakMap<GraphLine, LineSummary>();

/** Values whose distance is less than this share of their size differ by rounding alone. */
const ROUNDING_SHARE = 1e-15;

/** The distance of a value to the nearer of the two beside it, without those that it equals. */
export function findStepAt(values: readonly number[], index: number): number {
  const value = values[index] ?? NaN;
  const distances = [index - 1, index + 1].map((at) => Math.abs((values[at] ?? NaN) - value));
  return Math.min(...distances.map((distance) => (distance > Math.abs(value) * ROUNDING_SHARE ? distance : Infinity)));
}

function findValueAt(values: readonly number[], index: number): LineValue | undefined {
  const value = values[index];
  return value === undefined ? undefined : { value, step: findStepAt(values, index) };
}

/** The newest, lowest and highest finite value, those behind means among them. Computed once for each line. */
export function summariseLine(line: GraphLine): LineSummary {
  const known = summaries.get(line);
  if (known !== undefined) return known;
  const { ys, extremes } = line;
  const extent = findExtent(extremes);
  const summary = {
    last: findValueAt(ys, ys.findLastIndex(Number.isFinite)),
    min: extent && findValueAt(extremes, extremes.indexOf(extent.min)),
    max: extent && findValueAt(extremes, extremes.indexOf(extent.max)),
  };
  summaries.set(line, summary);
  return summary;
}

/** A value of a line, by the unit and decimals of its field where someone has set them. */
export function formatLineValue(line: GraphLine, found: LineValue | undefined): string {
  if (found === undefined) return '';
  return createUnitFormat(line.column.field)?.(found.value) ?? formatNumber(found.value, found.step);
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
    return sign * (left.value - right.value);
  });
}

/** The sort after a click on a column's head: numbers the largest first, then the smallest, then as printed. */
export function nextSort(sort: LegendSort | undefined, column: LegendSort['column']): LegendSort | undefined {
  const firstIsDescending = column !== 'name';
  if (sort?.column !== column) return { column, isDescending: firstIsDescending };
  return sort.isDescending === firstIsDescending ? { column, isDescending: !firstIsDescending } : undefined;
}
