import type { DataSourceApi, ScopedVars, TimeRange } from '@grafana/data';
import type { FoundNames, JoblensQuery } from '../query-types/parts/query-type.js';
import type { JoblensOptions, VariableQuery } from './types.js';

export type NamesRequest = Omit<VariableQuery, 'refId' | 'search'> & {
  readonly series?: string;
  /** A part of the names of jobs. */
  readonly search?: string | undefined;
  /** Jobs that lived in it; at least the last week. */
  readonly range?: TimeRange | undefined;
};

/** The data source as its editors and variables see it: it knows which names the store has. */
export interface NameSource extends DataSourceApi<JoblensQuery, JoblensOptions> {
  /** Names for a list to choose from. Rejects with StoreError. */
  findNames(request: NamesRequest, scopedVars?: ScopedVars): Promise<FoundNames>;
}
