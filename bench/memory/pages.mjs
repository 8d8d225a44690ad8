// Measures what a page keeps that is left open: node bench/memory/pages.mjs [--refreshes N] [--only UID]...
// See README.md here.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { URLSearchParams } from 'node:url';
import { parseArgs } from 'node:util';
import { stopChildren, trackChild } from '../children.mjs';
import { send } from '../influxdb.mjs';
import { environmentOf, joblens } from '../joblens.mjs';
import { openSite, startStandalone } from '../page.mjs';

const DASHBOARDS = [
  'joblens-jobs',
  'joblens-job',
  'joblens-cluster',
  'joblens-events',
  'joblens-spans',
  'joblens-compare',
];
const BOUND_MB = 5;
/** The log of the job is then as long as a page reads it, so that it does not grow with what is printed. */
const FIRST_LINES = 1500;
/** After so many, caches are full, and V8 has compiled nearly all functions; until then their code is what grows. */
const FIRST_REFRESHES = 200;
/** Garbage that weak references and finalizers hold takes several collections to go. */
const COLLECTIONS = 4;
/** A refresh is over when the store has owed no answer for so many frames. */
const QUIET_FRAMES = 10;
/** The first load asks one thing after the other; what refreshes would cancel it. */
const LOADED_FRAMES = 120;
const TIMEOUT_MS = 60_000;
const LOOK_MS = 100;
const VIEWPORT = { width: 1440, height: 1000 };

const { values: options } = parseArgs({
  options: { refreshes: { type: 'string', default: '500' }, only: { type: 'string', multiple: true, default: [] } },
});
const uids = DASHBOARDS.filter((uid) => options.only.length === 0 || options.only.includes(uid));
const folder = await mkdtemp(join(tmpdir(), 'joblens-pages-'));
try {
  const standalone = await startStandalone(folder, { withDemo: true });
  const site = await openSite(standalone);
  const job = startJob(standalone);
  await untilStored(standalone, job);
  console.log('| dashboard | heap | growth | bound | met | questions | time |');
  console.log('|---|---|---|---|---|---|---|');
  for (const uid of uids) {
    const startMs = Date.now();
    const { heapMB, growthMB, questions } = await measureGrowth(site, uid, job);
    const cells = [uid, `${heapMB.toFixed(1)} MB`, `${growthMB.toFixed(1)} MB`, `<= ${BOUND_MB} MB`];
    const time = `${((Date.now() - startMs) / 1000).toFixed(0)} s`;
    console.log(`| ${[...cells, growthMB <= BOUND_MB ? 'yes' : 'NO', String(questions), time].join(' | ')} |`);
  }
  job.stop();
  await site.browser.close();
  await standalone.stop();
} finally {
  stopChildren();
  await rm(folder, { recursive: true, force: true });
}

/** A job that has printed for a while, and prints a line and a row whenever it is told to. */
function startJob({ url, token }) {
  const name = 'soak-[1].a';
  const [command, ...args] = joblens('pipe', ['--job', name, '--url', url, '--org', 'joblens', '--bucket', 'joblens']);
  const env = { ...environmentOf(folder), INFLUX_TOKEN: token };
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'inherit'], env });
  trackChild(child, () => child.kill('SIGKILL'));
  let step = 0;
  const print = () => {
    step += 1;
    child.stdin.write(`step ${step} is done\n{"step": ${step}, "loss": ${1 / step}, "acc": ${step / (9 + step)}}\n`);
  };
  while (2 * step < FIRST_LINES) print();
  return { name, print, stop: () => child.kill('SIGKILL') };
}

async function untilStored({ url, token }, { name }) {
  const query = new URLSearchParams({ db: 'joblens', q: 'SHOW TAG VALUES FROM "job_log" WITH KEY = "job"' });
  const headers = { Authorization: `Token ${token}` };
  while (!(await send(url, `/query?${query}`, { headers })).body.includes(name)) await sleep(LOOK_MS);
}

/** Compare asks nothing before runs are chosen; the demo has an experiment. */
function chooseRuns(uid, { name }) {
  return uid === 'joblens-compare' ? 'var-tag=experiment%3Dtwo-moons-sweep' : `var-job=${encodeURIComponent(name)}`;
}

/** Refreshes a dashboard again and again: the heap, after garbage collection, and how much it has grown since the first. */
async function measureGrowth({ browser, dashboard }, uid, job) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await page.addInitScript(countQuestions);
    job.print();
    await page.goto(dashboard(uid, `${chooseRuns(uid, job)}&refresh=`));
    await untilQuiet(page, LOADED_FRAMES);
    const readMB = async () => {
      for (let i = 0; i < COLLECTIONS; i++) await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6;
    };
    await refreshPage(page, job, FIRST_REFRESHES);
    const firstMB = await readMB();
    await refreshPage(page, job, Number(options.refreshes));
    const heapMB = await readMB();
    const questions = await page.evaluate(() => globalThis.joblensQuestions.asked);
    if (questions < Number(options.refreshes)) throw new Error(`${uid} asked the store only ${questions} times`);
    return { heapMB, growthMB: heapMB - firstMB, questions };
  } finally {
    await context.close();
  }
}

async function refreshPage(page, job, times) {
  for (let i = 0; i < times; i++) {
    job.print();
    await page.evaluate(() => (globalThis.joblensQuestions.quietFrames = 0));
    await page.getByTestId('data-testid RefreshPicker run button').evaluate((button) => button.click());
    await untilQuiet(page, QUIET_FRAMES);
  }
}

function untilQuiet(page, frames) {
  const isQuiet = (wanted) =>
    globalThis.joblensQuestions.asked > 0 && globalThis.joblensQuestions.quietFrames >= wanted;
  return page.waitForFunction(isQuiet, frames, { polling: 'raf', timeout: TIMEOUT_MS });
}

/** Runs in the browser, before the page's own scripts: counts the questions to the store. */
function countQuestions() {
  const state = { asked: 0, underWay: 0, quietFrames: 0 };
  globalThis.joblensQuestions = state;
  const ask = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    if (!String(request[0]?.url ?? request[0]).includes('/query?')) return ask(...request);
    state.asked += 1;
    state.underWay += 1;
    try {
      return await ask(...request);
    } finally {
      state.underWay -= 1;
    }
  };
  const tick = () => {
    state.quietFrames = state.underWay === 0 ? state.quietFrames + 1 : 0;
    globalThis.requestAnimationFrame(tick);
  };
  globalThis.requestAnimationFrame(tick);
}
