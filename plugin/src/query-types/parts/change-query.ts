import type { ScopedVars } from '@grafana/data';
import { interpolateValues, type TemplateSource } from '../../template/template.js';

/** The same object with some parts changed; `undefined` takes a part away, so that no saved query holds empty parts. */
export function changeQuery<T extends object>(query: T, changes: { readonly [K in keyof T]?: T[K] | undefined }): T {
  const entries = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}

/** The query without variables in these fields. A field whose variable has several values keeps it. */
export function fillInFields<K extends string, Q extends Partial<Record<K, string>>>(
  query: Q,
  fields: readonly K[],
  scopedVars: ScopedVars,
  templates: TemplateSource
): Q {
  const filled = fields.map((field) => {
    const values = interpolateValues(query[field], scopedVars, templates);
    return [field, values.length === 1 ? values[0] : query[field]] as const;
  });
  return changeQuery<Q>(query, Object.fromEntries(filled) as Partial<Q>);
}
