import { join, resolve } from 'node:path';
import { checkIndex } from '../../operate/check-index.js';
import type { SessionOptions } from '../../session/session-options.js';
import { formatAuthorization, type InfluxConnection } from '../../sinks/influxdb/connection.js';
import { pingOnce } from '../../sinks/influxdb/engine.js';
import { createHttpClient } from '../../sinks/influxdb/http-client.js';
import { type Changes, SetupError } from '../parts/changes.js';
import { formatSite, readIfThere, type SiteSettings, writeSecret, writeSite } from '../parts/site-settings.js';
import type { Login, Logins, Wanted } from './wanted.js';

interface SetupInfluxdb extends Wanted {
  /** The folder to write joblens.yaml and the tokens to; undefined: they are printed. */
  readonly folder: string | undefined;
}

/** Sets up the database or bucket that the settings name, and says what to put where. */
export async function setUpInfluxdb(
  { settings: { destination }, host }: SessionOptions,
  { folder, ...wanted }: SetupInfluxdb,
  changes: Changes
): Promise<void> {
  if (destination?.kind !== 'influxdb')
    throw new SetupError('set INFLUX_HOST to the address of InfluxDB, or give --url');
  const { connection } = destination;
  const version = await askVersion(connection);
  const logins =
    version === 2
      ? await (await import('./version2.js')).setUpVersion2(connection, wanted, changes)
      : await (await import('./version1.js')).setUpVersion1(connection, wanted, changes);
  if (version === 1) {
    for (const { state, message } of await checkIndex(connection))
      host.writeStdout(`${(state === 'ok' ? 'kept' : 'advice').padEnd(12)}  index of InfluxDB: ${message}\n`);
  }
  const { url, org, bucket } = connection;
  const settings: SiteSettings = { url, ...(org !== undefined && { org }), bucket };
  if (folder === undefined) await printSettings(settings, logins, host.writeStdout);
  else await writeSettings(resolve(host.machine.workFolder, folder), settings, logins, changes);
}

async function askVersion(connection: InfluxConnection): Promise<1 | 2> {
  const { url } = connection;
  const { engine } = await pingOnce(connection, AbortSignal.timeout(connection.timeoutMs)).catch((error: unknown) => {
    const found = error instanceof Error ? error.message : String(error);
    throw new SetupError(`cannot reach InfluxDB at ${url}: ${found}; start it, or set INFLUX_HOST to its address`);
  });
  const major = engine.major ?? ((await knowsVersion2(connection)) ? 2 : 1);
  if (major <= 2) return major === 2 ? 2 : 1;
  const advice = 'it makes a database when the first point comes; make its token with `influxdb3 create token`';
  throw new SetupError(`${engine.name} needs no setup: ${advice}`);
}

/** A build of one's own does not say its version; 2.x alone tells whether it is set up (GET /api/v2/setup). */
async function knowsVersion2(connection: InfluxConnection): Promise<boolean> {
  const client = createHttpClient(connection.url, formatAuthorization(connection));
  try {
    const signal = AbortSignal.timeout(connection.timeoutMs);
    return (await client.send({ method: 'GET', path: '/api/v2/setup', signal })).status === 200;
  } finally {
    client.close();
  }
}

async function writeSettings(folder: string, store: SiteSettings, logins: Logins, changes: Changes): Promise<void> {
  const paths = { read: join(folder, 'read-token'), write: join(folder, 'write-token') };
  for (const name of ['read', 'write'] as const) {
    const login = logins[name];
    if (login?.secret !== undefined) await writeSecret(paths[name], login.secret, changes);
    else if (login !== undefined && !changes.isDryRun && readIfThere(paths[name]) === undefined)
      throw new SetupError(
        `${paths[name]} is missing, and InfluxDB does not tell its content again; put it there, or remove ${describe(login)} and run this again`
      );
  }
  await writeSite(join(folder, 'joblens.yaml'), { ...store, ...nameLogin(logins.write, paths.write) }, changes);
}

function describe({ user }: Login): string {
  return user === undefined ? 'that token in InfluxDB' : `the user ${user}`;
}

function nameLogin(login: Login | undefined, path: string): SiteSettings {
  if (login === undefined) return {};
  return login.user === undefined ? { 'token-file': path } : { user: login.user, 'password-file': path };
}

async function printSettings(store: SiteSettings, logins: Logins, print: (text: string) => void): Promise<void> {
  const site = await formatSite({ ...store, ...nameLogin(logins.write, '/etc/joblens/write-token') });
  print(`\nFor /etc/joblens/joblens.yaml (\`--to /etc/joblens\` writes it):\n${indent(site)}`);
  for (const [name, purpose] of [
    ['write', 'joblens logs'],
    ['read', 'Grafana reads'],
  ] as const) {
    const login = logins[name];
    if (login === undefined) continue;
    const secret = login.secret ?? 'it is not told again';
    print(`With this ${purpose}: ${login.user === undefined ? secret : `user ${login.user}, password ${secret}`}\n`);
  }
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '  ') + '\n';
}
