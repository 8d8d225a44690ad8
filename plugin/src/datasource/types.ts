import type { DataSourceJsonData } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import type { VariableKind } from '../query-types/query-type.js';

/** Fills a dashboard variable. */
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

export const VARIABLE_KINDS: readonly VariableKind[] = ['jobs', 'users', 'series', 'fields'];
export const DEFAULT_DATABASE = 'joblens';
