import type { ScopedVars } from '@grafana/data';
import { interpolateRawQuery } from './raw-query.js';
import { interpolateValues, type TemplateSource } from './template.js';
import type { JoblensQuery } from './types.js';

/** The same object with some parts changed; `undefined` takes a part away, so that no saved query holds empty parts. */
export function changeQuery<T extends object>(query: T, changes: { readonly [K in keyof T]?: T[K] | undefined }): T {
  const entries = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}

/** A query without variables, for a place that has none of the dashboard's. A field whose variable has several values keeps it. */
export function fillInQuery(query: JoblensQuery, scopedVars: ScopedVars, templates: TemplateSource): JoblensQuery {
  const fillIn = (text: string | undefined): string | undefined => {
    const values = interpolateValues(text, scopedVars, templates);
    return values.length === 1 ? values[0] : text;
  };
  const { job, user, series, task, rawQuery } = query;
  return changeQuery(query, {
    job: fillIn(job),
    user: fillIn(user),
    series: fillIn(series),
    task: fillIn(task),
    rawQuery: rawQuery === undefined ? undefined : interpolateRawQuery(rawQuery, undefined, scopedVars, templates),
  });
}
