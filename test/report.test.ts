import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHeartbeatPoint, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createEventPoint, createJobPoint, type JobDescription } from '@joblens/core/schema/job-point';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import { createSignalEvent } from '@joblens/core/signals/signal-fold';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import type { Point } from '@joblens/core/point/point';
import type { JobReport } from '@joblens/core/report/job-report';
import type { JobSource } from '@joblens/core/schema/measurements';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { querySeries } from './influxdb.js';
import { createInfluxqlClient } from './influxql-client.js';
import { joblens } from './joblens-command.js';

const START_MS = 1_700_000_000_000;
const NS_PER_MS = 1_000_000n;
const GIB = 2 ** 30;

/** The rows of one run of a table, ten seconds apart, and its summary. */
function createTable(source: JobSource, rows: readonly Readonly<Record<string, number>>[], fromMs: number): Point[] {
  const stats = createTableStats();
  const keys = Object.keys(rows[0] ?? {});
  const series = createSeriesName(keys);
  const timeNs = BigInt(fromMs) * NS_PER_MS;
  const points = rows.flatMap((values, i) => {
    const row = new Map(Object.entries(values));
    foldRow(stats, row);
    return createMetadataPoints(source, series, row, timeNs + BigInt(i) * 10_000n * NS_PER_MS);
  });
  const summary = { series, keys, stats, x: 'system.age_s', rows: rows.length, timeNs };
  return [...points, createSeriesPoint(source, summary)];
}

function createUsage(source: JobSource, cores: number, memoryGb: number, fromMs = START_MS): Point[] {
  const rows = Array.from({ length: 6 }, (_, i) => ({
    ...{ 'system.age_s': i * 10, 'system.cpu_cores': cores + (i % 2 === 0 ? 0.5 : -0.5) },
    ...{ 'system.memory_bytes': (memoryGb * GIB * (i + 1)) / 6 },
    ...{ 'system.gpu0_percent': 10 * i, 'system.gpu0_memory_bytes': 2 * GIB },
  }));
  return createTable(source, rows, fromMs);
}

const DESCRIPTION: JobDescription = {
  ...{ name: 'resnet', queue: 'gpu', nodes: 2, requestedCpus: 16, requestedGpus: 2 },
  ...{ requestedMemoryBytes: 64 * GIB, timeLimitS: 86_400, submittedMs: START_MS - 60_000, startedMs: START_MS },
};

function createPoints(): Point[] {
  const job: JobSource = { job: '123_4', user: 'ann' };
  const at = (seconds: number): bigint => BigInt(START_MS + seconds * 1000) * NS_PER_MS;
  const [message, timeNs] = ['a file was not found', at(30)];
  const signal = createSignalEvent({
    ...{ name: 'file-not-found', severity: 'warning', weight: 'cause', stream: 'stderr', message },
    ...{ line: message },
    count: 2,
    timeNs,
    lastNs: timeNs,
  });
  return [
    createJobPoint(job, { ...DESCRIPTION, state: 'RUNNING' }, at(0)),
    createJobPoint(job, { state: 'COMPLETED', exitCode: 0, endedMs: START_MS + 600_000 }, at(600)),
    createEventPoint(job, signal, timeNs),
    ...createTable(
      job,
      [
        { epoch: 1, loss: 0.5 },
        { epoch: 2, loss: 0.25 },
      ],
      START_MS
    ),
    // An earlier run used more.
    ...createUsage({ ...job, task: '0' }, 12, 60, START_MS - 7_200_000),
    ...createUsage({ ...job, task: '0' }, 1, 3),
    ...createUsage({ ...job, task: '1' }, 2, 2.5),
    createJobPoint({ job: '7', user: 'ann' }, { state: 'RUNNING', startedMs: START_MS }, at(0)),
    createJobPoint({ job: '7', user: 'bob' }, { state: 'FAILED', reason: 'disk full' }, at(0)),
  ];
}

describe('joblens report', () => {
  it.each([
    [['report', 'job'], 'joblens report job 123'],
    [['report', 'task', '7'], 'joblens report job 123'],
    [['report', 'job', '7', '8'], 'too many arguments'],
  ])('says how to ask: %j', async (args, how) => {
    const { code, stderr } = await joblens(args, 'http://127.0.0.1:9');
    expect([code, stderr]).toEqual([2, expect.stringContaining(how)]);
  });

  it('says what is missing: an address, or an answer there', async () => {
    expect(await joblens(['report', 'job', '7'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('set INFLUX_HOST') as unknown,
    });
    const { code, stderr } = await joblens(['report', 'job', '7'], 'http://127.0.0.1:9');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot ask http:\/\/127\.0\.0\.1:9: .*INFLUX_HOST/)]);
  });
});

