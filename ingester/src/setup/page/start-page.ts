import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { readErrorCode } from '../../host/file-error.js';
import type { Host } from '../../host/host.js';
import { SetupError } from '../parts/changes.js';
import { isThere } from '../parts/look.js';
import { findPackageFolder } from '../parts/package-files.js';

interface PageOptions {
  readonly state: string | undefined;
  readonly port: number | undefined;
  readonly demo: boolean;
}

/** Where the page and its server lie: in a package, and in a checkout. */
interface Page {
  readonly server: string;
  readonly pageFolder: string;
  readonly demoFolder: string;
}

/** The server of the page, which is a program of its own: standalone/src/main.ts. */
interface PageServer {
  readonly serveStandalone: (
    options: PageOptions,
    places: object,
    onSignal: (signal: NodeJS.Signals, listener: () => void) => void
  ) => Promise<number>;
}

/**
 * Serves the page until a signal comes, and resolves to the exit code.
 * @throws SetupError when a part of it is not installed
 */
export async function startPage({ installFolder, onSignal }: Host, options: PageOptions): Promise<number> {
  const { server, ...folders } = findPage(installFolder);
  const places = {
    ...folders,
    pluginFolder: findPackageFolder(installFolder, 'grafana/plugins/joblens-app', 'plugin/dist'),
    dashboardsFolder: findPackageFolder(installFolder, 'grafana/dashboards', 'dashboards'),
    commandFolder: findCommandFolder(installFolder),
    advice: 'install joblens again',
  };
  const { serveStandalone } = await loadServer(server);
  // The command keeps its own heap small for the sake of the job beside it. Here it is what the user waits for.
  setFlagsFromString('--heap-growing-percent=0 --semi-space-growth-factor=2');
  return serveStandalone(options, places, onSignal);
}

function findPage(installFolder: string): Page {
  const packed = join(installFolder, 'page');
  const own = join(dirname(installFolder), 'standalone');
  const pages = [
    { server: join(packed, 'server.js'), pageFolder: join(packed, 'site'), demoFolder: join(packed, 'demo') },
    { server: join(own, 'dist', 'main.js'), pageFolder: join(own, 'dist', 'page'), demoFolder: join(own, 'demo') },
  ];
  const found = pages.find(({ server }) => isThere(server));
  if (found === undefined) throw new SetupError(`${packed} is missing; install joblens again`);
  return found;
}

/** Beside the command of a package lies Node, which is not for PATH: the folder of its link below the prefix is. */
function findCommandFolder(installFolder: string): string {
  const lib = dirname(installFolder);
  const linked = join(dirname(lib), 'bin');
  const isBelowPrefix = basename(lib) === 'lib' && isThere(join(linked, 'joblens'));
  return isBelowPrefix ? linked : join(installFolder, 'bin');
}

async function loadServer(path: string): Promise<PageServer> {
  try {
    return (await import(pathToFileURL(path).href)) as PageServer;
  } catch (cause) {
    // npm installs the store's engine where it can be had.
    if (readErrorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const todo = "install joblens again as before, with npm's option --include=optional";
    throw new SetupError(`the engine of the store, DuckDB, is not installed; ${todo}`, { cause });
  }
}
