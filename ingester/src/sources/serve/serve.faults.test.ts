import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InfluxDB, Point } from '@influxdata/influxdb-client';
import { describeWith } from '../../../../test/components.js';
import { type Influxdb, querySeries, startInfluxdb } from '../../../../test/influxdb.js';
import { pythonPath } from '../../../../test/python.js';
import { parsePrometheusText } from '../../operate/testing/prometheus.js';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { startServe } from './testing/started-serve.js';
const run = promisify(execFile);

const PYTELEGRAF = `
import sys
from telegraf.client import TelegrafClient, HttpClient
udp = TelegrafClient(host='127.0.0.1', port=int(sys.argv[1]), tags={'job': '7'})
udp.metric('py_int', 3, tags={'user': 'ann'})
udp.metric('py_int', 3.5, tags={'user': 'ann'})
udp.metric('py_many', {'a': 1, 'b': 2.5, 'c': True, 'd': 'say "hi", ok', 'e': 'a=b c'})
udp.metric('py_nan', float('nan'))
udp.metric('py_big', 2 ** 70)
udp.metric('py_time', 5, timestamp=1700000000000000000)
http = HttpClient(host='127.0.0.1', port=int(sys.argv[2]), tags={'job': '7'})
http.metric('py_http', {'x': 3, 'y': 'text'}, tags={'rank': 'a b'})
http.future_session.executor.shutdown(wait=True) if hasattr(http, 'future_session') else None
`;

