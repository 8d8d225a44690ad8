// Bundles the command into one file, so that it starts fast: node build.mjs [OUTFILE]
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

await build({
  entryPoints: [path('src/main.ts')],
  outfile: process.argv[2] ?? path('dist/joblens.js'),
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
