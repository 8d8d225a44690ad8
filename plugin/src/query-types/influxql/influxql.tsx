import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import { InlineField, TextArea } from '@grafana/ui';
import type { ResultSeries, ResultValue, StatementResult } from '@joblens/core/influxql/response';
import { parseRfc3339Nano } from '@joblens/core/point/timestamp';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { createCustomMeta } from '../../frames/frame-meta.js';
import { createNotice } from '../../frames/notice.js';
import { toMs } from '../../frames/times.js';
import { interpolateRawQuery } from '../../template/raw-query.js';
import { useDraft } from '../parts/editor-fields.js';
import { LABEL_WIDTH } from '../parts/NameSelect.js';
import type { EditorProps, JoblensQuery, QueryType, RunContext } from '../parts/query-type.js';

export interface InfluxqlQuery extends JoblensQuery {
  rawQuery?: string;
}

const EXAMPLE = `SELECT "loss" FROM "job_metadata" WHERE "job" = '$job' AND $timeFilter`;

export const influxql: QueryType<InfluxqlQuery> = {
  label: 'InfluxQL',
  description: 'Your own query',
  isRunnable: ({ rawQuery = '' }) => rawQuery.trim() !== '',
  run,
  describe: ({ rawQuery = '' }) => rawQuery,
  fillIn: (query, scopedVars, templates) =>
    query.rawQuery === undefined
      ? query
      : { ...query, rawQuery: interpolateRawQuery(query.rawQuery, undefined, scopedVars, templates) },
  Editor,
};

function run(query: InfluxqlQuery, context: RunContext): Observable<DataFrame[]> {
  const text = interpolateRawQuery(query.rawQuery ?? '', context, context.scopedVars, context.templates);
  return context.client.queryText(text).pipe(map((results) => createInfluxqlFrames(query.refId, results, text)));
}

/** One frame for each series, under InfluxDB's name for it. Tags become labels of the fields; rows with nulls stay. */
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
      custom: createCustomMeta({ kind: 'influxql' }),
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

/** Grafana's own panels want rising times. RFC 3339 texts differ in length, so they are compared as times. */
function isDescending(series: ResultSeries): boolean {
  const first = parseTimeMs(series.values[0]?.[0] ?? null);
  const last = parseTimeMs(series.values.at(-1)?.[0] ?? null);
  return first !== null && last !== null && first > last;
}

function Editor({ query, change }: EditorProps<InfluxqlQuery>): React.ReactElement {
  const [text, setText] = useDraft(query.rawQuery ?? '');
  return (
    <InlineField label="Query" labelWidth={LABEL_WIDTH} grow tooltip="$timeFilter is replaced by the time range">
      <TextArea
        id={`${query.refId}-raw`}
        rows={4}
        spellCheck={false}
        value={text}
        placeholder={EXAMPLE}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => change({ rawQuery: text })}
      />
    </InlineField>
  );
}
