import type { DataSourceJsonData } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import type { VariableKind } from '../query-types/parts/query-type.js';

/** Fills a dashboard variable. */
export interface VariableQuery extends DataQuery {
  query: VariableKind;
  job?: string;
  user?: string;
  /** `$__searchFilter`, which makes Grafana ask again for what is typed into the variable's list. */
  search?: string;
}

export type AuthKind = 'none' | 'basic' | 'token';

export interface JoblensOptions extends DataSourceJsonData {
  database?: string;
  auth?: AuthKind;
  /** Programs that leave no heartbeats write jobs here, too: lists look for these, which is slow in a large store. */
  otherWriters?: boolean;
  /** The data source's own URL once more: a plugin route of Grafana before 10.4 can read jsonData only. */
  url?: string;
  tlsSkipVerify?: boolean;
  tlsAuth?: boolean;
  tlsAuthWithCACert?: boolean;
  enableSecureSocksProxy?: boolean;
}

export interface JoblensSecureOptions {
  token?: string;
  basicAuthPassword?: string;
}

export const DEFAULT_DATABASE = 'joblens';
