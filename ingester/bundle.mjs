// How the command becomes one file: for build.mjs, and for measurements of changed builds.
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Files that few people need. Each is a bundle of its own beside the command, so they cost its start nothing. */
export const CHUNKS = { 'parquet-file.js': path('src/read-back/parquet-file.ts') };

/** @type {import('esbuild').Plugin} */
const keepChunksApart = {
  name: 'keep chunks apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/parquet-file\.js$/ }, ({ kind, path: asked }) =>
      kind === 'dynamic-import' ? { path: asked, external: true } : undefined
    );
  },
};

/** @type {import('esbuild').BuildOptions} */
export const BUNDLE = {
  entryPoints: [path('src/main.ts')],
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  alias: { '@joblens/core': path('../core/src/index.ts') },
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [keepChunksApart],
  // Some dependencies are CommonJS and ask for Node's own modules with require().
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
  },
};
