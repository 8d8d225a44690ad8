import { createColumn, createSelect } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import type { Reading } from '../reading/reading.js';
import { decodeTag, listRows, listSeries, type ResultRow } from '../reading/result-rows.js';
import { type TimeSelection, whereAll } from '../reading/selection.js';
import { createSpanConditions, type SpanFilter, SPANS } from './span-filter.js';

/** The spans of one category and name, together. */
export interface SpanSummary {
  readonly category: string;
  readonly name: string;
  /** Spans that have finished: the times are theirs. */
  readonly spans: number;
  /** Spans whose start or finish is missing. */
  readonly halves: number;
  readonly minMs: number;
  readonly maxMs: number;
  readonly sumMs: number;
}

const PAGE = 50_000;

/** Sums all spans of a filter up by category and name, those that took longest in all first. They are read in pages. */
export function* readSpanSummaries(
  filter: SpanFilter,
  range: TimeSelection,
  pageSize = PAGE
): Reading<readonly SpanSummary[]> {
  const summaries = new Map<string, SpanSummary>();
  let [page, fromNs] = [pageSize, range.fromNs];
  for (;;) {
    const [result] = yield [pageQuery(filter, { ...range, fromNs }, page)];
    const rows = listSeries(result).flatMap(listRows);
    const isLast = rows.length < page;
    const lastNs = rows.at(-1)?.timeNs;
    // Spans of other lanes may have the same time: a page that is full ends before its last one.
    const whole = isLast ? rows : rows.filter(({ timeNs }) => timeNs !== lastNs);
    for (const row of whole) addRow(summaries, row);
    if (isLast) break;
    if (whole.length === 0) page *= 2;
    fromNs = lastNs;
  }
  return [...summaries.values()].sort((a, b) => b.sumMs - a.sumMs || b.halves - a.halves);
}

function pageQuery(filter: SpanFilter, range: TimeSelection, limit: number): SelectStatement {
  return createSelect({
    columns: ['id', 'name', 'duration_ms', 'category'].map((name) => createColumn(name)),
    from: SPANS,
    ...whereAll(...createSpanConditions(filter, range)),
    orderBy: 'ASC',
    limit,
  });
}

function addRow(summaries: Map<string, SpanSummary>, row: ResultRow): void {
  const category = decodeTag(row.text('category')) ?? '';
  const name = row.text('name') ?? row.text('id') ?? '';
  const durationMs = row.number('duration_ms');
  const key = JSON.stringify([category, name]);
  const { spans, halves, minMs, maxMs, sumMs } = summaries.get(key) ?? NOTHING;
  summaries.set(
    key,
    durationMs === undefined
      ? { category, name, spans, halves: halves + 1, minMs, maxMs, sumMs }
      : {
          ...{ category, name, spans: spans + 1, halves, sumMs: sumMs + durationMs },
          ...{ minMs: Math.min(minMs, durationMs), maxMs: Math.max(maxMs, durationMs) },
        }
  );
}

const NOTHING = { spans: 0, halves: 0, minMs: Infinity, maxMs: -Infinity, sumMs: 0 };
