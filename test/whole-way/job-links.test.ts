import { createJobPoint, formatPoint } from '@joblens/core';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { describeWith } from '../components.js';
import { launchChromium } from './job-page.js';
import { type Stack, startEmbeddedStack, writePoints } from './stack.js';

const DIFFICULT = [
  'R&D',
  'run #7',
  'a+b',
  'a%20b',
  '100%25',
  '100%',
  'a=b?c/d',
  '日本',
  'a\\nb',
  '<b>"x"</b>',
  '${job}',
];
/** Any string is a job's id. A line of the list shows it as one line, so that a test can find it again. */
const RANDOM = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), { numRuns: 12, seed: 7 });
const JOBS = [...new Set([...DIFFICULT, ...RANDOM.map((text) => `x${text.replace(/\s+/g, ' ').trim()}x`)])];

describeWith(['chromium'], 'the links from the list of jobs', () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let listUrl: string;

  beforeAll(async () => {
    stack = await startEmbeddedStack();
    const nowMs = Date.now();
    const lines = JOBS.map((job, i) => {
      const description = { name: `name ${i}`, state: 'COMPLETED', startedMs: nowMs - 60_000 + i, endedMs: nowMs };
      return formatPoint(createJobPoint({ job, user: 'ann' }, description, BigInt(nowMs - 60_000 + i) * 1_000_000n));
    });
    await writePoints(stack, lines.join('\n'));
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1440, height: 1600 } });
    listUrl = stack.pageUrl.replace('joblens-job', 'joblens-jobs');
    await page.goto(listUrl);
    await page.getByRole('link', { name: 'R&D', exact: true }).waitFor({ timeout: 120_000 });
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
  });

  it('name each job as it is', async () => {
    const links = await page
      .locator('a[href*="var-job"]')
      .evaluateAll((anchors) =>
        anchors.map((anchor) => [
          anchor.textContent,
          new URL((anchor as HTMLAnchorElement).href).searchParams.get('var-job'),
        ])
      );
    expect(new Map(links as [string, string][])).toEqual(new Map(JOBS.map((job) => [job, job])));
  });

  /** Back on the list, if a job is open, as people go back: without loading the page again. */
  async function openList(): Promise<void> {
    if (new URL(page.url()).pathname === new URL(listUrl).pathname) return;
    await page.goBack();
  }

  it.each(DIFFICULT)('open %s', async (job) => {
    await openList();
    await page.getByRole('link', { name: job, exact: true }).click({ timeout: 120_000 });
    const header = page.getByTestId('joblens-job-header');
    await header.getByText(`name ${JOBS.indexOf(job)}`, { exact: true }).waitFor({ timeout: 120_000 });
    expect(new URL(page.url()).searchParams.get('var-job')).toBe(job);
  });
});
