import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { ROOT } from '../whole-way/stack.js';

const PAGE = join(__dirname, 'page');
const STANDALONE_PAGE = join(ROOT, 'standalone/src/page');

/** One Grafana, by the packages that it gives to plugins. */
export interface Host {
  /** The folder of its packages; those of the workspaces where it has none of its own. */
  readonly packagesFolder: string;
  readonly entry: 'react-17.tsx' | 'react-18.tsx';
}

/** What Grafana gives to plugins: the host's own copy of it. */
const GIVEN = [
  ...['@grafana/data', '@grafana/runtime', '@grafana/ui', '@grafana/schema', '@grafana/e2e-selectors', '@grafana/i18n'],
  ...['@emotion/css', '@emotion/react', 'i18next', 'lodash', 'moment', 'react', 'react-dom', 'rxjs'],
];

/** Whoever imports what Grafana gives, imports the host's. */
function createGivenPackages({ packagesFolder }: Host): Plugin {
  const filter = new RegExp(`^(?:${GIVEN.join('|')})(?:/|$)`);
  return {
    name: 'given-packages',
    setup(bundling) {
      bundling.onResolve({ filter }, ({ path, kind, pluginData }) =>
        pluginData === packagesFolder
          ? undefined
          : bundling.resolve(path, { kind, resolveDir: packagesFolder, pluginData: packagesFolder })
      );
    },
  };
}

/** As in standalone/build.mjs: these are written for the bundlers' rule of a default import. */
const commonJsDefaults: Plugin = {
  name: 'commonjs-defaults',
  setup(bundling) {
    bundling.onResolve({ filter: /^(react-custom-scrollbars-2|calculate-size)$/ }, ({ path, namespace, resolveDir }) =>
      namespace === 'commonjs-default' ? undefined : { path, namespace: 'commonjs-default', pluginData: resolveDir }
    );
    bundling.onLoad({ filter: /.*/, namespace: 'commonjs-default' }, ({ path, pluginData }) => ({
      contents: `export { default } from '${path}'; export * from '${path}';`,
      resolveDir: pluginData as string,
    }));
  },
};

/** The name and version of one of the host's packages. */
export async function readVersion({ packagesFolder }: Host, name: string): Promise<string> {
  const path = createRequire(join(packagesFolder, 'package.json')).resolve.paths(name) ?? [];
  const found = path.map((folder) => join(folder, name, 'package.json')).find(existsSync);
  if (found === undefined) throw new Error(`${packagesFolder} has no ${name}`);
  return (JSON.parse(await readFile(found, 'utf8')) as { version: string }).version;
}

/** Bundles the host's page into a folder, for the server of the standalone page. */
export async function buildHostPage(host: Host, folder: string): Promise<void> {
  const target = join(folder, 'public', 'build');
  await mkdir(target, { recursive: true });
  const options: BuildOptions = {
    ...{ bundle: true, outdir: target, target: 'es2022', logLevel: 'error', jsx: 'transform' },
    logOverride: { 'package.json': 'silent' },
    define: {
      // React's own development build, which warns.
      'process.env.NODE_ENV': '"development"',
      HOST_VERSION: JSON.stringify(await readVersion(host, '@grafana/ui')),
      define: 'undefined',
      global: 'globalThis',
    },
    alias: {
      'monaco-editor': join(STANDALONE_PAGE, 'plain-editor.tsx'),
      'get-document': join(STANDALONE_PAGE, 'get-document.cjs'),
    },
    // The SystemJS in the runtime of 9.5 asks for it where there is no browser.
    external: ['fs'],
    plugins: [createGivenPackages(host), commonJsDefaults],
    loader: { '.svg': 'dataurl', '.woff': 'empty', '.woff2': 'empty', '.ttf': 'empty' },
  };
  await build({
    ...options,
    entryPoints: [
      { in: join(PAGE, 'boot.ts'), out: 'boot' },
      { in: join(PAGE, host.entry), out: 'host' },
    ],
  });
  const assets = join(ROOT, 'standalone/dist/page/public');
  await symlink(join(assets, 'fonts'), join(folder, 'public', 'fonts'));
  // The second place is that of 9.5.
  for (const place of ['build/img', 'img']) await symlink(join(assets, 'build', 'img'), join(folder, 'public', place));
  // 9.5 has its styles in its scripts.
  const hasStyles = existsSync(join(target, 'host.css'));
  const styles = hasStyles ? '<link rel="stylesheet" href="/public/build/host.css" />' : '';
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>Host</title>
${styles}</head>
<body><div id="page"></div><script src="/public/build/boot.js"></script><script src="/public/build/host.js"></script></body></html>`
  );
}
