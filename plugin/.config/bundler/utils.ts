import fs from 'node:fs';
import path from 'node:path';
import { SOURCE_DIR } from './constants.ts';

interface PluginJson {
  readonly id: string;
  readonly info: {
    readonly logos: { readonly small: string; readonly large: string };
    readonly screenshots?: ReadonlyArray<{ readonly path: string }>;
  };
}

function readJson(file: string): unknown {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

export function getPackageJson(): { version: string } {
  return readJson(path.resolve(process.cwd(), 'package.json')) as { version: string };
}

export function getPluginJson(folder = ''): PluginJson {
  return readJson(path.resolve(process.cwd(), SOURCE_DIR, folder, 'plugin.json')) as PluginJson;
}

export function getCPConfigVersion(): string {
  return (readJson(path.resolve(process.cwd(), '.config', '.cprc.json')) as { version: string }).version;
}

/** Folders below src with a plugin.json, '' for the outer one. */
export function getPluginFolders(): string[] {
  const source = path.resolve(process.cwd(), SOURCE_DIR);
  return fs
    .readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'plugin.json')
    .map((file) => path.dirname(file))
    .map((folder) => (folder === '.' ? '' : folder))
    .sort();
}

/** One entry a plugin; the public path is set before anything of the module runs. */
export function getEntries(): Record<string, string[]> {
  const source = path.resolve(process.cwd(), SOURCE_DIR);
  const entries = getPluginFolders().map((folder): [string, string[]] => {
    const module = ['module.ts', 'module.tsx'].map((name) => path.join(source, folder, name)).find(fs.existsSync);
    if (module === undefined) throw new Error(`src/${folder}/plugin.json has no module.ts beside it`);
    return [path.posix.join(folder, 'module'), [path.resolve(process.cwd(), '.config/bundler/publicPath.js'), module]];
  });
  return Object.fromEntries(entries);
}
