// Bundles the command into one file, so that it starts fast, with the licences beside it: node build.mjs [OUTFILE]
import { copyFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { listBundledFiles, NOTICES_FILE, writeThirdPartyNotices } from '../scripts/third-party-notices.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const outfile = process.argv[2] ?? path('dist/joblens.js');

const result = await build({
  entryPoints: [path('src/main.ts')],
  outfile,
  metafile: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  alias: { '@joblens/core': path('../core/src/index.ts') },
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  // Some dependencies are CommonJS and ask for Node's own modules with require().
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
  },
});

const target = dirname(resolve(outfile));
writeThirdPartyNotices(listBundledFiles(result), join(target, NOTICES_FILE));
copyFileSync(path('../LICENSE'), join(target, 'LICENSE'));
