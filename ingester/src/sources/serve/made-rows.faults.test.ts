import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeWith } from '../../../../test/components.js';
import { type Influxdb, querySeries, startInfluxdb } from '../../../../test/influxdb.js';
import { pythonPath } from '../../../../test/python.js';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { type StartedServe, startServe } from './testing/started-serve.js';

const run = promisify(execFile);

/** The three calls of pytelegraf's documentation, as the job monitor makes them. */
const PYTELEGRAF = `
import os, sys
from telegraf.client import TelegrafClient, HttpClient
tags = {'job_id': os.environ['SLURM_JOB_ID'], 'user': "o'hara (ann)"}
client = TelegrafClient(host='127.0.0.1', port=int(sys.argv[1]), tags=tags)
client.metric('some_metric', 123)
client.metric('training_loss', {'value': 0.45, 'iteration': 1})
client.metric('training_loss', {'value': 0.25, 'iteration': 2}, tags={'server_name': 'my server'})
http = HttpClient(host='127.0.0.1', port=int(sys.argv[2]), tags=tags)
http.metric('validation', {'done': True, 'note': 'text'})
http.future_session.executor.shutdown(wait=True) if hasattr(http, 'future_session') else None
`;

const JOB = '-7.4 (x)';
const OF_JOB = ['--user', "o'hara (ann)"];

