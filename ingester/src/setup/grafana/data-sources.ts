import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InfluxConnection } from '../../sinks/influxdb/connection.js';
import type { Changes } from '../parts/changes.js';
import { contains, type GrafanaApi, type Json } from './grafana-api.js';

/** How Grafana logs in to the store: it may only read. */
export interface Reader {
  /** Only InfluxDB 1.x has users. */
  readonly user: string | undefined;
  readonly secret: string | undefined;
  /** Write the secret again, which Grafana does not tell. */
  readonly isRenewed: boolean;
}

/** The gateway before the store, which Grafana shows a secret instead (docs/gateway.md). */
export interface Gateway {
  readonly url: string;
  readonly secret: string;
}

interface DataSource extends Json {
  readonly name: string;
  readonly uid: string;
  readonly jsonData: Json;
}

/**
 * Sets up the data sources of provisioning/datasources: that of Joblens, and Grafana's own for alerts. Where a gateway
 * is asked, that of provisioning/gateway alone.
 */
export async function setUpDataSources(api: GrafanaApi, folder: string, store: Store, changes: Changes): Promise<void> {
  for (const { secureJsonData, ...source } of await readDataSources(folder, store)) {
    const what = `data source ${source.name}: ${String(source['url'])}, ${String(source.jsonData['database'] ?? source.jsonData['dbName'])}`;
    const path = `/api/datasources/uid/${source.uid}`;
    const found = (await api.get(path)) as Json | undefined;
    const whole = { ...source, ...(secureJsonData !== undefined && { secureJsonData }) };
    if (found === undefined) await changes.make(what, () => api.send('POST', '/api/datasources', whole));
    else if (found['readOnly'] === true) changes.kept(`${what} (a file of Grafana's provisioning has it)`);
    else if (!contains(found, source) || store.reader.isRenewed)
      await changes.change(what, () => api.send('PUT', path, whole));
    else changes.kept(what);
  }
}

type Written = DataSource & { readonly secureJsonData?: Json };

interface Store {
  readonly connection: InfluxConnection;
  readonly reader: Reader;
  readonly gateway: Gateway | undefined;
}

async function readDataSources(folder: string, { connection, reader, gateway }: Store): Promise<Written[]> {
  const { parse } = await import('yaml');
  const values: Readonly<Record<string, string>> = {
    JOBLENS_INFLUX_URL: connection.url,
    JOBLENS_BUCKET: connection.bucket.split('/')[0] ?? '',
    JOBLENS_READ_TOKEN: reader.secret ?? '',
    JOBLENS_GATEWAY_URL: gateway?.url ?? '',
    JOBLENS_GATEWAY_SECRET: gateway?.secret ?? '',
  };
  const fill = (_key: unknown, value: unknown): unknown =>
    typeof value === 'string' ? value.replace(/\$([A-Z_]+)/g, (_whole, name: string) => values[name] ?? '') : value;
  const text = readFileSync(join(folder, gateway === undefined ? 'datasources' : 'gateway', 'joblens.yaml'), 'utf8');
  const { datasources } = parse(text, fill) as { readonly datasources: readonly Written[] };
  // Which data source is the default one is for those to say who have others.
  return datasources.map(({ isDefault: _isDefault, ...source }) =>
    gateway === undefined ? logIn(source as Written, reader) : (source as Written)
  );
}

/** The file has a token. */
function logIn(source: Written, { user, secret }: Reader): Written {
  if (user === undefined && secret !== undefined) return source;
  const { secureJsonData: _token, ...rest } = source;
  const { httpHeaderName1: _header, ...jsonData } = source.jsonData;
  const isOurs = source['type'] === 'joblens-datasource';
  const plain = { ...rest, jsonData: isOurs ? { ...jsonData, auth: user === undefined ? 'none' : 'basic' } : jsonData };
  if (user === undefined) return plain;
  const password = secret ?? '';
  return isOurs
    ? { ...plain, basicAuth: true, basicAuthUser: user, secureJsonData: { basicAuthPassword: password } }
    : { ...plain, user, secureJsonData: { password } };
}
