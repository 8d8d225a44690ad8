// Writes test/grafana-exports.json: the names that @grafana/data, ui and runtime export in every Grafana that the plugin runs in.
// Reads the published packages, kept in .cache/grafana-exports. `--check` writes nothing and fails when the file is out of date.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { format } from 'prettier';

const VERSIONS = ['9.5.21', '10.4.19', '11.6.16', '12.4.10', '13.2.2'];
const PACKAGES = ['data', 'ui', 'runtime'];
const cache = fileURLToPath(new URL('../../.cache/grafana-exports/', import.meta.url));
const target = fileURLToPath(new URL('../test/grafana-exports.json', import.meta.url));

/** The unpacked package, downloaded once. */
function fetchPackage(name, version) {
  const folder = join(cache, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  const unpacked = join(cache, `unpacking-${name}-${version}`);
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['pack', '--silent', `@grafana/${name}@${version}`], {
    cwd: unpacked,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarball = readdirSync(unpacked).find((file) => file.endsWith('.tgz'));
  execFileSync('tar', ['xzf', tarball], { cwd: unpacked });
  renameSync(join(unpacked, 'package'), folder);
  rmSync(unpacked, { recursive: true });
  return folder;
}

/** What an `import { … }` finds, by the package's own ES module entry. */
async function readExports(name, version) {
  const folder = fetchPackage(name, version);
  const { module } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { metafile } = await build({
    entryPoints: [join(folder, module)],
    bundle: true,
    format: 'esm',
    packages: 'external',
    write: false,
    outdir: 'out',
    metafile: true,
    logLevel: 'error',
    loader: { '.svg': 'empty', '.css': 'empty' },
  });
  return Object.values(metafile.outputs).flatMap((output) => (output.entryPoint ? output.exports : []));
}

const packages = {};
for (const name of PACKAGES) {
  const lists = [];
  for (const version of VERSIONS) {
    const names = await readExports(name, version);
    if (names.length < 50)
      throw new Error(`@grafana/${name}@${version} shows only ${names.length} exports: its layout has changed`);
    lists.push(new Set(names));
  }
  const [first, ...others] = lists;
  packages[`@grafana/${name}`] = [...first].filter((entry) => others.every((list) => list.has(entry))).sort();
}
const text = await format(JSON.stringify({ versions: VERSIONS, packages }), { parser: 'json', printWidth: 120 });
if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (readFileSync(target, 'utf8') !== text) {
  console.error('test/grafana-exports.json is out of date: run node plugin/scripts/grafana-exports.mjs');
  process.exitCode = 1;
}
for (const [name, names] of Object.entries(packages))
  console.log(`${name}: ${names.length} names in all of ${VERSIONS.join(', ')}`);
