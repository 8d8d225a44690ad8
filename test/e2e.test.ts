import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeWith } from './components.js';

const ROOT = join(__dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const PLAYWRIGHT = join(ROOT, 'node_modules/@playwright/test/cli.js');

it('types fit in test/e2e, which is no part of the build', async () => {
  await promisify(execFile)(process.execPath, [TSC, '--project', join(ROOT, 'test/e2e')]);
});

describeWith(['chromium'], 'the tests of test/e2e that need no Grafana', () => {
  it('pass on the page of npm start', async () => {
    // Playwright does not run where it believes to be a suite of jest.
    const { JEST_WORKER_ID: _worker, JOBLENS_GRAFANA_URL: _grafana, ...env } = process.env;
    const printed = await promisify(execFile)(process.execPath, [PLAYWRIGHT, 'test'], { cwd: ROOT, env }).then(
      ({ stdout }) => stdout,
      // What failed is in what Playwright prints.
      (error: unknown) => (error as { readonly stdout: string }).stdout
    );
    expect(printed).toMatch(/^ +\d+ passed \(/m);
    expect(printed).not.toMatch(/^ +\d+ (failed|flaky|skipped|did not run)/m);
    // It takes minutes alone.
  }, 1_200_000);
});
