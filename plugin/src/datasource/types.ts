import type { DataSourceJsonData } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';

export type QueryType = 'logs' | 'metadata' | 'jobs' | 'influxql';
export type StreamChoice = 'stdout' | 'stderr' | 'both';

/** One query of a panel. `job`, `user` and `series` may hold template variables, also with several values; empty means all. */
export interface JoblensQuery extends DataQuery {
  queryType?: QueryType;
  job?: string;
  user?: string;
  series?: string;
  /** Keys of metadata lines; none means all, in the order printed. */
  fields?: string[];
  task?: string;
  stream?: StreamChoice;
  /** Lines of a log, rows a table or jobs; the newest are taken. */
  limit?: number;
  /** InfluxQL, for the type `influxql` only. */
  rawQuery?: string;
}

export type VariableKind = 'jobs' | 'users' | 'series' | 'fields';

/** What fills a dashboard variable. */
export interface VariableQuery extends DataQuery {
  query: VariableKind;
  job?: string;
  user?: string;
}

export type AuthKind = 'none' | 'basic' | 'token';

export interface JoblensOptions extends DataSourceJsonData {
  database?: string;
  auth?: AuthKind;
  /** The data source's own URL once more: a plugin route of Grafana before 10.4 can read jsonData only. */
  url?: string;
}

export interface JoblensSecureOptions {
  token?: string;
  basicAuthPassword?: string;
}

export const QUERY_TYPES: readonly QueryType[] = ['logs', 'metadata', 'jobs', 'influxql'];
export const VARIABLE_KINDS: readonly VariableKind[] = ['jobs', 'users', 'series', 'fields'];
export const DEFAULT_DATABASE = 'joblens';
export const DEFAULT_LOG_LINES = 1000;
export const DEFAULT_TABLE_ROWS = 10_000;
export const DEFAULT_JOBS = 1000;
/** Jobs of a list that come with their last metadata values, newest first. */
export const MAX_JOBS_WITH_VALUES = 200;
/** More tables than this in one query are cut, newest first. */
export const MAX_TABLES = 100;

/** The type of a query that another data source or an older version saved may be missing. */
export function queryTypeOf(query: JoblensQuery): QueryType {
  return query.queryType ?? 'logs';
}
