import { formatPoint } from '@joblens/core/point/line-protocol';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
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

/** A job of each of these users has this id. */
const [SHARED, USERS] = ['-shared (7).1', ['bob', 'zoe "z"']] as const;

/** Nothing but its last line says why such a job failed. */
function createFailedJob(user: string, atMs: number): readonly string[] {
  const [source, timeNs] = [{ job: SHARED, user }, BigInt(atMs) * 1_000_000n];
  const description = { state: 'FAILED', exitCode: 1, startedMs: atMs, endedMs: atMs + 1000 };
  const line = { stream: 'stderr', kind: 'output', line: `ValueError: of [${user}]`, timeNs: timeNs + 1000n } as const;
  return [createJobPoint(source, description, timeNs), ...createLogPoints(source, line)].map(formatPoint);
}

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
    await writePoints(stack, [...lines, ...USERS.flatMap((user) => createFailedJob(user, nowMs - 30_000))].join('\n'));
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
    expect(new Map(links as [string, string][])).toEqual(new Map([...JOBS, SHARED].map((job) => [job, job])));
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

  it.each(USERS)('open the job of %s alone, where several users have one of its id', async (user) => {
    await openList();
    await page
      .getByTestId('joblens-job')
      .filter({ hasText: SHARED })
      .filter({ hasText: user })
      .getByRole('link')
      .click({ timeout: 120_000 });
    const header = page.getByTestId('joblens-job-header');
    await header.getByText(`exit code 1: ValueError: of [${user}]`).waitFor({ timeout: 120_000 });
    await page.getByTestId('joblens-log-line').getByText(`ValueError: of [${user}]`).waitFor({ timeout: 120_000 });
    expect(await page.getByText(/ValueError: of/).allTextContents()).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining(`of [${user}]`) as string)
    );
    expect(await header.count()).toBe(1);
  });

  it('lead on from a page that names no user, where each job says its own error', async () => {
    await page.goto(`${stack.pageUrl}&var-job=${encodeURIComponent(SHARED)}&from=now-15m&to=now`);
    for (const user of USERS) {
      const header = page.getByTestId('joblens-job-header').filter({ hasText: `${SHARED} of ${user}` });
      await header.getByText(`exit code 1: ValueError: of [${user}]`).waitFor({ timeout: 120_000 });
      await header.getByRole('link', { name: `${SHARED} of ${user}` }).waitFor();
    }
  });
});
