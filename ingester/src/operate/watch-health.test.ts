import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../test/components.js';
import { freePort, type Influxdb, querySeries, startInfluxdb } from '../../../test/influxdb.js';
import { prepareJoblens, until } from '../testing/joblens.js';
import { parsePrometheusText } from './testing/prometheus.js';

describeWith(['influxd'], 'a watching joblens and a real InfluxDB 1.x', () => {
  const joblens = prepareJoblens();
  let influxdb: Influxdb;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });
  afterEach(() => influxdb.restart());
  afterAll(async () => {
    joblens.remove();
    await influxdb.stop();
  });

  const count = async (measurement: string): Promise<number> => {
    const [series] = await querySeries(influxdb.url, `SELECT * FROM "${measurement}"`);
    return series?.values.length ?? 0;
  };

  it('tells how it goes: numbers, an InfluxDB that is away, and that it is back', async () => {
    const logs = mkdtempSync(join(joblens.folder, 'logs-'));
    const health = `127.0.0.1:${await freePort()}`;
    const text = 'line\nother\nline\nlast\n';
    writeFileSync(join(logs, 'a.out'), text);
    const options = ['--mode', 'enabled', '--url', influxdb.url, '--health', health, '--log-format', 'json'];
    const child = joblens.start(['watch', ...options, '--log-level', 'debug', logs]);
    const readAll = async (...names: readonly string[]): Promise<readonly number[]> => {
      const metrics = parsePrometheusText(await (await fetch(`http://${health}/metrics`)).text());
      return names.map((name) => metrics.get(`joblens_${name}`)?.samples.get(`joblens_${name}`) ?? NaN);
    };
    const read = async (name: string): Promise<number> => (await readAll(name))[0] ?? NaN;
    const ask = async (): Promise<number> => (await fetch(`http://${health}/health`)).status;

    await until(() => child.stderr().includes('answering http'));
    // A job that lives writes points at any time, so the numbers are of one instant.
    await until(async () => {
      const [waiting, queued, sent] = await readAll('spool_points', 'points_queued_total', 'points_sent_total');
      return (await count('job_log')) === 4 && waiting === 0 && sent === queued;
    });
    const stored = (await count('job_log')) + (await count('job'));
    expect(await read('output_bytes_total')).toBe(text.length);
    expect(await read('output_lines_total')).toBe(4);
    expect(await read('points_queued_total')).toBeGreaterThanOrEqual(stored);
    expect(await read('sent_bytes_total')).toBeGreaterThan(100);
    expect(await read('jobs')).toBe(1);
    expect([await read('retries_total'), await read('store_up'), await ask()]).toEqual([0, 1, 200]);

    await influxdb.kill();
    appendFileSync(join(logs, 'a.out'), 'while it is away\n');
    await until(async () => (await ask()) === 503 && (await read('retries_total')) > 0);
    expect(await read('spool_points')).toBeGreaterThan(0);
    expect(await read('spool_bytes')).toBeGreaterThan(0);
    await until(async () => (await read('lag_seconds')) > 0.1);
    expect(await read('store_up')).toBe(0);

    await influxdb.restart();
    await until(async () => (await ask()) === 200 && (await read('spool_points')) === 0);
    expect([await read('lag_seconds'), await count('job_log')]).toEqual([0, 5]);

    child.kill('SIGTERM');
    expect((await child.ended).code).toBe(0);
    const said = child
      .stderr()
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    for (const line of said) expect(Object.keys(line)).toEqual(['time', 'level', 'message']);
    const messages = said.map((line) => (line as { message: string }).message);
    expect(messages).toEqual(
      expect.arrayContaining([
        `following ${logs}, logging to InfluxDB at ${influxdb.url}`,
        `answering http://${health}/health and http://${health}/metrics`,
        expect.stringMatching(/^logging job a of \w+, mode enabled$/),
        expect.stringMatching(/^cannot reach InfluxDB/),
        'points are stored again',
      ])
    );
  });

  it('goes on where its address is taken, and says so in one line', async () => {
    const logs = join(joblens.folder, 'taken');
    mkdirSync(logs);
    writeFileSync(join(logs, 'b.out'), 'x\n');
    const health = new URL(influxdb.url).host;
    const out = join(joblens.folder, 'taken.lp');
    const child = joblens.start(['watch', '--mode', 'enabled', '--out', out, '--health', health, logs]);
    await until(() => child.stderr().includes('another process answers there'));
    child.kill('SIGTERM');
    expect((await child.ended).code).toBe(0);
    expect(child.stderr().toString().trimEnd().split('\n')).toHaveLength(1);
  });
});
