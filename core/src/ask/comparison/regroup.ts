import { createColumn, freezeNode } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import type { ResultSeries, ResultValue } from '../../influxql/response.js';
import type { ReadableResult } from '../reading/result-rows.js';

/** A select of rows, asked for without its groups: making many small ones costs InfluxDB half as much again. */
export interface Ungrouped {
  readonly statement: SelectStatement;
  /** The groups of its answer, as the store would give them to the select itself, in no order. */
  readonly regroup: (result: ReadableResult) => ReadableResult;
}

/** @param select of columns as they are, grouped by tags alone */
export function ungroup({ groupBy, ...select }: SelectStatement): Ungrouped {
  const tags = (groupBy?.dimensions ?? []).flatMap((one) => (one.kind === 'tag' ? [one.name] : []));
  const columns = [...select.columns, ...tags.map((name) => createColumn(name))];
  return {
    statement: freezeNode({ ...select, columns }),
    regroup: (result) =>
      result && { ...result, series: (result.series ?? []).flatMap((one) => splitByTags(one, tags)) },
  };
}

/** The tags are the last columns. A point without one of them has '' there in a group. */
function splitByTags({ columns, values, ...series }: ResultSeries, tags: readonly string[]): readonly ResultSeries[] {
  const kept = columns.length - tags.length;
  const groups = new Map<
    string,
    { readonly tags: Readonly<Record<string, string>>; readonly values: ResultValue[][] }
  >();
  for (const row of values) {
    const texts = row.slice(kept).map((text) => (typeof text === 'string' ? text : ''));
    const key = JSON.stringify(texts);
    let group = groups.get(key);
    if (group === undefined) {
      group = { tags: Object.fromEntries(tags.map((name, at) => [name, texts[at] ?? ''])), values: [] };
      groups.set(key, group);
    }
    group.values.push(row.slice(0, kept));
  }
  return [...groups.values()].map((group) => ({ ...series, ...group, columns: columns.slice(0, kept) }));
}
