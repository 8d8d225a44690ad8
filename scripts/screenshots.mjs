// Takes the pictures of the docs with the built page: `npm run build && npm run screenshots [-- FOLDER [NAME …]]`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules', '.cache');
const outfile = join(cache, 'screenshots.cjs');
const sourceFolder = join(root, 'test', 'whole-way');

mkdirSync(cache, { recursive: true });
await build({
  entryPoints: [join(sourceFolder, 'screenshots.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  packages: 'external',
  define: { __dirname: JSON.stringify(sourceFolder) },
  logLevel: 'warning',
});
await import(pathToFileURL(outfile).href);
