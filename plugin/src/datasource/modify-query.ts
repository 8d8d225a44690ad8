import type { QueryFixAction } from '@grafana/data';
import { LOG_FIELDS } from '../frames/log-fields.js';
import { createSeverityPattern, type Severity } from '../frames/severity.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import type { TagFilter } from '../store/tag-filters.js';
import { escapeRegex } from '@joblens/core/words/escape-regex';

/** The query after a click on a field of a log line, or on a marked text. The same click again takes it away. */
export function modifyQuery<Q extends JoblensQuery>(query: Q, { type, options = {} }: QueryFixAction): Q {
  const filter = createFilter(type, options['key'] ?? '', options['value'] ?? '');
  if (filter === undefined) return query;
  const isSame = (one: TagFilter): boolean => one.key === filter.key && one.value === filter.value;
  const [same, others] = [(query.filters ?? []).filter(isSame), (query.filters ?? []).filter((one) => !isSame(one))];
  const isSet = same.some(({ operator }) => operator === filter.operator);
  return { ...query, filters: isSet ? others : [...others, filter] };
}

const OPERATORS: Readonly<Record<string, readonly [isText: boolean, operator: string]>> = {
  ADD_FILTER: [false, '='],
  ADD_FILTER_OUT: [false, '!='],
  ADD_STRING_FILTER: [true, '=~'],
  ADD_STRING_FILTER_OUT: [true, '!~'],
};
const KEYS: ReadonlySet<string> = new Set(['job', 'user', 'task', 'stream', 'series', 'kind']);

function createFilter(type: string, key: string, value: string): TagFilter | undefined {
  const [isText, operator] = OPERATORS[type] ?? [];
  if (operator === undefined) return undefined;
  if (isText === true) return { key: 'line', operator, value: escapeRegex(value) };
  if (key === LOG_FIELDS.severity) return createSeverityFilter(operator, value);
  return KEYS.has(key) ? { key, operator, value } : undefined;
}

/** A level is not stored: it is what the text of the line claims. */
function createSeverityFilter(operator: string, severity: string): TagFilter | undefined {
  const value = createSeverityPattern([severity as Severity]);
  return value === '' ? undefined : { key: 'line', operator: operator === '=' ? '=~' : '!~', value };
}
