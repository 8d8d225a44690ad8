// Builds the plugin bundle into dist. `--development` leaves it readable, `--watch` builds again on each change.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import webpack from 'webpack';
import { NOTICES_FILE, writeThirdPartyNotices } from '../../scripts/third-party-notices.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));
process.chdir(folder);

/** Node 20 loads no TypeScript: the configuration goes through esbuild into a cache file first. */
async function loadConfig() {
  const outfile = fileURLToPath(new URL('../node_modules/.cache/webpack.config.mjs', import.meta.url));
  mkdirSync(new URL('../node_modules/.cache/', import.meta.url), { recursive: true });
  await build({
    entryPoints: ['.config/webpack/webpack.config.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  return (await import(pathToFileURL(outfile).href)).default;
}

/** The files that are part of a bundle; webpack joins several into one module and keeps them inside it. */
function listBundledFiles({ chunkGraph, modules }) {
  const bundled = [...modules].filter((module) => chunkGraph.getNumberOfModuleChunks(module) > 0);
  const parts = bundled.flatMap((module) => [module, ...(module.modules ?? [])]);
  return parts.map(({ resource }) => resource).filter((file) => file !== undefined);
}

function report(error, stats) {
  if (error) {
    console.error(`plugin: webpack stopped: ${error.stack ?? error.message}`);
    process.exitCode = 1;
    return;
  }
  if (stats.hasErrors() || stats.hasWarnings()) {
    console.error(stats.toString({ preset: 'errors-warnings', colors: process.stderr.isTTY === true }));
  }
  if (stats.hasErrors()) process.exitCode = 1;
  else
    writeThirdPartyNotices(
      listBundledFiles(stats.compilation),
      join(stats.compilation.outputOptions.path, NOTICES_FILE)
    );
  const files = stats.toJson({ all: false, assets: true }).assets ?? [];
  for (const { name, size } of files.filter((asset) => asset.name.endsWith('module.js'))) {
    console.log(`plugin: dist/${name} ${Math.round(size / 1024)} KiB`);
  }
}

const createConfig = await loadConfig();
const isWatching = process.argv.includes('--watch');
const compiler = webpack(createConfig({ production: !isWatching && !process.argv.includes('--development') }));
if (isWatching) {
  compiler.watch({}, report);
} else {
  compiler.run((error, stats) => {
    report(error, stats);
    compiler.close(() => undefined);
  });
}
