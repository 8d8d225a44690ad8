import { changeQuery } from '../query-types/parts/change-query.js';
import { VARIABLE_KINDS, type VariableKind } from '../query-types/parts/query-type.js';
import type { VariableQuery } from './types.js';

/** Grafana puts what is typed into a variable's list in its place, and asks as one types where a query has it. */
const SEARCH_FILTER = '$__searchFilter';

/** The query as it is saved: jobs may be too many for a list, so theirs is searched. */
export function withSearch(query: VariableQuery): VariableQuery {
  return changeQuery<VariableQuery>(query, { search: query.query === 'jobs' ? SEARCH_FILTER : undefined });
}

/** Reads what a dashboard saved: the query object, or its kind alone as text. Anything else asks for jobs. */
export function parseVariableQuery(saved: unknown): VariableQuery {
  if (typeof saved === 'string') return { refId: 'variable', query: toKind(saved.trim()) };
  if (typeof saved !== 'object' || saved === null) return { refId: 'variable', query: 'jobs' };
  const read = (key: string): unknown => (saved as Record<string, unknown>)[key];
  const [refId, job, user, search] = ['refId', 'job', 'user', 'search'].map(read);
  return {
    refId: typeof refId === 'string' ? refId : 'variable',
    query: toKind(read('query')),
    ...(typeof job === 'string' ? { job } : {}),
    ...(typeof user === 'string' ? { user } : {}),
    ...(typeof search === 'string' ? { search } : {}),
  };
}

function toKind(text: unknown): VariableKind {
  return VARIABLE_KINDS.find((kind) => kind === text) ?? 'jobs';
}
