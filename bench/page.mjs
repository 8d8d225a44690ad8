// What `npm start` starts, and its page in a browser in front of a real InfluxDB.
import { spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { FROM_MS } from './cases/shared/table.mjs';
import { trackChild } from './children.mjs';
import { DATABASE, findFreePort } from './influxdb.mjs';
import { findProgram } from './machine.mjs';

const STANDALONE = fileURLToPath(new URL('../standalone/start.mjs', import.meta.url));
const QUERY_PATH = /^\/api\/datasources\/proxy\/uid\/joblens\/query/;
const PAINT_TIMEOUT_MS = 60_000;

export const findChromium = () => findProgram('chromium');

/**
 * Starts the page, a proxy that sends its queries to InfluxDB, and the browser.
 * @returns {Promise<{ address: (job: string) => string, dashboard: (uid: string, range: string) => string,
 *   browser: import('playwright-core').Browser, close: () => Promise<void> }>} addresses; a range is `from=…&to=…`
 */
export async function startPage(folder, influxdbUrl) {
  const { url, token, stop } = await startStandalone(folder);
  const proxy = await startProxy(url, influxdbUrl);
  const { browser, dashboard } = await openSite({ url: `http://127.0.0.1:${proxy.address().port}`, token });
  const from = `from=${FROM_MS}&to=${FROM_MS + 4 * 3600 * 1000}`;
  return {
    browser,
    dashboard,
    address: (job) => dashboard('joblens-job', `var-job=${job}&${from}`),
    async close() {
      await browser.close();
      proxy.closeAllConnections();
      proxy.close();
      await stop();
    },
  };
}

/** A browser, and the addresses of dashboards in what `npm start` starts, or in a proxy before it. */
export async function openSite({ url, token }) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  return { browser, dashboard: (uid, range) => `${url}/d/${uid}?token=${token}&${range}` };
}

/**
 * Starts what `npm start` starts, with an empty store in a folder below `folder`; `withDemo`: and its demo jobs.
 * @returns {Promise<{ url: string, token: string, pid: number, stop: () => Promise<void> }>}
 */
export async function startStandalone(folder, { withDemo = false } = {}) {
  const port = await findFreePort();
  const args = [STANDALONE, '--state', join(folder, 'state'), '--port', String(port)];
  if (!withDemo) args.push('--no-demo');
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  trackChild(child, () => child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    token: await readToken(child),
    pid: child.pid,
    async stop() {
      // Demo jobs are ended in order.
      child.kill(withDemo ? 'SIGTERM' : 'SIGKILL');
      await ended;
    },
  };
}

async function readToken(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const token = /[?&]token=([0-9a-f]+)/.exec(line)?.[1];
    if (token !== undefined) {
      child.stdout.resume();
      return token;
    }
  }
  throw new Error('the page of npm start did not say its address');
}

async function startProxy(pageUrl, influxdbUrl) {
  const proxy = createServer((incoming, outgoing) => {
    const isQuery = QUERY_PATH.test(incoming.url);
    const path = isQuery
      ? incoming.url.replace(QUERY_PATH, '/query').replace('db=joblens', `db=${DATABASE}`)
      : incoming.url;
    const { method, headers } = incoming;
    const forwarded = request(`${isQuery ? influxdbUrl : pageUrl}${path}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.once('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

/**
 * Opens the page of a job in a browser without a cache.
 * @returns {Promise<{ paintedMs: number, cpuMs: number, heapBytes: number, said: string }>} from the first question
 *   about the job's tables until its graph shows lines; the JavaScript heap then; what the graph says of its rows
 */
export async function measureGraph({ browser, address }, job) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  try {
    const page = await context.newPage();
    let startMs;
    page.on('request', (sent) => {
      if (startMs === undefined && decodeURIComponent(sent.url()).includes('FROM "job_series"'))
        startMs = performance.now();
    });
    await page.goto(address(job));
    await page.waitForFunction(isPainted, { graphs: 1, tables: 0 }, { polling: 'raf', timeout: PAINT_TIMEOUT_MS });
    const paintedMs = performance.now() - startMs;
    const session = await context.newCDPSession(page);
    const { usedSize: heapBytes } = await session.send('Runtime.getHeapUsage');
    await session.send('Performance.enable');
    const { metrics } = await session.send('Performance.getMetrics');
    const cpuMs = 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
    const said = await page.getByTitle(/^The graph shows/).allTextContents();
    return { paintedMs, cpuMs, heapBytes, said: said.join('') };
  } finally {
    await context.close();
  }
}

/**
 * Runs in the browser: whether so many graphs show lines, which have colours, unlike their axes, and tables rows. It is
 * asked at each frame while the page works, so a graph that has shown lines is not looked at again.
 */
export function isPainted({ graphs, tables }) {
  const { document } = globalThis;
  const painted = (globalThis.paintedCanvases ??= new WeakSet());
  const withRows = [...document.querySelectorAll('[data-testid="joblens-table"]')].filter(
    (table) => table.querySelector('[data-testid="joblens-table-row"]') !== null
  );
  if (withRows.length < tables) return false;
  const canvases = [...document.querySelectorAll('[data-testid="joblens-graph"]')].map((graph) =>
    graph.querySelector('canvas')
  );
  return canvases.filter((canvas) => canvas !== null && (painted.has(canvas) || hasLines(canvas))).length >= graphs;

  function hasLines(canvas) {
    if (canvas.width === 0) return false;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let coloured = 0;
    for (let at = 0; at < data.length && coloured <= 300; at += 4) {
      if (data[at + 3] <= 150) continue;
      const [red, green, blue] = [data[at], data[at + 1], data[at + 2]];
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) coloured++;
    }
    if (coloured > 300) painted.add(canvas);
    return coloured > 300;
  }
}
