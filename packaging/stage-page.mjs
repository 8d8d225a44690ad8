// What `joblens start` serves: the server of the page in one file, DuckDB, what the browser loads, and the demo jobs.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { listBundledFiles, NOTICES_FILE, writeThirdPartyNotices } from '../scripts/third-party-notices.mjs';
import { getNpmPackage } from './npm-cache.mjs';
import { ROOT } from './root.mjs';

const STANDALONE = join(ROOT, 'standalone');
const BINDINGS = '@duckdb/node-bindings';
/** The hashes of DuckDB for each kind of machine, at the version of the checkout. */
const DUCKDB_INTEGRITY = {
  x64: 'sha512-IXcrZJE6kEqM0Z4wwdVnGBHX/frOS33VPNAwDXQ/Q+Fs84b058Qe94chrCCIcNJlG8Y3UHIUU4eBeCQxW5mN1Q==',
  arm64: 'sha512-3jnUaDil1BrF/6vAZwVaInJ1xoBaWGHB4PDiUnzJWKCo8a8TLx9j7/gPyPl/UGRBftrYIuTihRZSfF4mWMgtWA==',
};
const DUCKDB_FILES = ['duckdb.node', 'libduckdb.so', 'LICENSE'];

export const DUCKDB = { name: BINDINGS, version: readManifest(BINDINGS).version };

/** `machine`: for which DuckDB goes in; undefined where npm brings it. */
export async function stagePage(folder, machine) {
  mkdirSync(folder, { recursive: true });
  await bundleServer(folder);
  // Maps are for who develops, and two thirds of it all.
  const isWanted = (path) => !path.endsWith('.map');
  cpSync(join(STANDALONE, 'dist', 'page'), join(folder, 'site'), { recursive: true, filter: isWanted });
  cpSync(join(STANDALONE, 'demo'), join(folder, 'demo'), { recursive: true });
  if (machine === undefined) return;
  const duckdb = getDuckdb(machine);
  mkdirSync(join(folder, 'duckdb'));
  for (const file of DUCKDB_FILES) copyFileSync(join(duckdb, file), join(folder, 'duckdb', file));
}

/** DuckDB lies beside it, or in node_modules where npm has installed this. */
const duckdbBeside = {
  name: 'duckdb beside',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${BINDINGS}$`) }, ({ path }) => ({ path, namespace: 'duckdb' }));
    onLoad({ filter: /.*/, namespace: 'duckdb' }, () => ({
      contents: `module.exports = requireOfBundle(duckdbOfBundle);`,
    }));
  },
};

async function bundleServer(folder) {
  const result = await build({
    entryPoints: [join(STANDALONE, 'dist', 'main.js')],
    outfile: join(folder, 'server.js'),
    ...{ bundle: true, platform: 'node', target: 'node20', format: 'esm', metafile: true },
    ...{ minifySyntax: true, legalComments: 'none', logLevel: 'warning' },
    plugins: [duckdbBeside],
    banner: {
      js: `import { existsSync as existsBeside } from 'node:fs';
import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);
const requireOfBundle = require;
const duckdbOfBundle = existsBeside(new URL('duckdb', import.meta.url)) ? './duckdb/duckdb.node' : '${BINDINGS}';`,
    },
  });
  writeThirdPartyNotices(listBundledFiles(result), join(folder, NOTICES_FILE));
}

/** The folder of DuckDB's library: npm has installed that of this machine. */
function getDuckdb(machine) {
  const name = `${BINDINGS}-linux-${machine}`;
  const installed = join(ROOT, 'node_modules', name);
  if (existsSync(installed) && readManifest(name).version === DUCKDB.version) return installed;
  return getNpmPackage({
    ...{ name, version: DUCKDB.version, integrity: DUCKDB_INTEGRITY[machine] },
    files: DUCKDB_FILES,
  });
}

function readManifest(name) {
  return JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'));
}
