// Bundles the page: boot script, main bundle in chunks, fonts and icons out of their packages, a gzip beside every text
// file.
import { build } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { listBundledFiles, NOTICES_FILE, writeThirdPartyNotices } from '../scripts/third-party-notices.mjs';
import { drawIcon } from './icons.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const source = join(folder, 'src', 'page');
const target = join(folder, 'dist', 'page');
const buildFolder = join(target, 'public', 'build');
const require = createRequire(import.meta.url);
const { availableIconsIndex } = require('@grafana/data');

/** The names of the fonts that @grafana/ui requests, which its package lacks. */
const FONTS = {
  'inter/Inter-Regular.woff2': '@fontsource/inter/files/inter-latin-400-normal.woff2',
  'inter/Inter-Medium.woff2': '@fontsource/inter/files/inter-latin-500-normal.woff2',
  'inter/Inter-Italic.woff2': '@fontsource/inter/files/inter-latin-400-italic.woff2',
  'inter/Inter-MediumItalic.woff2': '@fontsource/inter/files/inter-latin-500-italic.woff2',
  'roboto/L0xTDF4xlVMF-BfR8bXMIhJHg45mwgGEFl0_3vrtSM1J-gEPT5Ese6hmHSh0mQ.woff2':
    '@fontsource/roboto-mono/files/roboto-mono-latin-400-normal.woff2',
};

const shared = {
  bundle: true,
  minify: true,
  sourcemap: true,
  target: 'es2022',
  legalComments: 'linked',
  metafile: true,
  logLevel: 'warning',
  // systemjs has the type of a script.
  logOverride: { 'package.json': 'silent' },
  // No bundled library may register itself with the AMD loader, which is for plugins.
  define: { 'process.env.NODE_ENV': '"production"', define: 'undefined', global: 'globalThis' },
};

/**
 * By Node's rule, a file named .mjs (such as @grafana/ui's) that imports a CommonJS package with an `__esModule` mark
 * gets the whole exports object as the default import. These two packages are written for the bundlers' rule, which
 * gives its `default`.
 */
const commonJsDefaults = {
  name: 'commonjs-defaults',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(react-custom-scrollbars-2|calculate-size)$/ }, ({ path, namespace }) =>
      namespace === 'commonjs-default' ? undefined : { path, namespace: 'commonjs-default' }
    );
    onLoad({ filter: /.*/, namespace: 'commonjs-default' }, ({ path }) => ({
      contents: `export { default } from '${path}'; export * from '${path}';`,
      resolveDir: folder,
    }));
  },
};

async function bundleBoot() {
  return build({ ...shared, entryPoints: [join(source, 'boot.ts')], outdir: buildFolder, entryNames: '[name]-[hash]' });
}

async function bundleMain() {
  return build({
    ...shared,
    entryPoints: [join(source, 'main.tsx')],
    outdir: buildFolder,
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    assetNames: 'asset-[hash]',
    format: 'esm',
    splitting: true,
    jsx: 'transform',
    alias: {
      '@grafana/plugin-compat/datasources': join(source, 'plugin-compat.ts'),
      '@monaco-editor/react': join(source, 'plain-editor.tsx'),
      'monaco-editor': join(source, 'plain-editor.tsx'),
      'get-document': join(source, 'get-document.cjs'),
    },
    plugins: [commonJsDefaults],
    loader: { '.svg': 'dataurl', '.woff2': 'file' },
  });
}

function outputName(result, entry, extension) {
  const found = Object.entries(result.metafile.outputs).find(
    ([path, output]) =>
      path.endsWith(extension) &&
      (output.entryPoint ?? entry).endsWith(entry) &&
      basename(path).startsWith(basename(entry).split('.')[0])
  );
  return found === undefined ? undefined : basename(found[0]);
}

/** The chunks that the entry imports at once, so that the browser can fetch them all at the same time. */
function staticChunks(result, entryFile) {
  const outputs = new Map(Object.entries(result.metafile.outputs).map(([path, output]) => [basename(path), output]));
  const wanted = new Set();
  const visit = (name) => {
    for (const { path, kind, external } of outputs.get(name)?.imports ?? []) {
      const chunk = basename(path);
      if (external || kind !== 'import-statement' || wanted.has(chunk)) continue;
      wanted.add(chunk);
      visit(chunk);
    }
  };
  visit(entryFile);
  return [...wanted];
}

function writeIndex(boot, main) {
  const bootFile = outputName(boot, 'boot.ts', '.js');
  const mainFile = outputName(main, 'main.tsx', '.js');
  const styleFile = outputName(main, 'main.tsx', '.css');
  const assets = [
    `<script src="/public/build/${bootFile}"></script>`,
    ...(styleFile === undefined ? [] : [`<link rel="stylesheet" href="/public/build/${styleFile}" />`]),
    ...staticChunks(main, mainFile).map((name) => `<link rel="modulepreload" href="/public/build/${name}" />`),
    `<script type="module" src="/public/build/${mainFile}"></script>`,
  ];
  const html = readFileSync(join(source, 'index.html'), 'utf8');
  writeFileSync(join(target, 'index.html'), html.replace('<!-- assets -->', assets.join('\n    ')));
}

/** Every icon that a component may name, with the folder in which @grafana/ui looks for it. */
function iconNames() {
  const mono = new Set(['favorite', 'grafana', 'heart', 'heart-break', 'library-panel', 'panel-add', 'circle-mono']);
  return Object.keys(availableIconsIndex)
    .filter((name) => name !== 'fa' && name !== 'fa fa-spinner')
    .map((name) => [name, name.startsWith('gf-') ? 'custom' : mono.has(name) ? 'mono' : 'unicons']);
}

function copyAssets() {
  const uiFolder = dirname(require.resolve('@grafana/ui/package.json'));
  cpSync(join(uiFolder, 'dist', 'public', 'img'), join(buildFolder, 'img'), { recursive: true });
  const iconFolder = join(buildFolder, 'img', 'icons');
  for (const [name, kind] of iconNames()) {
    const path = join(iconFolder, kind, `${name}.svg`);
    if (!existsSync(path)) writeFileSync(path, drawIcon(name));
  }
  for (const [name, file] of Object.entries(FONTS)) {
    const path = join(target, 'public', 'fonts', name);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(require.resolve(file), path);
  }
}

function writeLicences(...results) {
  const copied = ['@grafana/ui/package.json', ...Object.values(FONTS)].map((file) => require.resolve(file));
  writeThirdPartyNotices([...results.flatMap(listBundledFiles), ...copied], join(target, 'public', NOTICES_FILE));
  cpSync(join(folder, '..', 'LICENSE'), join(target, 'public', 'LICENSE'));
}

function compressAll() {
  for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|css|html)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}

// Nothing of an older build may stay: a removed file must not be served from its old gzip.
rmSync(target, { recursive: true, force: true });
const [boot, main] = await Promise.all([bundleBoot(), bundleMain()]);
copyAssets();
writeIndex(boot, main);
writeLicences(boot, main);
compressAll();
if (process.argv.includes('--analyze'))
  writeFileSync(join(folder, 'dist', 'page-meta.json'), JSON.stringify(main.metafile));
