// Dashboard Cluster in a browser.
import { performance } from 'node:perf_hooks';
import { URL, URLSearchParams } from 'node:url';
import { CLUSTER_END_MS, WEEK_MS } from './cases/shared/cluster.mjs';
import { isPainted } from './page.mjs';

const TIMEOUT_MS = 60_000;
/** All panels of the dashboard are in sight. */
const VIEWPORT = { width: 1440, height: 1600 };
const [GRAPHS, TABLES] = [4, 2];

/**
 * Opens dashboard Cluster for the week, in a browser without a cache.
 * @returns {Promise<{ paintedMs: number, firstMs: number, cpuMs: number, last: string }>} from the first question to
 *   the store until every panel shows its graph or table; until the first one does; what the page computed; the answer
 *   that came last
 */
export async function measureCluster({ browser, dashboard }) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    let startMs;
    let last = '';
    page.on('request', (sent) => {
      if (startMs === undefined && isQuestion(sent)) startMs = performance.now();
    });
    page.on('requestfinished', (sent) => {
      if (isQuestion(sent)) last = `${(performance.now() - startMs).toFixed(0)} ms ${readStatement(sent)}`;
    });
    await page.goto(dashboard('joblens-cluster', `from=${CLUSTER_END_MS - WEEK_MS}&to=${CLUSTER_END_MS}&refresh=`));
    const until = async (count) => {
      await page.waitForFunction(isPainted, count, { polling: 'raf', timeout: TIMEOUT_MS });
      return performance.now() - startMs;
    };
    const firstMs = await until({ graphs: 1, tables: 0 });
    const paintedMs = await until({ graphs: GRAPHS, tables: TABLES });
    const { metrics } = await session.send('Performance.getMetrics');
    const cpuMs = 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
    return { paintedMs, firstMs, cpuMs, last };
  } finally {
    await context.close();
  }
}

const isQuestion = (sent) => sent.url().includes('/query');
const MAX_STATEMENT_CHARS = 60;

function readStatement(sent) {
  const parameters = sent.method() === 'POST' ? new URLSearchParams(sent.postData()) : new URL(sent.url()).searchParams;
  return (parameters.get('q') ?? '').slice(0, MAX_STATEMENT_CHARS);
}
