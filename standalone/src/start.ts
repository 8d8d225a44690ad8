import { isGone } from '@joblens/core/result/is-gone';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createDemoExperiment } from './demo-experiment.js';
import { createDemoHistory } from './demo-history.js';
import { startDemoJobs, type DemoJobs } from './demo-jobs.js';
import { listen } from './listen.js';
import { createServer, type InfluxApiGuard, type ServerInfo } from './server/server.js';
import { readErrorMessage, RunningError, StartError } from './start-error.js';
import { nextDemoNumber, notePort, openStateFolder, readPort, type StateFolder } from './state-folder.js';

/** Everybody has them on PATH. */
const USUAL_FOLDERS: readonly string[] = ['/usr/local/bin', '/usr/bin', '/bin'];

/** The part of the embedded store that Joblens needs. */
export interface EmbeddedStore {
  close(): Promise<void> | void;
}

/** Where the parts lie: in a checkout, or in an installed package. */
export interface Places {
  readonly pageFolder: string;
  readonly pluginFolder: string;
  readonly dashboardsFolder: string;
  readonly demoFolder: string;
  /** The folder of the `joblens` command, for the PATH of who logs a job. */
  readonly commandFolder: string;
  /** How to get what is missing of them: `build it with …`. */
  readonly advice: string;
}

export interface StartOptions<Store extends EmbeddedStore> {
  readonly statePath: string;
  /** The port that the user asked for; undefined means the default one, or the next free one. */
  readonly port: number | undefined;
  readonly isDemoWanted: boolean;
  readonly places: Places;
  readonly nodePath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly randomBytes: (n: number) => Buffer;
  readonly nowMs: () => number;
  readonly openStore: (path: string) => Promise<Store>;
  readonly registerInfluxApi: (scope: FastifyInstance, store: Store, guard: InfluxApiGuard) => void | Promise<void>;
  /** Called when something goes wrong after the start. */
  readonly onNotice: (message: string) => void;
}

/** A running Joblens. */
export interface Standalone {
  readonly port: number;
  /** The page's address with the token in it. */
  readonly address: string;
  readonly info: ServerInfo;
  readonly demoName: string | undefined;
  stop(): Promise<void>;
}

/**
 * Opens the state folder and the store, serves the page, starts the demo jobs.
 * @throws StartError with one line for the user; then nothing is left open
 */
export async function startStandalone<Store extends EmbeddedStore>(options: StartOptions<Store>): Promise<Standalone> {
  await checkBuilt(options.places);
  const state = await openStateFolder({ path: options.statePath, randomBytes: options.randomBytes });
  const store = await openStore(options, state);
  let server: FastifyInstance | undefined;
  try {
    let info: ServerInfo = { storePath: state.storePath, tokenPath: state.tokenPath, logCommand: '' };
    server = await createServer({
      ...options.places,
      token: state.token,
      tokenPath: state.tokenPath,
      randomBytes: options.randomBytes,
      monotonicMs: () => performance.now(),
      readInfo: () => info,
      registerInfluxApi: (scope, guard) => options.registerInfluxApi(scope, store, guard),
    });
    const port = await listen(server, options.port);
    await notePort(state, port);
    const url = formatUrl(port);
    info = { ...info, logCommand: logCommand(options, state, url) };
    const demo = options.isDemoWanted ? await startDemo(options, state, url) : undefined;
    const running = server;
    return {
      port,
      address: formatAddress(state, port),
      info,
      demoName: demo?.name,
      stop: () => stopAll(demo, running, store),
    };
  } catch (error) {
    await server?.close();
    await store.close();
    throw error;
  }
}

function formatUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

function formatAddress({ token }: StateFolder, port: number): string {
  return `${formatUrl(port)}/?token=${token}`;
}

/** The order matters: the demo jobs' last points need the server, and the server's last writes need the store. */
async function stopAll(demo: DemoJobs | undefined, server: FastifyInstance, store: EmbeddedStore): Promise<void> {
  await demo?.stop();
  await server.close();
  await store.close();
}