describeWith(['influxd'], 'rows of jobs that serve makes of points', () => {
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
  const newArgs = (url = influxdb.url): string[] => {
    const folder = join(joblens.folder, `serve-${(count += 1)}`);
    return ['--url', url, '--spool', join(folder, 'spool'), '--rejected', join(folder, 'rejected.lp')];
  };

  async function query(q: string): Promise<readonly (readonly unknown[])[]> {
    return (await querySeries(influxdb.url, q, { epoch: 'ns' })).flatMap(({ values }) => values);
  }

  async function countIn(measurement: string, job: string, field: string): Promise<number> {
    const [row] = await query(`SELECT count("${field}") FROM "${measurement}" WHERE "job" = '${job}'`);
    return Number(row?.[1] ?? 0);
  }

  /** The sum of all summaries of a job. */
  async function sumSummaries(job: string): Promise<number> {
    const [row] = await query(`SELECT sum("rows") FROM "job_series" WHERE "job" = '${job}'`);
    return Number(row?.[1] ?? 0);
  }

  async function print(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await joblens.run([...args], '', { INFLUX_HOST: influxdb.url });
    expect([code, stderr]).toEqual([0, '']);
    return stdout.toString().trimEnd();
  }

  const read = async (...args: readonly string[]): Promise<unknown[]> =>
    (await print(...args)).split('\n').map((line) => JSON.parse(line) as unknown);

  describeWith(['pytelegraf'], 'from pytelegraf', () => {
    it('are read by all commands', async () => {
      const serve = await startServe(joblens, newArgs());
      const env = { ...process.env, SLURM_JOB_ID: JOB };
      await run(pythonPath(), ['-c', PYTELEGRAF, String(serve.udpPort), new URL(serve.httpUrl).port], { env });
      await until(async () => (await sumSummaries(JOB)) === 4);
      expect(await serve.stop()).toBe(0);

      expect(await read('jobs', '--json')).toMatchObject([{ job: JOB, user: "o'hara (ann)" }]);
      const rows = await read('metadata', '--json', ...OF_JOB, '--', JOB);
      expect(rows).toHaveLength(4);
      expect(rows).toEqual(
        expect.arrayContaining([
          { some_metric: 123 },
          { iteration: 1, training_loss: 0.45 },
          { iteration: 2, training_loss: 0.25, server_name: 'my server' },
          { done: 1, note: 'text' },
        ])
      );
      expect(JSON.parse(await print('report', '--json', 'job', ...OF_JOB, '--', JOB))).toMatchObject({
        values: { some_metric: 123, training_loss: 0.25, done: 1 },
      });
      expect(await read('export', '--table', 'server_name', ...OF_JOB, '--', JOB)).toHaveLength(1);
      expect(await print('plot', '--', JOB, 'training_loss')).toContain('training_loss');
      // The points are where they were sent to as well.
      expect(await query('SELECT "value" FROM "some_metric"')).toEqual([[expect.anything(), 123]]);
    });
  });

  /** Sends a body until it is taken, as Telegraf does. */
  async function sendSurely(find: () => StartedServe, body: string): Promise<void> {
    await until(async () => {
      const answer = await find()
        .post('/write', body)
        .catch(() => undefined);
      return answer?.status === 204;
    });
  }

  it('are stored and counted once, however often serve is killed and a batch is sent again', async () => {
    const args = newArgs();
    let serve = await startServe(joblens, args);
    const sent: Record<string, number> = {};
    let isDone = false;
    const send = async (rank: number): Promise<void> => {
      for (let batch = 0; batch < 60; batch += 1) {
        const lines = Array.from({ length: 50 }, (_, i) => {
          const at = batch * 50 + i;
          return `killed,job=k.1,rank=${rank} step=${at}i,value=${Math.sin(at)} ${1_700_000_000_000_000_000n + BigInt(at)}`;
        });
        await sendSurely(() => serve, lines.join('\n'));
        sent[rank] = (batch + 1) * 50;
      }
    };
    let life = 0;
    const kill = async (): Promise<void> => {
      for (; !isDone; life += 1) {
        const seen = Object.values(sent).reduce((sum, each) => sum + each, 0);
        await until(() => isDone || Object.values(sent).reduce((sum, each) => sum + each, 0) >= seen + 500);
        serve.process.kill('SIGKILL');
        await serve.process.ended;
        if (life % 3 === 1) await influxdb.kill();
        serve = await startServe(joblens, args);
        if (life % 3 === 1) await influxdb.restart();
      }
    };
    const sending = Promise.all([send(0), send(1)]).finally(() => (isDone = true));
    await Promise.all([sending, kill()]);
    // A server that was started anew may need longer than `serve` waits at its end.
    await until(async () => (await countIn('job_metadata', 'k.1', 'killed')) === 6000);
    expect(await serve.stop()).toBe(0);
    expect(life).toBeGreaterThan(3);
    expect(await countIn('job_metadata', 'k.1', 'killed')).toBe(6000);
    expect(await query(`SELECT "rows" FROM "job_series" WHERE "job" = 'k.1'`)).toEqual([
      [1_700_000_000_000_000_000, 3000],
      [1_700_000_000_000_000_000, 3000],
    ]);
    const means = await query(
      `SELECT "step" FROM "job_metadata_bucket" WHERE "job" = 'k.1' AND "bucket_level" = '2' AND "bucket_stat" = 'min'`
    );
    expect(means.map(([, step]) => step)).toEqual([0, 0, 1024, 1024]);
  });

  it('are made once of a point that goes through two of them', async () => {
    const second = await startServe(joblens, newArgs());
    const first = await startServe(joblens, [...newArgs(second.httpUrl), '--user', 'bob']);
    await first.post('/write', 'chained,job=c value=1 1700000000000000000');
    await until(async () => (await sumSummaries('c')) === 1);
    await first.stop();
    await second.stop();
    expect(await query(`SELECT "chained", "user" FROM "job_metadata" WHERE "job" = 'c'`)).toEqual([
      [1_700_000_000_000_000_000, 1, 'bob'],
    ]);
    expect(await query('SELECT "value", "job" FROM "chained"')).toEqual([[1_700_000_000_000_000_000, 1, 'c']]);
  });

  it('are made of the tags that are named', async () => {
    const serve = await startServe(joblens, [...newArgs(), '--job-tag', 'trial', '--job-tag', 'run']);
    await serve.post('/write', 'named,job=n1 value=1\nnamed,run=n2 value=2\nnamed,run=n3,trial=n4 value=3');
    await until(async () => (await query('SELECT "value" FROM "named"')).length === 3);
    await serve.stop();
    const jobs = await query(`SHOW TAG VALUES FROM "job_series" WITH KEY = "job" WHERE "job" =~ /^n/`);
    expect(jobs.map(([, job]) => job)).toEqual(['n2', 'n4']);
  });

  it('are all there of what the socket took at 10,000 points a second', async () => {
    const serve = await startServe(joblens, [...newArgs(), '--health', '0']);
    const socket = createSocket('udp4');
    const [points, beganMs] = [30_000, performance.now()];
    for (let i = 0; i < points; i += 1) {
      const line = `training_loss,job_id=fast,rank=${i % 4} iteration=${i}i,value=${1 / (1 + i)}`;
      await new Promise<void>((resolve) => socket.send(line, serve.udpPort, '127.0.0.1', () => resolve()));
      const aheadMs = i / 10 - (performance.now() - beganMs);
      if (aheadMs > 5) await new Promise((resolve) => setTimeout(resolve, aheadMs));
    }
    socket.close();
    const findHealth = (): string | undefined =>
      /answering (http:\S+)\/health/.exec(serve.process.stderr().toString())?.[1];
    const readLost = async (): Promise<number> => {
      const metrics = await (await fetch(`${findHealth()}/metrics`)).text();
      return Number(/^joblens_datagrams_lost_total (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    const countStored = async (): Promise<number> => {
      const [row] = await query(`SELECT count("value") FROM "training_loss" WHERE "job_id" = 'fast'`);
      return Number(row?.[1] ?? 0);
    };
    await until(async () => (await countStored()) + (await readLost()) >= points);
    expect(await serve.stop()).toBe(0);
    const taken = await countStored();
    expect([await countIn('job_metadata', 'fast', 'iteration'), await sumSummaries('fast')]).toEqual([taken, taken]);
  });
});
