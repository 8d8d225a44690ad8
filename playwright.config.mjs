// The tests in test/e2e (test/README.md): npx playwright test. They run on the page of `npm start`, which they start
// themselves, or in the real Grafana that JOBLENS_GRAFANA_URL names.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

const grafanaUrl = process.env.JOBLENS_GRAFANA_URL;
const CACHE = 'node_modules/.cache/e2e';
/** The session of the page of `npm start`, which opens with a token; data.setup.ts writes it. */
const SESSION = `${CACHE}/session.json`;
/** The session of Grafana's administrator; plugin-e2e logs in, and writes it. */
const ADMIN = 'playwright/.auth/admin.json';
const LOGIN = join(dirname(fileURLToPath(import.meta.resolve('@grafana/plugin-e2e'))), 'auth');

const grafana = {
  projects: [
    { name: 'data', testMatch: 'data.setup.ts' },
    // As an anonymous viewer.
    { name: 'dashboards', testMatch: 'dashboards/*.spec.ts', dependencies: ['data'] },
    { name: 'login', testDir: LOGIN, testMatch: '*.js' },
    {
      name: 'editors',
      testMatch: 'editors/*.spec.ts',
      dependencies: ['data', 'login'],
      use: { storageState: ADMIN },
    },
  ],
};

const standalone = {
  projects: [
    { name: 'data', testMatch: 'data.setup.ts' },
    { name: 'dashboards', testMatch: 'dashboards/*.spec.ts', dependencies: ['data'], use: { storageState: SESSION } },
  ],
  webServer: {
    command: `rm -rf ${CACHE}/state && exec node standalone/start.mjs --no-demo --port 0 --state ${CACHE}/state`,
    // Its groups become JOBLENS_PAGE_URL and JOBLENS_PAGE_TOKEN in the environment.
    wait: { stdout: /Page: +(?<joblens_page_url>http:[^\s?]+)\?token=(?<joblens_page_token>\w+)/ },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
};

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: `${CACHE}/results`,
  fullyParallel: true,
  workers: 2,
  // A busy machine must not fail a test.
  timeout: 240_000,
  expect: { timeout: 120_000 },
  retries: process.env.JOBLENS_SECOND_TRY === '1' ? 1 : 0,
  reporter: 'list',
  use: {
    baseURL: grafanaUrl ?? process.env.JOBLENS_PAGE_URL,
    viewport: { width: 1440, height: 1000 },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    },
  },
  ...(grafanaUrl === undefined ? standalone : grafana),
});
