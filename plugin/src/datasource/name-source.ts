import type { DataSourceApi, ScopedVars } from '@grafana/data';
import type { JoblensQuery } from '../query-types/query-type.js';
import type { JoblensOptions, VariableQuery } from './types.js';

export type NamesRequest = Omit<VariableQuery, 'refId'> & { readonly series?: string };

/** The data source as its editors and variables see it: it knows which names the store has. */
export interface NameSource extends DataSourceApi<JoblensQuery, JoblensOptions> {
  /** Names for a list to choose from. Rejects with StoreError. */
  findNames(request: NamesRequest, scopedVars?: ScopedVars): Promise<string[]>;
}
