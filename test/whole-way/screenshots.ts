// Makes the pictures of the docs: `npm run screenshots`. The same data, clock and sizes each time.
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createDemoHistory } from '../../standalone/src/demo-history.js';
import { createDemoData, DEMO_NOW_MS } from './demo-data.js';
import { createDemoSpans } from './demo-spans.js';
import { launchChromium } from './job-page.js';
import { ROOT, type Stack, startEmbeddedStack, writePoints } from './stack.js';

interface Shot {
  readonly name: string;
  /** The address behind the host. */
  readonly path: string;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Shown when the page is ready. */
  readonly ready: string;
  readonly prepare?: (page: Page) => Promise<void>;
  /** Its name among the plugin's own screenshots, which Grafana's catalog shows. */
  readonly pluginName?: string;
}

const DOCS_FOLDER = join(ROOT, 'docs', 'screenshots');
const PLUGIN_IMAGES = join(ROOT, 'plugin/src/img');

const JOBS = '/d/joblens-jobs?from=now-24h&to=now&refresh=';
const job = (id: string, from = 'now-24h', to = 'now'): string =>
  `/d/joblens-job?var-job=${encodeURIComponent(id)}&from=${from}&to=${to}&refresh=`;
const LINE = '[data-testid="joblens-log-line"]';
const EMPTY = '[data-testid="joblens-empty"]';
/** The cluster's day ended long enough ago that the list of jobs has none of it. */
const CLUSTER_END_MS = DEMO_NOW_MS - 3 * 86_400_000;
const CLUSTER = '/d/joblens-cluster?from=now-4d&to=now-3d&refresh=';
const EVENTS = '/d/joblens-events?from=now-4d&to=now-3d&refresh=';
const SPANS = '/d/joblens-spans?var-job=48213&from=now-10m&to=now&refresh=';
const GANTT = '[data-testid="joblens-gantt-canvas"]';
const PLOT = '[data-testid="joblens-graph"] canvas';
const ROW = '[data-testid="joblens-table-row"]';
/** All panels of a dashboard are in sight. */
const WHOLE = { width: 1440, height: 1500 };
const PHONE = { width: 390, height: 844 };
/** A screen of 4K without scaling. */
const WIDE = { width: 3840, height: 2160 } as const;

