import type { AnnotationQuery, AnnotationSupport } from '@grafana/data';
import type { EventsQuery } from '../query-types/events/events.js';
import type { InfluxqlQuery } from '../query-types/influxql/influxql.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import type { QueryTypeName } from '../registry/registry.js';

type Target = JoblensQuery & { readonly queryType?: QueryTypeName };
type StateEvents = EventsQuery & { readonly queryType: QueryTypeName };

const STATES: Omit<StateEvents, 'refId'> = { queryType: 'events', event: 'states' };

/**
 * Annotations are queries of the type Events, or of another that gives `time` and `text`; Grafana turns the frame into
 * events. A plain object of functions: Grafana copies them off it and calls them alone.
 */
export const annotations: AnnotationSupport<JoblensQuery> = {
  getDefaultQuery: () => STATES,
  prepareAnnotation,
  /** A new annotation has no query yet, or one that nobody changed. */
  prepareQuery: ({ target }) => ({ ...STATES, refId: 'Anno', ...target }),
};

/** An annotation that was made for Grafana's own InfluxDB data source holds an InfluxQL text. */
function prepareAnnotation(saved: unknown): AnnotationQuery<JoblensQuery> {
  const annotation = saved as AnnotationQuery<JoblensQuery> & {
    readonly query?: unknown;
    readonly textColumn?: unknown;
  };
  const { query, textColumn } = annotation;
  if (annotation.target !== undefined || typeof query !== 'string') return annotation;
  const target: Target & InfluxqlQuery = { refId: 'Anno', queryType: 'influxql', rawQuery: query };
  const text = typeof textColumn === 'string' && textColumn !== '' ? { text: { value: textColumn } } : {};
  return { ...annotation, target, mappings: { ...text, ...annotation.mappings } };
}
