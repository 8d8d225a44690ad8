// How the command becomes one file, or few: for build.mjs, and for measurements of changed builds.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { joinChunks } from './join-chunks.mjs';

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
 * What is read together: every start reads `start`; `run` and `pipe` read `job`; who logs reads `logging`, and `store`
 * where points go to a server.
 *
 * @type {import('./join-chunks.mjs').Parts}
 */
const PARTS = {
  early: {
    // Where only ASCII can be shown, as under LC_ALL=C, every start reads the second, too.
    start: ['src/main.ts', 'src/host/show-on-terminal.ts'],
    job: ['src/sources/run/run.ts', 'src/sources/pipe/pipe.ts', 'src/sources/writers/pipe-loggers.ts'],
    logging: ['src/session/session.ts', 'src/sources/writers/own-outputs.ts', 'src/sources/writers/left-outputs.ts'],
    store: ['src/delivery/spool-place.ts', 'src/sinks/influxdb/influxdb-sink.ts', 'src/sinks/influxdb/ask-rewrites.ts'],
  },
  late: {
    watch: ['src/sources/watch/watch.ts', 'src/sources/watch/jobs/owner.ts', 'src/sources/slurm/discover-jobs.ts'],
    reading: ['src/read-back/shell/reading.ts'],
  },
};

/**
 * Writes the command in several files, of which each start reads only what it needs: joblens.js and joblens-*.
 *
 * @returns {Promise<{ made: import('esbuild').BuildResult[], files: string[] }>} what was bundled, and the files' names
 */
export async function buildCommand(folder) {
  const chunks = await build({
    ...BUNDLE,
    // It comes once into each joined file.
    banner: {},
    splitting: true,
    outdir: folder,
    chunkNames: 'joblens-[name]-[hash]',
    plugins: [keepLateLibrariesApart],
    metafile: true,
    write: false,
  });
  const libraries = Object.entries(LATE_LIBRARIES).map(([name, { file, ...options }]) => ({
    ...{ ...BUNDLE, entryPoints: [name], outfile: `${folder}/${file}` },
    ...options,
  }));
  const joined = { ...BUNDLE, ...joinChunks(chunks, PARTS), outdir: folder };
  const results = await Promise.all([joined, ...libraries].map((options) => build({ ...options, metafile: true })));
  const [, ...ofLibraries] = results;
  return {
    made: [chunks, ...ofLibraries],
    files: results.flatMap(({ metafile }) => Object.keys(metafile.outputs).map((file) => basename(file))),
  };
}