const SHOTS: readonly Shot[] = [
  { name: 'jobs', path: JOBS, ready: '[data-testid="joblens-job"]' },
  { name: 'jobs-light', path: JOBS, theme: 'light', ready: '[data-testid="joblens-job"]', pluginName: 'jobs.png' },
  { name: 'jobs-phone', path: JOBS, ...PHONE, ready: '[data-testid="joblens-job"]' },
  { name: 'jobs-1280', path: JOBS, width: 1280, height: 800, ready: '[data-testid="joblens-job"]' },
  { name: 'jobs-wide', path: JOBS, ...WIDE, ready: '[data-testid="joblens-job"]' },
  { name: 'jobs-wide-light', path: JOBS, ...WIDE, theme: 'light', ready: '[data-testid="joblens-job"]' },
  {
    name: 'jobs-search',
    path: JOBS,
    ready: '[data-testid="joblens-job"]',
    prepare: (page) => page.getByPlaceholder('Search jobs', { exact: false }).fill('bob fail'),
  },
  { name: 'jobs-none', path: '/d/joblens-jobs?from=now-40d&to=now-39d&refresh=', ready: EMPTY },
  { name: 'job-running', path: job('48213', 'now-97m'), ready: LINE, pluginName: 'job.png' },
  { name: 'job-running-light', path: job('48213', 'now-97m'), theme: 'light', ready: LINE },
  { name: 'job-running-phone', path: job('48213', 'now-97m'), ...PHONE, ready: LINE },
  { name: 'job-running-wide', path: job('48213', 'now-97m'), ...WIDE, ready: LINE },
  { name: 'job-running-wide-light', path: job('48213', 'now-97m'), ...WIDE, theme: 'light', ready: LINE },
  { name: 'job-running-1280', path: job('48213', 'now-97m'), width: 1280, height: 800, ready: LINE },
  {
    name: 'job-details',
    path: job('48213', 'now-97m'),
    ready: LINE,
    prepare: (page) => page.getByRole('button', { name: 'Details' }).click(),
  },
  {
    name: 'job-table',
    path: job('48213', 'now-97m'),
    ready: LINE,
    prepare: (page) => page.getByRole('tab', { name: 'Table' }).click(),
  },
  { name: 'job-ended', path: job('48174', 'now-455m', 'now-400m'), ready: LINE },
  { name: 'job-failed', path: job('48190', 'now-4h', 'now-2h'), ready: LINE, pluginName: 'job-failed.png' },
  { name: 'job-failed-wide', path: job('48190', 'now-4h', 'now-2h'), ...WIDE, ready: LINE },
  { name: 'job-no-metadata', path: job('48220', 'now-5m'), ready: LINE },
  { name: 'job-unknown', path: job('99999'), ready: EMPTY },
  { name: 'job-opted-out', path: job('48188', 'now-2h'), ready: EMPTY },
  { name: 'job-outside-range', path: job('48190', 'now-10m'), ready: EMPTY },
  { name: 'cluster', path: CLUSTER, ...WHOLE, ready: PLOT },
  { name: 'cluster-light', path: CLUSTER, ...WHOLE, theme: 'light', ready: PLOT },
  { name: 'cluster-phone', path: CLUSTER, ...PHONE, ready: PLOT },
  { name: 'cluster-wide', path: CLUSTER, ...WIDE, ready: PLOT },
  { name: 'events', path: EVENTS, ready: ROW },
  { name: 'events-light', path: EVENTS, theme: 'light', ready: ROW },
  { name: 'events-phone', path: EVENTS, ...PHONE, ready: ROW },
  { name: 'events-wide', path: EVENTS, ...WIDE, ready: ROW },
  { name: 'spans', path: SPANS, ready: GANTT },
  { name: 'spans-light', path: SPANS, theme: 'light', ready: GANTT },
  { name: 'spans-phone', path: SPANS, ...PHONE, ready: GANTT },
  { name: 'spans-wide', path: SPANS, ...WIDE, ready: GANTT },
  {
    name: 'job-spans',
    path: job('48213', 'now-10m'),
    ready: LINE,
    prepare: (page) => page.getByRole('tab', { name: 'Gantt' }).click(),
  },
];

async function takeShot(browser: Browser, stack: Stack, shot: Shot, folder: string): Promise<void> {
  const { name, path: address, theme = 'dark', width = 1440, height = 900, ready, prepare, pluginName } = shot;
  const page = await browser.newPage({
    viewport: { width, height },
    timezoneId: 'UTC',
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  await page.clock.setFixedTime(DEMO_NOW_MS);
  await page.goto(`${stack.influxHost}${address}&theme=${theme}&token=${stack.token ?? ''}`);
  await page.locator(ready).first().waitFor({ timeout: 120_000 });
  await page.waitForLoadState('networkidle');
  await prepare?.(page);
  await page.mouse.move(0, 0);
  // What loads has a button to cancel it; courses of the list and heights follow the answers.
  await page.getByText('Cancel', { exact: true }).waitFor({ state: 'hidden', timeout: 120_000 });
  await page.waitForTimeout(3000);
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  if (pluginName !== undefined && folder === DOCS_FOLDER) await copyFile(path, join(PLUGIN_IMAGES, pluginName));
  await page.close();
}

async function main(): Promise<void> {
  const [folder = DOCS_FOLDER, ...names] = process.argv.slice(2);
  await mkdir(folder, { recursive: true });
  const stack = await startEmbeddedStack();
  const browser = await launchChromium();
  try {
    await writePoints(stack, createDemoData());
    await writePoints(stack, createDemoHistory(CLUSTER_END_MS));
    await writePoints(stack, createDemoSpans());
    for (const shot of SHOTS.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)))) {
      await takeShot(browser, stack, shot, folder);
      process.stdout.write(`${shot.name}.png\n`);
    }
  } finally {
    await browser.close();
    await stack.stop();
  }
}

void main();
