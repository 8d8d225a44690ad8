import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Each bundle names the software in it. The oracle is the bundle itself: its source maps, or the comments that name
 * each file.
 */

const root = join(__dirname, '..');
const NOTICES = 'THIRD-PARTY-NOTICES.txt';

function packageOf(file: string): string | undefined {
  return /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function listSources(folder: string): string[] {
  const maps = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js.map'));
  return maps.flatMap(
    (name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { sources: string[] }).sources
  );
}

function listPathComments(folder: string): string[] {
  const bundles = readdirSync(folder).filter((name) => /^joblens\b.*js$/.test(name));
  return bundles.flatMap(
    (name) => readFileSync(join(folder, name), 'utf8').match(/^\s*\/\/ (?:\.\.\/)*node_modules\/\S+$/gm) ?? []
  );
}

/** An installed package may be a bundle itself; what its own source map names is not installed here. */
function isInstalled(name: string): boolean {
  return [root, join(root, 'plugin')].some((folder) => existsSync(join(folder, 'node_modules', name)));
}

describe.each([
  ['ingester/dist', listPathComments, ['commander', 'zod', 'yaml', 're2js', '@bufbuild/protobuf', '@msgpack/msgpack']],
  ['plugin/dist', listSources, ['uplot', '@tanstack/virtual-core']],
  ['standalone/dist/page/public', listSources, ['react', '@grafana/ui', '@fontsource/inter']],
])('%s', (name, listFiles, examples) => {
  const folder = join(root, name);

  it('has a notice for each package in it, with a text', () => {
    const packages = new Set(listFiles(folder).map(packageOf));
    const notices = readFileSync(join(folder, NOTICES), 'utf8');
    const expected = [...packages, ...examples].filter((entry) => entry !== undefined).filter(isInstalled);
    expect(expected.length).toBeGreaterThan(examples.length);
    expect(expected.filter((entry) => !notices.includes(`\n${entry} `))).toEqual([]);
    for (const section of notices.split(/^-{80}\n\S+ \S+ \(.*\)\n-{80}\n/m).slice(1)) expect(section).toMatch(/\w{4}/);
  });

  it('has our own licence', () => {
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
  });
});
