/** @jest-environment node */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The rules of Grafana's plugin validator (grafana/plugin-validator) and of plugin.schema.json, checked on the built
 * files.
 */

const plugin = join(__dirname, '..');
const dist = join(plugin, 'dist');

interface PluginJson {
  readonly $schema?: string;
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly info: {
    readonly author: { readonly name: string };
    readonly description: string;
    readonly keywords: readonly string[];
    readonly links: ReadonlyArray<{ readonly name: string; readonly url: string }>;
    readonly logos: { readonly small: string; readonly large: string };
    readonly screenshots?: ReadonlyArray<{ readonly name: string; readonly path: string }>;
    readonly version: string;
    readonly updated: string;
  };
  readonly includes?: ReadonlyArray<{ readonly type: string; readonly name: string; readonly path: string }>;
  readonly routes?: ReadonlyArray<{ readonly path: string; readonly url: string; readonly headers: readonly object[] }>;
  readonly dependencies: { readonly grafanaDependency: string; readonly plugins: readonly unknown[] };
}

const FOLDERS = ['', 'datasource', 'panel'];
const EXPECTED_IDS = { '': 'joblens-app', datasource: 'joblens-datasource', panel: 'joblens-panel' };

/** The properties that the schema knows; it allows no others. */
const KNOWN_PROPERTIES = new Set(
  '$schema id type name info dependencies alerting annotations autoEnabled backend buildMode category includes logs metrics multiValueFilterOperators preload queryOptions routes skipDataQuery state streaming suggestions tracing'.split(
    ' '
  )
);
const KNOWN_INFO = new Set('author build description keywords links logos screenshots updated version'.split(' '));

function read(...path: string[]): string {
  return readFileSync(join(dist, ...path), 'utf8');
}
function readPlugin(folder: string): PluginJson {
  return JSON.parse(read(folder, 'plugin.json')) as PluginJson;
}
function readVersion(): string {
  return (JSON.parse(readFileSync(join(plugin, 'package.json'), 'utf8')) as { version: string }).version;
}

beforeAll(() => {
  if (!existsSync(join(dist, 'plugin.json'))) throw new Error('plugin/dist is missing: run npm run build -w plugin');
});

