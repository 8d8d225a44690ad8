// Bundles the command into one file, so that it starts fast, and what few need into others, with the licences beside it: node build.mjs [OUTFILE]
import { copyFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { listBundledFiles, NOTICES_FILE, writeThirdPartyNotices } from '../scripts/third-party-notices.mjs';
import { BUNDLE, CHUNKS } from './bundle.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const outfile = process.argv[2] ?? path('dist/joblens.js');

const target = dirname(resolve(outfile));

const results = [await build({ ...BUNDLE, outfile, metafile: true })];
for (const [name, entry] of Object.entries(CHUNKS)) {
  results.push(await build({ ...BUNDLE, entryPoints: [entry], outfile: join(target, name), metafile: true }));
}

writeThirdPartyNotices(results.flatMap(listBundledFiles), join(target, NOTICES_FILE));
copyFileSync(path('../LICENSE'), join(target, 'LICENSE'));
