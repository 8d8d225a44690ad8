import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface InfluxdbOptions {
  /** With a user and password InfluxDB asks for authentication; the user is its administrator. */
  readonly auth?: { readonly user: string; readonly password: string };
}

export interface Influxdb {
  readonly url: string;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
  /** Ends the server at once (SIGKILL) and keeps its data; does nothing when it is not running. */
  kill(): Promise<void>;
  /**
   * Brings it back on the same port; does nothing when it is running. After each test, so that one failure stays one.
   */
  restart(): Promise<void>;
}

const DATABASE = 'joblens';

/** Starts a real InfluxDB 1.x on free ports with a data folder of its own and creates the database `joblens`. */
export async function startInfluxdb(options: InfluxdbOptions = {}): Promise<Influxdb> {
  const folder = await mkdtemp(join(tmpdir(), 'joblens-influxdb-'));
  const [rpcPort, httpPort] = [await freePort(), await freePort()];
  const configPath = join(folder, 'influxdb.conf');
  await writeFile(configPath, formatConfig(folder, rpcPort, httpPort, options.auth !== undefined));
  const url = `http://127.0.0.1:${String(httpPort)}`;
  let running = await launch(configPath, url);
  await createDatabase(url, options.auth).catch((error: unknown) => {
    running.kill('SIGKILL');
    throw error;
  });

  const isRunning = (): boolean => running.exitCode === null && running.signalCode === null;
  const kill = async (): Promise<void> => {
    const exited = new Promise((resolve) => running.once('exit', resolve));
    if (!isRunning()) return;
    running.kill('SIGKILL');
    await exited;
  };
  return {
    url,
    kill,
    async restart() {
      if (!isRunning()) running = await launch(configPath, url);
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A series as InfluxDB answers it; the first column is the time. */
export interface StoredSeries {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
  readonly values: readonly (string | number | boolean | null)[][];
}

/**
 * The series that one statement gives, none when nothing is there. Throws when the statement fails. Without an `epoch`,
 * times are texts (RFC 3339).
 */
export async function querySeries(
  url: string,
  q: string,
  { database = DATABASE, epoch }: { readonly database?: string; readonly epoch?: 'ns' | 's' } = {}
): Promise<readonly StoredSeries[]> {
  const body = new URLSearchParams({ db: database, q, ...(epoch === undefined ? {} : { epoch }) });
  const response = await fetch(`${url}/query`, { method: 'POST', body });
  const { results = [], error } = (await response.json()) as {
    readonly results?: readonly { readonly series?: readonly StoredSeries[]; readonly error?: string }[];
    readonly error?: string;
  };
  const failure = error ?? results[0]?.error;
  if (failure !== undefined) throw new Error(`${q} gave ${failure}`);
  return results[0]?.series ?? [];
}

function formatConfig(folder: string, rpcPort: number, httpPort: number, isAuthEnabled: boolean): string {
  return readFileSync(join(__dirname, 'influxdb.conf'), 'utf8')
    .replaceAll('@FOLDER@', folder)
    .replace('@RPC_PORT@', String(rpcPort))
    .replace('@HTTP_PORT@', String(httpPort))
    .replace('@AUTH_ENABLED@', String(isAuthEnabled));
}

/** Its heap is small in tests, and Go would collect garbage all the time. */
const ENVIRONMENT = { ...process.env, GOGC: '400' };

async function launch(configPath: string, url: string): Promise<ReturnType<typeof spawn>> {
  const child = spawn('/usr/bin/influxd', ['run', '-config', configPath], { stdio: 'ignore', env: ENVIRONMENT });
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`influxd ended before it answered: exit code ${String(code)}`));
    });
  });
  failed.catch(() => undefined);
  await Promise.race([failed, untilReady(url)]);
  return child;
}

async function untilReady(url: string): Promise<void> {
  const deadlineMs = Date.now() + 120_000;
  while (Date.now() < deadlineMs) {
    const answer = await fetch(`${url}/ping`).catch(() => undefined);
    if (answer?.status === 204) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Cannot reach influxd: ${url}/ping gave no 204 within 120 s`);
}

async function createDatabase(url: string, auth: InfluxdbOptions['auth']): Promise<void> {
  const headers: Record<string, string> = {};
  if (auth) {
    await query(url, `CREATE USER "${auth.user}" WITH PASSWORD '${auth.password}' WITH ALL PRIVILEGES`, {});
    headers['authorization'] = `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}`;
  }
  await query(url, `CREATE DATABASE "${DATABASE}"`, headers);
  await createShard(url, headers);
}

/**
 * Creates the shard of the present time, and leaves no point in it. InfluxDB 1.6 may forget its databases if it is
 * killed while it creates one.
 */
async function createShard(url: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(`${url}/write?db=${DATABASE}`, { method: 'POST', headers, body: 'shard created=true' });
  if (answer.status !== 204) throw new Error(`Cannot set up InfluxDB: a point gave ${await answer.text()}`);
  await query(url, 'DROP MEASUREMENT "shard"', headers);
}

async function query(url: string, text: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(`${url}/query`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ db: DATABASE, q: text }),
  });
  const body = await answer.text();
  if (!answer.ok || body.includes('"error"')) throw new Error(`Cannot set up InfluxDB: ${text} gave ${body}`);
}

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('Cannot find a free port');
  return address.port;
}