describe.each(FOLDERS)('dist/%s/plugin.json', (folder) => {
  it('keeps the schema', () => {
    const json = readPlugin(folder);
    expect(Object.keys(json).filter((key) => !KNOWN_PROPERTIES.has(key))).toEqual([]);
    expect(Object.keys(json.info).filter((key) => !KNOWN_INFO.has(key))).toEqual([]);
    expect(json.id).toMatch(/^[0-9a-z]+-([0-9a-z]+-)?(app|panel|datasource)$/);
    expect(json.id).toBe(EXPECTED_IDS[folder as keyof typeof EXPECTED_IDS]);
    expect(json.id.endsWith(`-${json.type}`)).toBe(true);
    expect(json.info.keywords.length).toBeGreaterThanOrEqual(1);
    expect(json.info.links.length).toBeGreaterThanOrEqual(1);
    expect(json.info.links.filter(({ name, url }) => name === '' || !URL.canParse(url))).toEqual([]);
    expect(json.info.author.name).not.toBe('');
    expect(json.info.description.length).toBeGreaterThan(20);
    expect(json.info.updated).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(json.dependencies.grafanaDependency).toBe('>=9.5.0');
  });

  it('has the version of package.json', () => {
    expect(readPlugin(folder).info.version).toBe(readVersion());
  });

  it('names logos that are there and only draw', () => {
    const { small, large } = readPlugin(folder).info.logos;
    for (const logo of [small, large]) {
      const svg = read(folder, logo);
      expect(svg).toMatch(/^<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      expect(svg).not.toMatch(/<script|<foreignObject|<image|<use|\bon\w+=|javascript:|data:|href\s*=/i);
    }
  });

  it('names screenshots that are there', () => {
    const missing = (readPlugin(folder).info.screenshots ?? []).filter(
      ({ path }) => !existsSync(join(dist, folder, path))
    );
    expect(missing).toEqual([]);
  });

  it('was built for production', () => {
    expect(readPlugin(folder)).toMatchObject({ buildMode: 'production' });
  });
});

describe('the outer app', () => {
  it('includes every nested plugin and each file that it names', () => {
    const includes = readPlugin('').includes ?? [];
    const nested = includes.filter(({ type }) => type === 'datasource' || type === 'panel');
    expect(nested.map(({ type, path }) => `${type}:${path}`)).toEqual([
      'datasource:datasource/plugin.json',
      'panel:panel/plugin.json',
    ]);
    expect(nested.map(({ path, type }) => readPlugin(path.replace('/plugin.json', '')).type === type)).toEqual([
      true,
      true,
    ]);
    const dashboards = includes.filter(({ type }) => type === 'dashboard');
    const shipped = readdirSync(join(dist, 'dashboards')).map((file) => `dashboards/${file}`);
    expect(dashboards.map(({ path }) => path).sort()).toEqual(shipped.sort());
  });

  it.each(['README.md', 'CHANGELOG.md', 'LICENSE'])('ships %s', (file) => {
    expect(read(file).length).toBeGreaterThan(100);
  });

  it('has a README of its own, without placeholders', () => {
    const text = read('README.md');
    expect(text).not.toMatch(/%[A-Z_]+%|plugin template|To help maximize the impact|lorem|TODO/i);
    expect(text).toMatch(/^# Joblens\n/);
  });

  it('has the version in the CHANGELOG, or what the first one will bring', () => {
    const headings = read('CHANGELOG.md').match(/^## .*$/gm) ?? [];
    expect(headings.some((heading) => heading === '## Unreleased' || heading.startsWith(`## ${readVersion()} `))).toBe(
      true
    );
  });

  it('is under a licence that the catalog takes', () => {
    expect(read('LICENSE')).toContain('Apache License');
  });

  it('was built with the layout that the validator looks for', () => {
    const config = join(plugin, '.config', 'webpack', 'webpack.config.ts');
    expect(readFileSync(config, 'utf8')).toContain('@grafana/create-plugin');
    expect(readFileSync(join(plugin, 'scripts', 'build.mjs'), 'utf8')).toContain("'.config/webpack/webpack.config.ts'");
    expect(read('module.js')).toContain('[create-plugin] version:');
  });

  it('holds nothing but what belongs there', () => {
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => /\.\w+$/.test(file));
    const known =
      /^(?:(?:datasource\/|panel\/)?(?:module\.js(?:\.map)?|plugin\.json|img\/[\w-]+\.(?:svg|png)|query_help\.md)|README\.md|CHANGELOG\.md|THIRD-PARTY-NOTICES\.txt|dashboards\/\w+\.json)$/;
    expect(files.filter((file) => !known.test(file))).toEqual([]);
  });
});

describe('the token route', () => {
  it('adds the token to requests below its path, at the address of the settings', () => {
    expect(readPlugin('datasource').routes).toEqual([
      {
        path: 'token',
        // Grafana knows .URL since 10.4 only; a template that never gets there does not mind.
        url: '{{ if .JsonData.url }}{{ .JsonData.url }}{{ else }}{{ .URL }}{{ end }}',
        headers: [{ name: 'Authorization', content: 'Token {{ .SecureJsonData.token }}' }],
      },
    ]);
  });
});

/**
 * What Grafana 9.5 already gives to plugins (public/app/features/plugins/plugin_loader.ts); `module` is the loader's
 * own.
 */
const SHARED = new Set([
  'module',
  'react',
  'react-dom',
  'rxjs',
  'lodash',
  'moment',
  '@emotion/css',
  '@emotion/react',
  '@grafana/data',
  '@grafana/ui',
  '@grafana/runtime',
]);

/** Data source and panel share the registry of query types and views; each bundle must leave the other's half out. */
describe.each([
  ['datasource', 'views'],
  ['panel', 'query-types'],
])('dist/%s/module.js', (folder, foreign) => {
  it(`has nothing of ${foreign}/`, () => {
    const { sources } = JSON.parse(read(folder, 'module.js.map')) as { sources: string[] };
    expect(sources.some((source) => source.endsWith('/registry/registry.ts'))).toBe(true);
    expect(sources.filter((source) => source.includes(`/${foreign}/`))).toEqual([]);
  });
});

describe.each(FOLDERS)('dist/%s/module.js', (folder) => {
  const code = (): string => read(folder, 'module.js');

  it('is an AMD module that needs only what every Grafana shares', () => {
    const dependencies = /define\(\[([^\]]*)\]/.exec(code())?.[1];
    expect(dependencies).toBeDefined();
    const names = [...(dependencies ?? '').matchAll(/"([^"]*)"/g)].map(([, name]) => name ?? '');
    expect(names).toContain('module');
    expect(names.filter((name) => !SHARED.has(name))).toEqual([]);
  });

  it('has its source map', () => {
    expect(code()).toMatch(/\/\/# sourceMappingURL=module\.js\.map\s*$/);
    const map = JSON.parse(read(folder, 'module.js.map')) as { sources: string[]; sourcesContent?: string[] };
    expect(map.sources.some((source) => source.includes('module.ts'))).toBe(true);
    expect(map.sourcesContent?.length).toBe(map.sources.length);
  });

  it.each([
    // Not a method of that name, nor where it is defined.
    ['evaluated text', /(?:(?<![.\w$])|\b(?:window|self|global|globalThis)\.)eval\((?![\w$,]*\)\{)|new Function\(/],
    ['logging', /console\.(?:log|info|debug)\(/],
    ['trackers', /google-analytics|googletagmanager|segment\.com|hotjar|mixpanel|sentry\.io|fullstory/i],
    [
      'a JSX runtime',
      /react\/jsx-(?:dev-)?runtime|react\.transitional\.element|Symbol\.for\("react\.element"\)|ReactCurrentOwner/,
    ],
    ['React of one version only', /findDOMNode|createRoot\(|hydrateRoot\(/],
  ])('has no %s', (_name, pattern) => {
    expect(pattern.exec(code())?.[0]).toBeUndefined();
  });

  it('is small', () => {
    // The readers of known programs are in it, for what a click on a number of the log offers.
    expect(Buffer.byteLength(code())).toBeLessThan(670 * 1024);
  });
});
