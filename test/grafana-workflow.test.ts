import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Workflow {
  readonly jobs: {
    readonly pages: {
      readonly strategy: { readonly matrix: { readonly grafana: readonly string[] } };
      readonly steps: ReadonlyArray<{ readonly run?: string }>;
    };
  };
}

const { pages } = (parse(read('.github/workflows/grafana.yml')) as Workflow).jobs;
const versions = pages.strategy.matrix.grafana;
const commands = pages.steps.flatMap(({ run }) => run ?? []);

it('opens the dashboards in the oldest Grafana that is supported, and in those that the docs name', () => {
  expect(versions.map((version) => version.split('.').slice(0, 2).join('.'))).toEqual([
    ...['9.5', '10.4', '11.6', '12.4', '13.0', '13.2'],
  ]);
  const { dependencies } = JSON.parse(read('plugin/src/plugin.json')) as {
    dependencies: { grafanaDependency: string };
  };
  expect(dependencies.grafanaDependency).toMatch(/^>=9\.5\./);
  const [oldest, newest] = [versions[0] ?? '', versions.at(-1) ?? ''];
  expect(read('docs/grafana.md')).toContain(`six real versions, from ${oldest} to ${newest}`);
});

it('runs the end-to-end tests, and starts a script that is there', () => {
  expect(commands).toContain('npx playwright test');
  const files = readdirSync(join(ROOT, 'test/e2e'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('.spec.ts')).map((name) => dirname(name))).toEqual(
    expect.arrayContaining(['dashboards', 'editors'])
  );
  const script = commands.flatMap((run) => /^(\S+\.sh) /.exec(run)?.[1] ?? []);
  expect(script).toHaveLength(1);
  for (const file of script) execFileSync('bash', ['-n', join(ROOT, file)]);
  const folders = [...read(script[0] ?? '').matchAll(/-v "\$PWD\/([^:]+):/g)].map(([, path]) => path ?? '');
  expect(folders.length).toBeGreaterThan(3);
  // The built plugin comes from another job.
  const missing = folders.filter((path) => path !== 'plugin/dist' && !existsSync(join(ROOT, path)));
  expect(missing).toEqual([]);
});
