import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionOptions } from '../../session/session-options.js';
import { type Changes, SetupError } from '../parts/changes.js';
import { findPackageFolder } from '../parts/package-files.js';
import { type Gateway, type Reader, setUpDataSources } from './data-sources.js';
import { contains, GrafanaApi, type Json } from './grafana-api.js';

const PLUGIN = 'joblens-app';
const FOLDER = { uid: 'joblens', title: 'Joblens' };
/** What a setup without the gateway has made. */
const PAST_GATEWAY = 'joblens-influxdb';
const MANY_FOLDERS = 1000;

interface SetupGrafana {
  /** The address of Grafana. */
  readonly page: string | undefined;
  /** A token of Grafana. */
  readonly grafanaToken: string | undefined;
  readonly reader: Reader;
  readonly gateway: Gateway | undefined;
}

/** Sets up a Grafana over its API: the plugin's app, data sources, a folder, and the dashboards. */
export async function setUpGrafana(
  { settings: { destination }, host, report }: SessionOptions,
  { page, grafanaToken, reader, gateway }: SetupGrafana,
  changes: Changes
): Promise<void> {
  if (page === undefined) throw new SetupError('give the address of Grafana with --page');
  if (grafanaToken === undefined) {
    throw new SetupError('set GRAFANA_TOKEN to a token of a service account that is an admin, or give --grafana-token');
  }
  if (destination?.kind !== 'influxdb')
    throw new SetupError('set INFLUX_HOST to the address of InfluxDB as Grafana reaches it, or give --url');
  const find = (packed: string, own: string): string => findPackageFolder(host.installFolder, packed, own);
  const dashboards = find('grafana/dashboards', 'dashboards');
  const provisioning = find('grafana/provisioning', 'provisioning');
  const api = new GrafanaApi(page, grafanaToken);
  try {
    await setUpPlugin(api, () => find('grafana/plugins/joblens-app', 'plugin/dist'), changes);
    await setUpDataSources(api, provisioning, { connection: destination.connection, reader, gateway }, changes);
    if (gateway !== undefined && (await api.get(`/api/datasources/uid/${PAST_GATEWAY}`)) !== undefined)
      report.warn(`data source ${PAST_GATEWAY} leads past the gateway: remove it, and all others of this bucket`);
    const folderUid = await setUpFolder(api, changes);
    for (const name of readdirSync(dashboards).filter((file) => file.endsWith('.json')))
      await setUpDashboard(api, JSON.parse(readFileSync(join(dashboards, name), 'utf8')) as Json, folderUid, changes);
  } finally {
    api.close();
  }
}

/** The API cannot install a plugin that is not signed: its files have to be there. */
async function setUpPlugin(api: GrafanaApi, findFiles: () => string, changes: Changes): Promise<void> {
  const path = `/api/plugins/${PLUGIN}/settings`;
  const found = (await api.get(path)) as Json | undefined;
  if (found === undefined) {
    throw new SetupError(
      `Grafana has no plugin ${PLUGIN}: copy ${findFiles()} to its folder of plugins as ${PLUGIN}, allow it in grafana.ini (docs/grafana.md), and start Grafana again`
    );
  }
  const what = `plugin ${PLUGIN} is enabled`;
  if (found['enabled'] === true) changes.kept(what);
  else await changes.change(what, () => api.send('POST', path, { enabled: true, pinned: true }));
}

/** Returns its uid. Provisioning by files makes one of another uid. */
async function setUpFolder(api: GrafanaApi, changes: Changes): Promise<string> {
  const folders = ((await api.get(`/api/folders?limit=${MANY_FOLDERS}`)) ?? []) as readonly Json[];
  const found = folders.find(({ uid }) => uid === FOLDER.uid) ?? folders.find(({ title }) => title === FOLDER.title);
  const what = `folder ${FOLDER.title}`;
  if (found === undefined) await changes.make(what, () => api.send('POST', '/api/folders', FOLDER));
  else changes.kept(what);
  return typeof found?.['uid'] === 'string' ? found['uid'] : FOLDER.uid;
}

async function setUpDashboard(api: GrafanaApi, file: Json, folderUid: string, changes: Changes): Promise<void> {
  // Grafana numbers its versions itself, and brings the schema up to date.
  const { id: _id, version: _version, schemaVersion, ...wanted } = file;
  const what = `dashboard ${String(wanted['title'])}`;
  const found = (await api.get(`/api/dashboards/uid/${String(wanted['uid'])}`)) as
    { readonly dashboard: unknown; readonly meta: Json } | undefined;
  const save = (): Promise<unknown> =>
    api.send('POST', '/api/dashboards/db', {
      dashboard: { ...wanted, schemaVersion, id: null },
      ...{ folderUid, overwrite: found !== undefined, message: 'joblens setup grafana' },
    });
  if (found === undefined) await changes.make(what, save);
  else if (found.meta['provisioned'] === true) changes.kept(`${what} (a file of Grafana's provisioning has it)`);
  else if (contains(found.dashboard, wanted)) changes.kept(what);
  else await changes.change(`${what}; Grafana keeps the version before`, save);
}