describeWith(['influxd'], 'joblens report on InfluxDB and the embedded store', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(createPoints());
  });
  afterAll(async () => {
    await pair.stop();
  });

  it('tells what the newest run asked for and used, on all its nodes', async () => {
    const text = `\
Job 123_4 of ann: resnet                                               COMPLETED
Time      2023-11-14 22:13:20 started, 2023-11-14 22:23:20 ended
Took      10m of 1d
Waited    1m
Where     queue gpu, 2 nodes

          asked           used
CPU       16              3 on average
Memory    64 GB a node    3 GB at most
GPU       2               25 % busy on average, 2 GB at most

Last values
  epoch 2   loss 0.25

Signals
  warning: a file was not found (2 times)

Advice
  - It asked for 64 GB of memory and used 3 GB: 4 GB would do.
  - It asked for 16 processors and kept 3 busy: ask for fewer, or start more
    workers.
  - Its GPUs were busy 25 % of the time: look for what they wait for, such as
    loading data.
  - It asked for 1d and took 10m: jobs with shorter limits start sooner.
`;
    const ended = await pair.both((url) => joblens(['report', 'job', '123_4'], url));
    expect(ended.influxdb).toEqual({ code: 0, stdout: text, stderr: '' });
    expect(ended.embedded).toEqual(ended.influxdb);
  });

  it('tells the same as JSON', async () => {
    const ended = await pair.both((url) => joblens(['report', 'job', '123_4', '--json'], url));
    expect(JSON.parse(ended.influxdb.stdout) as JobReport).toMatchObject({
      ...{ job: '123_4', user: 'ann', durationS: 600, waitS: 60, values: { epoch: 2, loss: 0.25 } },
      used: { cpuCores: 3, memoryBytes: 3 * GIB, gpus: [{ percent: 25 }, { percent: 25 }] },
    });
    expect(ended.embedded).toEqual(ended.influxdb);
  });

  it('asks for the user where several have a job of this id', async () => {
    const { influxdb, embedded } = await pair.both((url) => joblens(['report', 'job', '7'], url));
    expect([influxdb.code, influxdb.stderr]).toEqual([1, expect.stringMatching(/each have a job 7; give --user NAME/)]);
    expect(embedded).toEqual(influxdb);
    const bob = await pair.both((url) => joblens(['report', 'job', '7', '--user', 'bob'], url));
    expect(bob.influxdb.stdout).toMatch(/^Job 7 of bob +FAILED\nReason +disk full\n/);
    expect(bob.embedded).toEqual(bob.influxdb);
  });

  it('says so when there is no such job, or no such database', async () => {
    const none = await pair.both((url) => joblens(['report', 'job', '8'], url));
    expect([none.influxdb.code, none.influxdb.stderr]).toEqual([
      1,
      expect.stringContaining('no job 8 is stored there'),
    ]);
    expect(none.embedded).toEqual(none.influxdb);
    const { code, stderr } = await joblens(['report', 'job', '7', '--bucket', 'other'], pair.influxdb.url);
    expect([code, stderr]).toEqual([1, expect.stringContaining('check INFLUX_HOST and INFLUX_BUCKET')]);
  });

  const MORNING = ['--after', '2026-11-20T00:00Z', '--before', '2026-11-20T06:00Z'];
  const MORNING_MS = Date.parse('2026-11-20T00:00:00Z');

  /** Waits an hour, and runs for two on two nodes with 8 processors each; its end is at four o'clock. */
  function createRun(source: JobSource, toState: string): Point[] {
    const size = { origin: 'slurm', account: 'physics', nodes: 2, cpus: 16 } as const;
    const at = (hour: number): bigint => BigInt(MORNING_MS + hour * 3_600_000) * NS_PER_MS;
    const ended = { fromState: 'RUNNING', toState, runtimeS: 7200, startedMs: MORNING_MS + 2 * 3_600_000 };
    return [
      createTransitionPoint(source, { ...size, toState: 'PENDING' }, at(1)),
      createTransitionPoint(source, { ...size, fromState: 'PENDING', toState: 'RUNNING', waitS: 3600 }, at(2)),
      createTransitionPoint(source, { ...size, ...ended }, at(4)),
      createJobPoint(
        source,
        { state: toState, tags: { project: source.job }, schedulerId: `${source.job}.batch` },
        at(4)
      ),
      ...[1, 2, 3].map((hour) =>
        createHeartbeatPoint(source, HEARTBEAT_GRIDS[0], MORNING_MS + hour * 3_600_000, { state: 'RUNNING' })
      ),
    ];
  }

  it.each<[args: readonly string[], csv: readonly string[]]>([
    [['throughput'], ['from,to,COMPLETED,COMPLETED_in_all', '00,03,0,0', '03,06,1,1']],
    [
      ['throughput', '--to-state', 'failed', '--to-state', 'COMPLETED'],
      ['from,to,FAILED,FAILED_in_all,COMPLETED,COMPLETED_in_all', '00,03,0,0,0,0', '03,06,1,1,1,1'],
    ],
    [
      ['throughput', '--from-state', 'running', '--scheduler-id', 'good.batch'],
      ['from,to,COMPLETED,COMPLETED_in_all', '00,03,0,0', '03,06,1,1'],
    ],
    [['throughput', '--from-state', 'PENDING'], ['from,to']],
    [['throughput', '--scheduler-id', 'bad.batch'], ['from,to']],
    [['utilization'], ['from,to,mean,peak,at_end', '00,03,1.3333333333333333,4,4', '03,06,1.3333333333333333,4,0']],
    [
      ['utilization', '--weight', 'jobs', '--job', 'good'],
      ['from,to,mean,peak,at_end', '00,03,0.3333333333333333,1,1', '03,06,0.3333333333333333,1,0'],
    ],
    [
      ['nodes', '--tag', 'project=bad'],
      ['from,to,mean,peak,at_end', '00,03,0.6666666666666666,2,2', '03,06,0.6666666666666666,2,0'],
    ],
    [['nodes', '--tag', 'project=none'], ['from,to']],
    [['waits'], ['from,to,jobs,median_s,p90_s,max_s,mean_s', '00,03,2,3600,3600,3600,3600']],
    [
      ['states', '--to-state', 'RUNNING'],
      ['from,to,RUNNING', '00,03,2', '03,06,0'],
    ],
    [
      ['usage'],
      [
        'user,account,state,runs,node_hours,core_hours,gpu_hours,job_hours,wasted',
        'ann,physics,COMPLETED,1,4,32,0,2,false',
        'bob,physics,FAILED,1,4,32,0,2,true',
      ],
    ],
    [
      ['usage', '--user', 'bob', '--before', '2026-11-20T03:00Z'],
      [
        'user,account,state,runs,node_hours,core_hours,gpu_hours,job_hours,wasted',
        'bob,physics,RUNNING,1,2,16,0,1,false',
      ],
    ],
    [
      ['utilization', '--each', '--user', 'ann'],
      ['time,curve,value', '00,utilization,0', '02,utilization,2', '04,utilization,0', '06,utilization,0'],
    ],
    [
      ['waits', '--each', '--user', 'ann'],
      ['started,job,user,wait_s', '02,good,ann,3600'],
    ],
  ])('reports on the jobs of a range: %j', async (args, csv) => {
    const ended = await pair.both(async (url) => {
      await createInfluxqlClient(url).write([
        ...createRun({ job: 'good', user: 'ann' }, 'COMPLETED'),
        ...createRun({ job: 'bad', user: 'bob' }, 'FAILED'),
      ]);
      return joblens(['report', ...MORNING, '--step', '3h', '--csv', ...args], url);
    });
    const hours = ended.influxdb.stdout.replace(/2026-11-20T(\d\d):00:00Z/g, '$1');
    expect({ ...ended.influxdb, stdout: hours.trimEnd().split('\n') }).toEqual({ code: 0, stdout: csv, stderr: '' });
    expect(ended.embedded).toEqual(ended.influxdb);
  });

  it.each([
    [['usage', '--each'], '--each is for curves'],
    [['waits', '--weight', 'gpus'], '--weight is for utilization'],
    [['job', '7', '--csv'], 'text or --json'],
    [['waits', '--step', '0h'], 'a length of time such as'],
    [['waits', '--from-state', 'PENDING'], '--from-state is for throughput'],
    [['waits', 'x'], 'throughput, utilization'],
    [['utilization', '--step', '10ms', '--after', '7d'], 'give --step 31s or more, or a shorter range'],
    [['states', '--each', '--step', '1s', '--after', '365d'], 'at most 20000 are printed'],
  ])('refuses %j', async (args, reason) => {
    const { code, stderr } = await joblens(['report', ...args], 'http://127.0.0.1:9');
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });

  it('tells of a job that was run with --metrics', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'joblens-report-'));
    // It works until the store has a row of what it used.
    const program = 'while (!require("fs").existsSync(process.argv[1])); console.log(\'{"loss": 0.5}\')';
    await pair.both(async (url) => {
      const options = ['--mode', 'enabled', '--job', 'real', '--metrics', '--metrics-interval', '1'];
      const stop = join(folder, `measured-${new URL(url).port}`);
      const ended = joblens(['run', ...options, '--', process.execPath, '-e', program, stop], url);
      const rows = `SELECT "system.cpu_cores" FROM "job_metadata" WHERE "job" = 'real'`;
      while ((await querySeries(url, rows)).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      writeFileSync(stop, '');
      expect((await ended).code).toBe(0);
      const report = JSON.parse((await joblens(['report', 'job', 'real', '--json'], url)).stdout) as JobReport;
      expect(report).toMatchObject({ state: 'COMPLETED', exitCode: 0, values: { loss: 0.5 }, asked: {} });
      expect(report.used?.cpuCores).toBeGreaterThan(0.02);
      expect(report.used?.cpuCores).toBeLessThan(3);
      expect(report.used?.memoryBytes).toBeGreaterThan(1e6);
    });
    rmSync(folder, { recursive: true });
  });
});
