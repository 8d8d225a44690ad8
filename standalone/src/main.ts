import { randomBytes } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { DEFAULT_PORT } from './listen.js';
import { readErrorMessage, RunningError, StartError } from './start-error.js';
import { type Places, type Standalone, startStandalone } from './start.js';
import { defaultStatePath } from './state-folder.js';
import { createStore, registerInfluxApi, type Store } from './store/index.js';

const USAGE_EXIT_CODE = 2;
const STATE_PATH = defaultStatePath(process.env, homedir());

interface Options {
  /** The folder that keeps the store and the token; undefined for that of this user. */
  readonly state?: string | undefined;
  readonly port?: number | undefined;
  readonly demo: boolean;
}

/** Calls the listener at a signal, unless whoever started this has it ignored. */
type OnSignal = (signal: NodeJS.Signals, listener: () => void) => unknown;

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('It is a number from 0 to 65535.');
  return port;
}

function createCommand(): Command {
  return new Command('npm start --')
    .description('Joblens on this machine alone: the embedded store, the page, and demo jobs. No InfluxDB, no Grafana.')
    .option('--state <dir>', 'folder that keeps the store and the token', STATE_PATH)
    .option('--port <n>', `port on 127.0.0.1 (default: ${DEFAULT_PORT}, or the next free one)`, parsePort)
    .option('--no-demo', 'start no demo jobs, and write no history of a demo cluster')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE_EXIT_CODE));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printStarted(standalone: Standalone, options: Options): void {
  if (options.port === undefined && standalone.port !== DEFAULT_PORT) {
    print(`Port ${DEFAULT_PORT} is in use: took ${standalone.port}.`);
  }
  print(`Store:  ${standalone.info.storePath}`);
  if (standalone.demoName !== undefined) {
    print(
      `Demo:   job ${standalone.demoName} trains a small model now, for about two minutes; three more run beside it`
    );
  }
  print(`Page:   ${standalone.address}`);
  print('');
  print('Log a job of your own, from another terminal:');
  print('');
  print(standalone.info.logCommand.replace(/^/gm, '    '));
  print('');
  print('(--mode enabled is for this one job; an empty file ~/.logoptin opts in for all your jobs.)');
  print('Stop with Ctrl+C; what was logged stays.');
}

/** Stops in order at the first signal. At a second one the user is impatient: it ends at once. */
function untilStopped(standalone: Standalone, onSignal: OnSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false;
    const stop = (): void => {
      if (isStopping) process.exit(1);
      isStopping = true;
      print('Stopping ...');
      standalone.stop().then(resolve, reject);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) onSignal(signal, stop);
  });
}

function fail(error: unknown): number {
  const message = error instanceof StartError ? error.message : `Joblens failed: ${readErrorMessage(error)}`;
  const page = error instanceof RunningError ? `Page:   ${error.address}\n` : '';
  process.stderr.write(`${message.replace(/(?<!\s)[^\S\n]*\n\s*/g, ' ')}\n${page}`);
  return 1;
}

/** The database that the dashboards and the printed command name exists from the first moment. */
async function openStore(path: string): Promise<Store> {
  const store = await createStore(path);
  await store.createDatabase('joblens');
  return store;
}

/** Serves the page until a signal comes, and resolves to the exit code. */
export async function serveStandalone(
  options: Options,
  places: Places,
  onSignal: OnSignal = (signal, listener) => process.on(signal, listener)
): Promise<number> {
  try {
    // The store and its log belong to the user alone, even in a folder that others may read.
    process.umask(0o077);
    const standalone = await startStandalone({
      statePath: options.state ?? STATE_PATH,
      port: options.port,
      isDemoWanted: options.demo,
      places,
      nodePath: process.execPath,
      environment: process.env,
      randomBytes: (n) => randomBytes(n),
      nowMs: Date.now,
      openStore,
      registerInfluxApi: (scope, store, guard) =>
        registerInfluxApi(scope, store, { ...guard, rows: { user: userInfo().username, warn: print } }),
      onNotice: print,
    });
    const stopped = untilStopped(standalone, onSignal);
    printStarted(standalone, options);
    await stopped;
    return 0;
  } catch (error) {
    return fail(error);
  }
}

/** What `npm start` does: with the options of the command line, in the checkout that this file is in. */
export async function startInCheckout(): Promise<never> {
  const inCheckout = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const exitCode = await serveStandalone(createCommand().parse().opts<Options>(), {
    pageFolder: inCheckout('standalone/dist/page'),
    pluginFolder: inCheckout('plugin/dist'),
    dashboardsFolder: inCheckout('dashboards'),
    demoFolder: inCheckout('standalone/demo'),
    commandFolder: inCheckout('ingester/bin'),
    advice: 'build it with `npm run build`',
  });
  process.exit(exitCode);
}
