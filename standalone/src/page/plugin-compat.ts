// A substitute for '@grafana/plugin-compat/datasources', which imports names that this version of @grafana/runtime
// lacks.
import type { DataSourceApi, DataSourceInstanceSettings, ScopedVars } from '@grafana/data';
import type { DataSourceRef } from '@grafana/schema';
import { getDataSourceSrv, type GetDataSourceListFilters } from '@grafana/runtime';

export function getDataSourceInstance(
  ref?: DataSourceRef | string | null,
  scopedVars?: ScopedVars
): Promise<DataSourceApi> {
  return getDataSourceSrv().get(ref, scopedVars);
}

export function getDataSourceInstanceList(filters?: GetDataSourceListFilters): Promise<DataSourceInstanceSettings[]> {
  return Promise.resolve(getDataSourceSrv().getList(filters));
}

export function getDefaultDataSourceInstanceListItem(): Promise<DataSourceInstanceSettings | undefined> {
  return Promise.resolve(getDataSourceSrv().getInstanceSettings());
}
