import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import { parseRfc3339Nano, type ResultSeries, type ResultValue, type StatementResult } from '@joblens/core';
import { toMs } from './frame-meta.js';
import { createNotice } from './notice.js';

/** One frame a result series, named as InfluxDB names it; tags become labels of its fields. Rows with nulls stay. */
export function createInfluxqlFrames(
  refId: string,
  results: readonly StatementResult[],
  executedQuery: string
): DataFrame[] {
  return results.flatMap((result) =>
    (result.series ?? []).map((series) => createSeriesFrame(refId, series, result, executedQuery))
  );
}

function createSeriesFrame(refId: string, series: ResultSeries, result: StatementResult, query: string): DataFrame {
  const isPartial = series.partial === true || result.partial === true;
  const messages = (result.messages ?? []).map((message) => message.text);
  const order = series.columns[0] === 'time' && isDescending(series) ? series.values.toReversed() : series.values;
  return toDataFrame({
    refId,
    name: createSeriesLabel(series),
    meta: {
      executedQueryString: query,
      notices: [...(isPartial ? ['InfluxDB cut this result at its own row limit.'] : []), ...messages].map(
        createNotice
      ),
    },
    fields: series.columns.map((name, index) => ({
      ...createField(
        name,
        order.map((row) => row[index] ?? null)
      ),
      ...(series.tags === undefined || name === 'time' ? {} : { labels: { ...series.tags } }),
    })),
  });
}

/** `job_log` or `job_log {stream: stderr}`. */
function createSeriesLabel({ name, tags }: ResultSeries): string {
  const labels = Object.entries(tags ?? {}).map(([key, value]) => `${key}: ${value}`);
  return labels.length === 0 ? name : `${name} {${labels.join(', ')}}`;
}

function createField(
  name: string,
  values: readonly ResultValue[]
): { name: string; type: FieldType; values: unknown[]; config: object } {
  if (name === 'time' && values.every((value) => typeof value === 'string' || value === null)) {
    return { name, type: FieldType.time, values: values.map(parseTimeMs), config: {} };
  }
  return { name, type: inferFieldType(values), values: [...values], config: {} };
}

function parseTimeMs(value: ResultValue): number | null {
  const timeNs = typeof value === 'string' ? parseRfc3339Nano(value) : undefined;
  return timeNs === undefined ? null : toMs(timeNs);
}

function inferFieldType(values: readonly ResultValue[]): FieldType {
  const types = new Set(values.filter((value) => value !== null).map((value) => typeof value));
  if (types.size !== 1) return FieldType.string;
  if (types.has('number')) return FieldType.number;
  return types.has('boolean') ? FieldType.boolean : FieldType.string;
}

/** Core panels want rising times. RFC 3339 texts of one series have no common length: they are compared as times. */
function isDescending(series: ResultSeries): boolean {
  const first = parseTimeMs(series.values[0]?.[0] ?? null);
  const last = parseTimeMs(series.values.at(-1)?.[0] ?? null);
  return first !== null && last !== null && first > last;
}
