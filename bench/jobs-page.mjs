// A list of jobs and the page of a job, in a browser.
import { performance } from 'node:perf_hooks';

const TIMEOUT_MS = 60_000;
const VIEWPORT = { width: 1440, height: 1000 };

/**
 * @param {{ browser: import('playwright-core').Browser, dashboard: (uid: string, range: string) => string }} site
 * @param {{ fromMs: number, toMs: number }} range
 * @returns {Promise<number>} milliseconds from the first query of dashboard Jobs until the jobs in sight have their names
 */
export const measureList = (site, { fromMs, toMs }) =>
  measureFirstScreen(site, ['joblens-jobs', `from=${fromMs}&to=${toMs}&refresh=`], isListShown);

/** @returns {Promise<number>} the same for a job's page, until its header, its graph and its log are shown */
export const measureJobPage = (site, { job, fromMs, toMs }) =>
  measureFirstScreen(site, ['joblens-job', `var-job=${job}&from=${fromMs}&to=${toMs}&refresh=`], isJobShown);

/**
 * Opens a list over a long range, and types an id of it into the search.
 *
 * @returns {Promise<{ firstMs: number, hitMs: number }>} until the first screen is there, and from the last key until the job is
 */
export async function measureSearch({ browser, dashboard }, { fromMs, toMs }, job) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const page = await context.newPage();
    const firstMs = await openFirstScreen(
      page,
      dashboard('joblens-jobs', `from=${fromMs}&to=${toMs}&refresh=`),
      isListShown
    );
    const box = page.getByPlaceholder(/^Search jobs/);
    await box.fill(job);
    const startMs = performance.now();
    await page.waitForFunction(isJobListed, job, { polling: 'raf', timeout: TIMEOUT_MS });
    return { firstMs, hitMs: performance.now() - startMs };
  } finally {
    await context.close();
  }
}

async function measureFirstScreen({ browser, dashboard }, address, isShown) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const page = await context.newPage();
    return await openFirstScreen(page, dashboard(...address), isShown);
  } finally {
    await context.close();
  }
}

async function openFirstScreen(page, url, isShown) {
  let startMs;
  page.on('request', (sent) => {
    if (sent.url().includes('/query')) startMs ??= performance.now();
  });
  await page.goto(url);
  await page.waitForFunction(isShown, undefined, { polling: 'raf', timeout: TIMEOUT_MS });
  return performance.now() - startMs;
}

/** Runs in the browser. */
function isJobListed(job) {
  const jobs = [...globalThis.document.querySelectorAll('[data-testid="joblens-job"]')];
  return jobs.some(({ textContent }) => textContent.includes(job));
}

/** Runs in the browser. */
function isListShown() {
  const jobs = [...globalThis.document.querySelectorAll('[data-testid="joblens-job"]')];
  return jobs.length > 0 && jobs.every((job) => job.textContent.includes('train-'));
}

/** Runs in the browser. */
function isJobShown() {
  const { document } = globalThis;
  const isLogShown = document.querySelector('[data-testid="joblens-log"]')?.textContent.includes('step 1') === true;
  const canvas = document.querySelector('[data-testid="joblens-graph"] canvas');
  return isLogShown && canvas !== null && document.querySelector('[data-testid="joblens-state"]') !== null;
}
