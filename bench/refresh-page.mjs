// The page of a running job in a browser: its first load, and its refreshes.
import { formatLineName } from './cases/shared/log.mjs';
import { isPainted } from './page.mjs';

const TIMEOUT_MS = 60_000;
/** When nothing has been painted for so long, the last paint was the last. */
const QUIET_MS = 400;
const LOG = '[data-testid="joblens-log"] [role="log"]';

/**
 * @typedef {object} Load
 * @property {number} paintedMs from the first question to the store until the last paint
 * @property {number} answeredMs until the last answer
 * @property {number} cpuMs of the page's main thread; in the first load also of the start of its scripts
 * @property {number} bytes that the store answered, as they were transferred
 */

/**
 * Opens the page of a job that runs, in a browser without a cache.
 * @param {{ name: string, fromMs: number, countLines: () => number }} job
 * @returns {Promise<{ first: Load, refresh: () => Promise<Load>, close: () => Promise<void> }>} `refresh` fails if the
 *   newest line of the log does not come into sight
 */
export async function openRunningJob({ browser, dashboard }, { name, fromMs, countLines }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const readBytes = await countAnswers(session);
  await page.addInitScript(recordPaints);
  const readCpuMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find((metric) => metric.name === 'TaskDuration').value;
  };
  const measure = async (load) => {
    const [bytes, cpuMs] = [readBytes(), await readCpuMs()];
    await load();
    const times = await page.evaluate(readTimes);
    return { ...times, bytes: readBytes() - bytes, cpuMs: (await readCpuMs()) - cpuMs };
  };
  const first = await measure(async () => {
    const lines = countLines();
    await page.goto(dashboard('joblens-job', `var-job=${name}&from=${fromMs}&to=now&refresh=`));
    await page.waitForFunction(isPainted, { graphs: 1, tables: 0 }, { polling: 'raf', timeout: TIMEOUT_MS });
    await untilShown(page, lines - 1);
  });
  const refresh = () =>
    measure(async () => {
      const lines = countLines();
      await page.evaluate(forgetPaints);
      await page.getByTestId('data-testid RefreshPicker run button').evaluate((button) => button.click());
      await untilShown(page, lines - 1);
    });
  return { first, refresh, close: () => context.close() };
}

/** @returns {Promise<() => number>} the bytes of the store's answers, until now */
async function countAnswers(session) {
  const questions = new Set();
  let bytes = 0;
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.includes('/query?')) questions.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (questions.has(requestId)) bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return () => bytes;
}

async function untilShown(page, at) {
  const wait = { polling: 50, timeout: TIMEOUT_MS };
  const isShown = ({ selector, text }) =>
    globalThis.document.querySelector(selector)?.textContent.includes(text) === true;
  await page.waitForFunction(isShown, { selector: LOG, text: formatLineName(at) }, wait);
  await page.waitForFunction((quietMs) => globalThis.joblensPaints.isQuiet(quietMs), QUIET_MS, wait);
}

/** Runs in the browser, before the page's own scripts: notes when the store is asked, and when what changed is painted. */
function recordPaints() {
  const { performance, MutationObserver, MessageChannel, requestAnimationFrame } = globalThis;
  const state = { firstMs: undefined, paintedMs: 0, answeredMs: 0, underWay: 0 };
  globalThis.joblensPaints = {
    state,
    isQuiet: (quietMs) =>
      state.firstMs !== undefined &&
      state.underWay === 0 &&
      performance.now() - Math.max(state.paintedMs, state.answeredMs) > quietMs,
  };

  const ask = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    if (!String(request[0]?.url ?? request[0]).includes('/query?')) return ask(...request);
    state.firstMs ??= performance.now();
    state.underWay += 1;
    try {
      return await ask(...request);
    } finally {
      state.underWay -= 1;
      state.answeredMs = performance.now();
    }
  };

  // What changes in a frame's own callbacks is painted in this frame, all else in the next one.
  let isInFrame = false;
  globalThis.requestAnimationFrame = (work) =>
    requestAnimationFrame((timeMs) => {
      isInFrame = true;
      try {
        work(timeMs);
      } finally {
        isInFrame = false;
      }
    });
  const { port1, port2 } = new MessageChannel();
  let isAwaited = false;
  port1.onmessage = () => {
    isAwaited = false;
    state.paintedMs = performance.now();
  };
  const afterPaint = () => port2.postMessage(undefined);
  const notePaint = () => {
    if (isAwaited) return;
    isAwaited = true;
    if (isInFrame) afterPaint();
    else requestAnimationFrame(afterPaint);
  };
  const { prototype } = globalThis.CanvasRenderingContext2D;
  const clear = prototype.clearRect;
  prototype.clearRect = function (...box) {
    notePaint();
    clear.apply(this, box);
  };
  new MutationObserver(notePaint).observe(globalThis.document, {
    ...{ subtree: true, childList: true, characterData: true, attributes: true },
  });
}

/** Runs in the browser. */
function readTimes() {
  const { firstMs, paintedMs, answeredMs } = globalThis.joblensPaints.state;
  return { paintedMs: paintedMs - firstMs, answeredMs: answeredMs - firstMs };
}

/** Runs in the browser. */
function forgetPaints() {
  globalThis.joblensPaints.state.firstMs = undefined;
}
