// How the command becomes one file, or few: for build.mjs, and for measurements of changed builds.
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The command in one file. @type {import('esbuild').BuildOptions} */
export const BUNDLE = {
  entryPoints: { joblens: path('src/main.ts') },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  alias: { '@joblens/core': path('../core/src') },
  loader: { '.py': 'text' },
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  // Some dependencies are CommonJS and ask for Node's own modules with require().
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
  },
};

/**
 * Libraries that a command may need long after its start. Each has a file whose name stays the same, so that a command
 * that is older than an update finds it.
 */
const LATE_LIBRARIES = {
  re2js: { file: 'joblens-re2js.cjs', format: 'cjs', banner: {} },
  // The build for browsers is the one that has names to import.
  yaml: { file: 'joblens-yaml.js', platform: 'neutral', banner: {} },
};

/** @type {import('esbuild').Plugin} */
const keepLateLibrariesApart = {
  name: 'keep late libraries apart',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${Object.keys(LATE_LIBRARIES).join('|')})$`) }, ({ kind, path: name }) =>
      kind === 'entry-point' ? undefined : { path: `./${LATE_LIBRARIES[name].file}`, external: true }
    );
  },
};

/**
 * The command in several files, of which each start reads only what it needs: joblens.js and joblens-*.
 *
 * @returns {import('esbuild').BuildOptions[]}
 */
export function splitBundle(folder) {
  const command = {
    ...BUNDLE,
    splitting: true,
    outdir: folder,
    chunkNames: 'joblens-[name]-[hash]',
    plugins: [keepLateLibrariesApart],
  };
  const libraries = Object.entries(LATE_LIBRARIES).map(([name, { file, ...options }]) => ({
    ...BUNDLE,
    entryPoints: [name],
    outfile: `${folder}/${file}`,
    ...options,
  }));
  return [command, ...libraries];
}
