import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from '../../../test/components.js';
import { type Influxdb, querySeries, startInfluxdb } from '../../../test/influxdb.js';
import { createHttpClient } from '../sinks/influxdb/http-client.js';
import { startDelivery } from '../testing/delivery.js';
import { type FaultProxy, FAULTS, startFaultProxy, type Store } from '../testing/fault-proxy.js';
import { until } from '../testing/joblens.js';

const FIRST_TIME_NS = 1_700_000_000_000_000_000n;
const line = (job: string, i: number): string =>
  `job_log,job=${job},stream=stdout,user=ann kind="output",line="step ${i}" ${String(FIRST_TIME_NS + BigInt(i) * 1000n)}\n`;
const lines = (job: string, from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => line(job, from + i)).join('');

describeWith(['influxd'], 'sending to a real InfluxDB 1.x that fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-faults-'));
  let influxdb: Influxdb;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });
  afterEach(() => influxdb.restart());
  afterAll(async () => {
    await influxdb.stop();
    rmSync(folder, { recursive: true });
  });

  /** The lines of a job in the order of their times. */
  async function stored(job: string): Promise<unknown[]> {
    const [series] = await querySeries(influxdb.url, `SELECT "line" FROM "job_log" WHERE "job" = '${job}'`);
    return series?.values.map(([, text]) => text) ?? [];
  }
  const steps = (count: number): string[] => Array.from({ length: count }, (_, i) => `step ${i}`);

  const proxies: FaultProxy[] = [];
  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.stop();
  });
  async function startProxy(): Promise<FaultProxy> {
    const proxy = await startFaultProxy({ store: forward });
    proxies.push(proxy);
    return proxy;
  }

  const forward: Store = async (path, body) => {
    const client = createHttpClient(influxdb.url, {});
    const answer = await client.send({ method: 'POST', path, body, signal: new AbortController().signal });
    client.close();
    return { status: answer.status, body: answer.text };
  };

  it('stores every line once through each fault', async () => {
    const proxy = await startProxy();
    proxy.script = FAULTS.flatMap((fault) => [fault, 'none' as const]);
    const rejectedPath = join(folder, 'faults.lp');
    const limits = { maxPoints: 200, maxBytes: 2_000_000 };
    const delivery = startDelivery({ url: proxy.url, rejectedPath, timeoutMs: 300, limits });
    for (let i = 0; i < 10_000; i += 500) delivery.append(lines('faults', i, 500), 500);
    expect(await delivery.finish(100_000)).toBe(0);
    expect(await stored('faults')).toEqual(steps(10_000));
    expect([...proxy.injected.keys()].sort()).toEqual(FAULTS.filter((fault) => fault !== 'none').sort());
  });

  it('stores every line once although InfluxDB is killed three times under load', async () => {
    const rejectedPath = join(folder, 'killed.lp');
    const delivery = startDelivery({ url: influxdb.url, rejectedPath, timeoutMs: 5000, maxSleepMs: 50 });
    let sent = 0;
    const feeding = setInterval(() => {
      delivery.append(lines('killed', sent, 500), 500);
      sent += 500;
    }, 10);
    try {
      for (let kill = 0; kill < 3; kill += 1) {
        const before = sent;
        await until(() => sent > before + 5000 && sent - delivery.waitingPoints > before);
        await influxdb.kill();
        await until(() => delivery.waitingPoints > 5000);
        await influxdb.restart();
      }
    } finally {
      clearInterval(feeding);
    }
    expect(await delivery.finish(100_000)).toBe(0);
    expect(await stored('killed')).toEqual(steps(sent));
    expect(delivery.said.filter((message) => message === 'points are stored again').length).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['cannot be parsed', 'job_log,job=one line= 5\n', /unable to parse: missing field value/, 1],
    [
      'has another type',
      'job_log,job=one,stream=stdout,user=ann line=5 1700000000000000000\n',
      /field type conflict/,
      2,
    ],
    ['holds a NUL', 'job_log,job=one line=x\0y 5\n', /unable to parse: invalid boolean/, 1],
  ])('finds one point in 100,000 that %s with few requests', async (_name, bad, reason, more) => {
    const proxy = await startProxy();
    const rejectedPath = join(folder, `one-${more}-${bad.length}.lp`);
    const delivery = startDelivery({ url: proxy.url, rejectedPath, timeoutMs: 10_000 });
    for (let i = 0; i < 100_000; i += 1000) {
      delivery.append(lines('one', i, 1000) + (i === 57_000 ? bad : ''), i === 57_000 ? 1001 : 1000);
    }
    expect(await delivery.finish(100_000)).toBe(0);
    expect(await stored('one')).toEqual(steps(100_000));
    const [, comment = '', point] = /^# (.*)\n([^]*)$/.exec(readFileSync(rejectedPath, 'utf8')) ?? [];
    expect([comment, point]).toEqual([expect.stringMatching(reason), bad]);
    // One for each 10,000 points, the rest of them and of a read, and what the bad one costs.
    expect(proxy.writes).toBeLessThanOrEqual(15 + more);
  });
});
