import type { PanelProps } from '@grafana/data';
import { config, getDataSourceSrv } from '@grafana/runtime';
import type { LinkWay } from '../views/parts/components/EmptyState.js';

interface GrafanaUser {
  readonly orgRole?: string;
  readonly isGrafanaAdmin?: boolean;
  readonly permissions?: Readonly<Record<string, boolean>>;
}

/** The way to the settings of the data source that the panel asked; undefined for a viewer who may not change them. */
export function findSettingsWay(
  data: PanelProps['data'],
  replaceVariables: PanelProps['replaceVariables']
): LinkWay | undefined {
  const uid = data.request?.targets.find(({ datasource }) => datasource?.uid !== undefined)?.datasource?.uid;
  if (uid === undefined || !mayConfigure()) return undefined;
  const settings = getDataSourceSrv().getInstanceSettings(replaceVariables(uid));
  if (settings === undefined) return undefined;
  // Newer Grafana leads on from here; see EditDataSource in @grafana/e2e-selectors.
  return { label: 'Data source settings', href: `/datasources/edit/${encodeURIComponent(settings.uid)}` };
}

function mayConfigure(): boolean {
  // A page that is not Grafana's has no user.
  const { user } = (config as { readonly bootData?: { readonly user?: GrafanaUser } }).bootData ?? {};
  if (user?.permissions !== undefined) return user.permissions['datasources:write'] === true;
  return user?.isGrafanaAdmin === true || user?.orgRole === 'Admin';
}
