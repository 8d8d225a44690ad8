import type { QueryResponse, ResultSeries, ResultValue } from '@joblens/core/influxql/response';
import type { Answer } from './request.js';

/**
 * An answer in the form in which two right ones are equal. Left open is only what InfluxDB itself leaves open: the
 * order of points of several series at one time, and the spelling of JSON (key order, escapes).
 */
export function normalizeJson(answer: Answer): unknown {
  const lines = answer.body.split('\n').filter((line) => line !== '');
  const isWhole = answer.body.startsWith('{\n');
  const responses = (isWhole ? [answer.body] : lines).map((line) => JSON.parse(line) as QueryResponse);
  return {
    ...answer,
    body: responses.map(({ results, ...rest }) => ({
      ...rest,
      ...(results && {
        results: results.map(({ series, ...result }) => ({
          ...result,
          ...(series && { series: series.map(sortTies) }),
        })),
      }),
    })),
  };
}

function sortTies(series: ResultSeries): ResultSeries {
  if (series.columns[0] !== 'time') return series;
  const values: (readonly ResultValue[])[] = [];
  for (let start = 0; start < series.values.length;) {
    let end = start;
    while (end < series.values.length && series.values[end]?.[0] === series.values[start]?.[0]) end += 1;
    values.push(...series.values.slice(start, end).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)));
    start = end;
  }
  return { ...series, values };
}

/** Makes a comparison's failure readable: it shows the query beside each answer. */
export function withQuery(text: string, value: unknown): unknown {
  return { query: text, answer: value };
}