describeWith(['influxd'], 'joblens serve and a real InfluxDB 1.x', () => {
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

  let count = 0;
  const newArgs = (): string[] => {
    const folder = join(joblens.folder, `serve-${(count += 1)}`);
    return ['--url', influxdb.url, '--spool', join(folder, 'spool'), '--rejected', join(folder, 'rejected.lp')];
  };

  async function query(q: string): Promise<readonly (readonly unknown[])[]> {
    return (await querySeries(influxdb.url, q, { epoch: 'ns' })).flatMap(({ values }) => values);
  }
  /** The values of a field in the order of their times. */
  const valuesOf = async (measurement: string): Promise<unknown[]> =>
    (await query(`SELECT "f" FROM "${measurement}"`)).map(([, value]) => value);

  it('has lost nothing that it said to be safe after it and InfluxDB were killed again and again', async () => {
    const args = newArgs();
    let next = 0;
    const safe = new Set<number>();
    for (let life = 0; life < 8; life += 1) {
      const serve = await startServe(joblens, args);
      if (life % 3 === 1) await influxdb.kill();
      const killAt = next + 20 + life * 7;
      const write = async (): Promise<void> => {
        while (next < killAt) {
          const first = (next += 1) * 10;
          const body = Array.from({ length: 10 }, (_, i) => `killed f=${first + i} ${first + i}`).join('\n');
          const answer = await serve.post('/write', body).catch(() => undefined);
          if (answer?.status === 204) for (let i = 0; i < 10; i += 1) safe.add(first + i);
        }
      };
      const writers = [write(), write(), write()];
      await until(() => next >= killAt - 5);
      serve.process.kill('SIGKILL');
      await Promise.all([...writers, serve.process.ended]);
      if (life % 3 === 2) await influxdb.restart();
    }
    await influxdb.kill();
    await influxdb.restart();
    const last = await startServe(joblens, args);
    await last.post('/write', 'killed f=1 1');
    await until(async () => (await valuesOf('killed')).includes(1));
    expect(await last.stop()).toBe(0);
    await joblens.run(['drain', ...args.slice(0, 4)]);
    const stored = await valuesOf('killed');
    expect(safe.size).toBeGreaterThan(500);
    expect([...safe].filter((value) => !stored.includes(value))).toEqual([]);
    // Written once each, with the value that belongs to its time.
    expect(await query('SELECT "f" FROM "killed"')).toEqual(stored.map((value) => [value, value]));
  });

  it('sends away, holds back or drops what comes while the spool is full, says so, and goes on', async () => {
    const args = [...newArgs(), '--spool-size', '1', '--health', '0'];
    const serve = await startServe(joblens, args);
    const findHealth = (): string | undefined =>
      /answering (http:\S+)\/health/.exec(serve.process.stderr().toString())?.[1];
    await until(() => findHealth() !== undefined);
    const health = findHealth() ?? '';
    await influxdb.kill();
    const filler = 'x'.repeat(500);
    const safe: number[] = [];
    let refused: Response | undefined;
    for (let i = 1; refused === undefined; i += 100) {
      const values = Array.from({ length: 100 }, (_, k) => i + k);
      const answer = await serve.post('/write', values.map((f) => `full f=${f},g="${filler}" ${f}`).join('\n'));
      if (answer.status === 204) safe.push(...values);
      else refused = answer;
    }
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toEqual({ error: 'the spool is full: send it again later' });
    expect((await fetch(`${health}/health`)).status).toBe(503);

    const socket = connect(serve.tcpPort, '127.0.0.1');
    const lines = Array.from({ length: 40_000 }, (_, i) => `tcp f=${i + 1},g="${filler}" ${i + 1}\n`);
    let isWritten = false;
    const written = new Promise<void>((resolve) => socket.end(lines.join(''), resolve)).then(() => (isWritten = true));
    await serve.sendDatagrams(...Array.from({ length: 15_000 }, (_, i) => `udp f=${i + 1},g="${filler}" ${i + 1}`));
    const read = async (name: string): Promise<number> => {
      const metrics = parsePrometheusText(await (await fetch(`${health}/metrics`)).text());
      return metrics.get(`joblens_${name}`)?.samples.get(`joblens_${name}`) ?? NaN;
    };
    await until(async () => (await read('points_dropped_total')) + (await read('datagrams_lost_total')) > 0);
    expect(isWritten).toBe(false);
    const memory = parsePrometheusText(await (await fetch(`${health}/metrics`)).text());
    expect(memory.get('process_resident_memory_bytes')?.samples.get('process_resident_memory_bytes')).toBeLessThan(
      200e6
    );

    await influxdb.restart();
    await written;
    await until(async () => (await read('spool_points')) === 0 && (await valuesOf('tcp')).length === 40_000);
    expect((await serve.post('/write', 'full f=0 0')).status).toBe(204);
    // Every datagram is stored or counted; losses are looked for now and then.
    const uncounted = async (): Promise<number> =>
      15_000 -
      (await valuesOf('udp')).length -
      (await read('points_dropped_total')) -
      (await read('datagrams_lost_total'));
    await until(async () => (await uncounted()) <= 0);
    expect(await serve.stop()).toBe(0);
    // The beginning of the refused body may be stored: the whole body is sent again.
    const stored = await valuesOf('full');
    expect(stored.slice(0, safe.length + 1)).toEqual([0, ...safe]);
    expect(stored.length).toBeLessThanOrEqual(safe.length + 1 + 100);
    expect(await valuesOf('tcp')).toEqual(lines.map((_, i) => i + 1));
    const said = serve.process.stderr().toString();
    expect(said).toMatch(
      /^joblens: no room for points that come to udp:\/\/[^\n]*: they wait in memory, and will soon be dropped$/m
    );
    expect(said).toMatch(
      /^joblens: there is room again for points that come to udp:\/\/[^\n]*; \d+ lines were dropped$/m
    );
  });

  it('makes floats of integers, and keeps aside what InfluxDB rejects', async () => {
    const args = newArgs();
    const serve = await startServe(joblens, args);
    for (const body of [
      'types f=1i 1',
      'types f=2.5 2',
      'types f="text" 3\ntypes f=4 4',
      'types,time=1 f=5 5\ntypes f=6i 6',
    ]) {
      expect((await serve.post('/write', body)).status).toBe(204);
    }
    await until(async () => (await valuesOf('types')).length === 4);
    expect(await valuesOf('types')).toEqual([1, 2.5, 4, 6]);
    expect(await serve.stop()).toBe(0);
    const kept = readFileSync(args[5] ?? '', 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(kept).toEqual(['types f="text" 3', 'types,time=1 f=5 5', '']);
  });

  it('takes what another joblens sends, which is then stored as if sent directly', async () => {
    const serve = await startServe(joblens, newArgs());
    const log = 'a line\n{"loss": 0.5, "name": "é\\n\\"x\\""}\n{"loss": 1, "name": null}\n50%\r100%\n';
    const pipe = (url: string): Promise<unknown> =>
      joblens.run(['pipe', '--mode', 'enabled', '--job', 'via', '--user', 'ann', '--url', url], log);
    const read = async (): Promise<string> => {
      const rows = await Promise.all(
        ['job_log', 'job_metadata', 'job_metadata_text', 'job_series'].map((name) => query(`SELECT * FROM "${name}"`))
      );
      return JSON.stringify(rows.map((of) => of.map(([, ...values]) => values)));
    };
    await pipe(influxdb.url);
    const direct = await read();
    expect(direct).toContain('100%');
    await query('DROP SERIES FROM /.*/');
    expect(await read()).not.toContain('100%');
    await pipe(serve.httpUrl);
    await until(async () => (await read()) === direct);
    expect(await serve.stop()).toBe(0);
  });

  it("takes what InfluxDB's own client sends, packed", async () => {
    const serve = await startServe(joblens, newArgs(), { JOBLENS_SERVE_TOKEN: 'secret' });
    const client = new InfluxDB({ url: serve.httpUrl, token: 'secret' });
    const api = client.getWriteApi('org', 'joblens', 'ms', { gzipThreshold: 1 });
    for (let i = 1; i <= 1000; i += 1) {
      api.writePoint(new Point('client').tag('host', 'a b').intField('f', i).stringField('s', 'x"y\\z').timestamp(i));
    }
    await api.close();
    await until(async () => (await valuesOf('client')).length === 1000);
    expect(await query('SELECT "f", "s", "host" FROM "client" WHERE time >= 1000ms')).toEqual([
      [1_000_000_000, 1000, 'x"y\\z', 'a b'],
    ]);
    expect(await serve.stop()).toBe(0);
  });

  describeWith(['pytelegraf'], 'and pytelegraf', () => {
    it('takes what it sends by UDP and HTTP', async () => {
      const args = newArgs();
      const serve = await startServe(joblens, args);
      const { port } = new URL(serve.httpUrl);
      await run(pythonPath(), ['-c', PYTELEGRAF, String(serve.udpPort), port]);
      await until(async () => (await query('SELECT * FROM "py_time", "py_http"')).length === 2);
      // An integer and then a float: InfluxDB would reject the second.
      expect((await query('SELECT "value", "job", "user" FROM "py_int"')).map(([, ...row]) => row)).toEqual([
        [3, '7', 'ann'],
        [3.5, '7', 'ann'],
      ]);
      expect((await query('SELECT "a", "b", "c", "d", "e" FROM "py_many"')).map(([, ...row]) => row)).toEqual([
        [1, 2.5, 'true', 'say "hi", ok', 'a=b c'],
      ]);
      expect(await query('SELECT "value" FROM "py_time"')).toEqual([[1_700_000_000_000_000_000, 5]]);
      expect((await query('SELECT "x", "y", "rank" FROM "py_http"')).map(([, ...row]) => row)).toEqual([
        [3, 'text', 'a b'],
      ]);
      expect(await serve.stop()).toBe(0);
      expect(readFileSync(args[5] ?? '', 'utf8')).toMatch(
        /^# invalid number .*\npy_nan,job=7 value=nan\n# unable to parse integer .*\npy_big,/
      );
    });
  });
});
