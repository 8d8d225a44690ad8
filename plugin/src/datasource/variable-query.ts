import type { VariableKind } from '../query-types/query-type.js';
import { VARIABLE_KINDS, type VariableQuery } from './types.js';

/** Reads what a dashboard saved: the query object, or its kind alone as text. Anything else asks for jobs. */
export function parseVariableQuery(saved: unknown): VariableQuery {
  if (typeof saved === 'string') return { refId: 'variable', query: toKind(saved.trim()) };
  if (typeof saved !== 'object' || saved === null) return { refId: 'variable', query: 'jobs' };
  const read = (key: string): unknown => (saved as Record<string, unknown>)[key];
  const [refId, job, user] = [read('refId'), read('job'), read('user')];
  return {
    refId: typeof refId === 'string' ? refId : 'variable',
    query: toKind(read('query')),
    ...(typeof job === 'string' ? { job } : {}),
    ...(typeof user === 'string' ? { user } : {}),
  };
}

function toKind(text: unknown): VariableKind {
  return VARIABLE_KINDS.find((kind) => kind === text) ?? 'jobs';
}