async function checkBuilt({ pageFolder, pluginFolder, advice }: Places): Promise<void> {
  for (const path of [join(pageFolder, 'index.html'), join(pluginFolder, 'datasource', 'module.js')]) {
    const found = await stat(path).catch((cause: unknown) => {
      if (isGone(cause)) return undefined;
      throw new StartError(`Cannot serve the page: ${readErrorMessage(cause)}.`, { cause });
    });
    if (found?.isFile() !== true) throw new StartError(`Cannot serve the page: ${path} is not there; ${advice}.`);
  }
}

async function openStore<Store extends EmbeddedStore>(
  { openStore: open }: StartOptions<Store>,
  state: StateFolder
): Promise<Store> {
  try {
    return await open(state.storePath);
  } catch (cause) {
    const found = readErrorMessage(cause).replace(/\s+/g, ' ');
    const holder = /lock is held.*\(PID (\d+)\)/.exec(found)?.[1];
    if (holder !== undefined) {
      const port = await readPort(state);
      const advice = 'stop that one, or choose another folder with --state DIR';
      if (port !== undefined) {
        const message = `Joblens is running already: process ${holder} has ${state.storePath} open; ${advice}.`;
        throw new RunningError(message, formatAddress(state, port), cause);
      }
      const found = `process ${holder} has it open, most likely another Joblens`;
      throw new StartError(`Cannot open the store ${state.storePath}: ${found}; ${advice}.`, { cause });
    }
    const advice = 'move the file away, or choose another folder with --state DIR';
    throw new StartError(`Cannot open the store ${state.storePath}: ${found}; ${advice}.`, { cause });
  }
}

async function startDemo<Store extends EmbeddedStore>(
  options: StartOptions<Store>,
  state: StateFolder,
  url: string
): Promise<DemoJobs> {
  await writeHistory(options, state, url);
  return startDemoJobs({
    number: await nextDemoNumber(state),
    nodePath: options.nodePath,
    joblensPath: join(options.places.commandFolder, 'joblens'),
    demoFolder: options.places.demoFolder,
    optInPath: resolve(state.path, 'demo.logoptin'),
    url,
    token: state.token,
    environment: options.environment,
    onFailure: options.onNotice,
  });
}

/** The demo is of use without it, too. */
async function writeHistory<Store extends EmbeddedStore>(
  { nowMs, onNotice }: StartOptions<Store>,
  { token }: StateFolder,
  url: string
): Promise<void> {
  const why = await fetch(`${url}/api/v2/write?org=joblens&bucket=joblens&precision=ns`, {
    method: 'POST',
    headers: { authorization: `Token ${token}` },
    body: [createDemoHistory(nowMs()), createDemoExperiment(nowMs())].join('\n'),
  }).then(
    async (response) => (response.ok ? undefined : await response.text()),
    (error: unknown) => readErrorMessage(error)
  );
  if (why !== undefined) onNotice(`The history of the demo cluster was not written: ${why.replace(/\s+/g, ' ')}`);
}

/**
 * Shell lines for the user's own job. They read the token from its file, so that it is in no history and no process
 * list.
 */
function logCommand<Store extends EmbeddedStore>(
  { places: { commandFolder } }: StartOptions<Store>,
  { tokenPath }: StateFolder,
  url: string
): string {
  return [
    ...(USUAL_FOLDERS.includes(commandFolder) ? [] : [`export PATH=${quoteShell(commandFolder)}:"$PATH"`]),
    `export INFLUX_HOST=${url} INFLUX_ORG=joblens INFLUX_BUCKET=joblens`,
    `export INFLUX_TOKEN="$(cat ${quoteShell(tokenPath)})"`,
    'joblens run --mode enabled -- python train.py',
  ].join('\n');
}

function quoteShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
