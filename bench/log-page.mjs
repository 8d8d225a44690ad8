// The log on the page of a job, in a browser, as a viewer moves through it.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatLineName, timeOfLineMs } from './cases/shared/log.mjs';

const TIMEOUT_MS = 60_000;
/** A page may have other logs, such as that of its notifications. */
const LINES = '[data-testid="joblens-log"] [role="log"]';
/** What the page does after a move, such as counting lines, is not part of the next one. */
const REST_MS = 300;
const WHEEL_PX = 400;
const WHEEL_TURNS = 150;
const WHEEL_EVERY_MS = 16;

/** @returns {Promise<number>} from the log's first query until its last line is in sight */
export function measureFirstScreen(site, job, lines) {
  return withPage(site, async (page) => {
    let startMs;
    page.on('request', (sent) => {
      if (startMs === undefined && decodeURIComponent(sent.url()).includes('FROM "job_log"'))
        startMs = performance.now();
    });
    await page.goto(site.address(job));
    await untilInSight(page, lines - 1);
    return performance.now() - startMs;
  });
}

/** @returns {Promise<number[]>} for each of some places all over the log, from the key or click until it is in sight */
export function measureJumps(site, job, lines) {
  return withLog(site, job, lines, async (page) => {
    const times = [];
    const jump = async (at, go) => {
      await sleep(REST_MS);
      const startMs = performance.now();
      await go();
      await untilInSight(page, at);
      times.push(performance.now() - startMs);
    };
    await jump(0, () => page.getByTestId('joblens-log-first').click());
    for (const part of [0.5, 0.25, 0.75]) {
      const at = Math.floor((lines * part) / 100) * 100;
      const field = await openTimeField(page, at);
      await jump(at, () => field.press('Enter'));
    }
    await jump(lines - 1, () => page.getByTestId('joblens-log-end').click());
    return times;
  });
}

/** @returns {Promise<number[]>} the time between frames, while the wheel turns up from the middle and down again */
export function measureScroll(site, job, lines) {
  return withLog(site, job, lines, async (page) => {
    const middle = Math.floor(lines / 200) * 100;
    await (await openTimeField(page, middle)).press('Enter');
    await untilInSight(page, middle);
    await page.locator(LINES).hover();
    await sleep(3 * REST_MS);
    await page.evaluate(recordFrames);
    for (const [turns, direction] of [
      [WHEEL_TURNS, -1],
      [2 * WHEEL_TURNS, 1],
    ]) {
      for (let turn = 0; turn < turns; turn++) {
        await page.mouse.wheel(0, direction * WHEEL_PX);
        await sleep(WHEEL_EVERY_MS);
      }
    }
    const { frames, movedLines } = await page.evaluate(readFrames);
    if (movedLines < 1000) throw new Error(`the wheel moved the log by ${movedLines} lines only`);
    return frames;
  });
}

/**
 * @returns {Promise<number[]>} for each way to filter the log by level, and to move in what is left, until lines, how
 *   far the search is, or that it is over, comes into sight
 */
export function measureFilter(site, job, lines) {
  return withLog(site, job, lines, async (page) => {
    const times = [];
    const measure = async (act) => {
      await page.evaluate(forgetFilter);
      const startMs = performance.now();
      await act();
      await page.waitForFunction(isFilterShown, LINES, { polling: 'raf', timeout: TIMEOUT_MS });
      times.push(performance.now() - startMs);
    };
    const choose = (level) => page.getByLabel('Levels').selectOption(level);
    // No line is an error, so all are searched.
    await measure(() => choose('error'));
    await measure(() => choose('warning'));
    for (const place of ['first', 'end']) await measure(() => page.getByTestId(`joblens-log-${place}`).click());
    await measure(() => choose('error'));
    await measure(() => choose('all'));
    return times;
  });
}

async function withLog(site, job, lines, use) {
  return withPage(site, async (page) => {
    await page.goto(site.address(job));
    await untilInSight(page, lines - 1);
    await page.getByTestId('joblens-log-limit').filter({ hasText: ' of ' }).waitFor({ timeout: TIMEOUT_MS });
    return use(page);
  });
}

async function withPage({ browser }, use) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, timezoneId: 'UTC' });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

async function openTimeField(page, at) {
  await page.getByLabel('Go to a time').click();
  const field = page.getByLabel('Time to go to');
  await field.fill(new Date(timeOfLineMs(at)).toISOString().slice(0, 19).replace('T', ' '));
  return field;
}

function untilInSight(page, at) {
  return page.waitForFunction(
    isInSight,
    { name: formatLineName(at), selector: LINES },
    { polling: 'raf', timeout: TIMEOUT_MS }
  );
}

/** Runs in the browser. */
function isInSight({ name, selector }) {
  const { document } = globalThis;
  const frame = document.querySelector(selector)?.getBoundingClientRect();
  return [...document.querySelectorAll('[data-testid="joblens-log-line"]')].some((line) => {
    const { top, bottom } = line.getBoundingClientRect();
    return line.textContent.includes(name) && top >= frame.top - 1 && bottom <= frame.bottom + 1;
  });
}

/** Runs in the browser: what is in sight now is no answer to what comes next. */
function forgetFilter() {
  const { document } = globalThis;
  for (const element of document.querySelectorAll('[data-testid="joblens-log-line"]')) element.dataset.isOld = 'yes';
  const status = document.querySelector('[data-testid="joblens-log"] [role="status"]');
  globalThis.joblensOldStatus = status?.textContent;
}

/** Runs in the browser. */
function isFilterShown(selector) {
  const { document } = globalThis;
  const status = document.querySelector('[data-testid="joblens-log"] [role="status"]')?.textContent ?? '';
  if (status !== globalThis.joblensOldStatus && /^(Searching|No line matches)/.test(status)) return true;
  return document.querySelector(`${selector} [data-testid="joblens-log-line"]:not([data-is-old])`) !== null;
}

/** Runs in the browser. */
function recordFrames() {
  const frames = [];
  const lines = new Set();
  let lastMs = globalThis.performance.now();
  globalThis.joblensBench = { frames, lines };
  const tick = (nowMs) => {
    frames.push(nowMs - lastMs);
    lastMs = nowMs;
    lines.add(globalThis.document.querySelector('[data-testid="joblens-log-line"]')?.dataset.lineId);
    globalThis.requestAnimationFrame(tick);
  };
  globalThis.requestAnimationFrame(tick);
}

/** Runs in the browser. */
function readFrames() {
  const { frames, lines } = globalThis.joblensBench;
  const times = [...lines].map((id) => BigInt(String(id).split('/')[0])).sort((a, b) => (a < b ? -1 : 1));
  const movedNs = (times.at(-1) ?? 0n) - (times[0] ?? 0n);
  return { frames, movedLines: Number(movedNs / 10_000_000n) };
}
