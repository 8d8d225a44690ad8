import type { Browser, Page } from 'playwright-core';
import { describeWith } from '../components.js';
import { createDemoData, DEMO_NOW_MS } from './demo-data.js';
import { launchChromium } from './job-page.js';
import { type Stack, startEmbeddedStack, writePoints } from './stack.js';

/** A real Grafana with the plugin and the dashboards, as test/grafana/start.sh starts it, and the store behind it. */
const { JOBLENS_GRAFANA_URL: grafanaUrl, JOBLENS_INFLUX_URL: influxUrl } = process.env;
const RANGE = `from=${DEMO_NOW_MS - 24 * 3_600_000}&to=${DEMO_NOW_MS}`;

/** The same test runs against the page of `npm start` here, and against each Grafana in CI. */
async function openStack(): Promise<Stack> {
  if (grafanaUrl === undefined) return startEmbeddedStack();
  const influxHost = influxUrl ?? 'http://127.0.0.1:8086';
  return { influxHost, token: undefined, pageUrl: grafanaUrl, folder: '', stop: () => Promise.resolve() };
}

describeWith(['chromium'], `the dashboards in ${grafanaUrl ?? 'the page of npm start'}`, () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  const open = (path: string) =>
    page.goto(`${new URL(path, stack.pageUrl).href}${stack.token === undefined ? '' : `&token=${stack.token}`}`);

  beforeAll(async () => {
    stack = await openStack();
    await writePoints(stack, createDemoData());
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
  });

  it('list the jobs, find one as one types, and open its page', async () => {
    await open(`/d/joblens-jobs?${RANGE}`);
    await page.getByTestId('joblens-job').first().waitFor({ timeout: 120_000 });
    await page.getByPlaceholder('Search jobs', { exact: false }).fill('diffusion');
    await page.getByRole('link', { name: '48190', exact: true }).click();
    const header = page.getByTestId('joblens-job-header');
    await header.getByText('Failed').waitFor({ timeout: 120_000 });
    await page.getByTestId('joblens-log-line').first().waitFor({ timeout: 120_000 });
    await page.getByTestId('joblens-graph').first().waitFor({ timeout: 120_000 });
    expect(new URL(page.url()).searchParams.get('var-job')).toBe('48190');
  });

  it('show tags and configuration behind a click', async () => {
    await open(`/d/joblens-job?var-job=48213&${RANGE}`);
    await page.getByRole('button', { name: 'Details' }).click({ timeout: 120_000 });
    await page.getByTestId('joblens-job-drawer').getByText('purpose=ablation').waitFor();
  });

  it('say what to do about a job that is not known', async () => {
    await open(`/d/joblens-job?var-job=no-such-job&${RANGE}`);
    await page.getByText('Job no-such-job is not known').first().waitFor({ timeout: 120_000 });
    await page.getByTestId('joblens-empty').getByRole('link', { name: 'All jobs' }).first().click();
    await page.waitForURL(/joblens-jobs/);
  });
});
