import { createHeartbeatPoint, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createEventPoint, createJobPoint } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import type { Point } from '@joblens/core/point/point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { type Ended, joblens } from './joblens-command.js';

const START_MS = 1_700_000_000_000;
const toNs = (timeMs: number): bigint => BigInt(timeMs) * 1_000_000n;

const ROWS_ALONE = "-rows (o'hara).1";
const SHARED = 'shared "7".x';

type Row = Readonly<Record<string, number | string>>;

/** Rows of a program that describes neither job nor tables. */
function createRows(source: JobSource, series: string, rows: readonly Row[]): Point[] {
  return rows.flatMap((row, i) =>
    createMetadataPoints(source, series, new Map(Object.entries(row)), toNs(START_MS + 1000 * i))
  );
}

const PARTLY = "partly 'x'";

/** A table that is described, and others that are not: of numbers, of texts alone, and of a task of its own. */
function createPartlyDescribed(): Point[] {
  const source = { job: PARTLY, user: 'ann' };
  const [first = {}] = LOSSES;
  const keys = Object.keys(first);
  const stats = createTableStats();
  for (const row of LOSSES) foldRow(stats, new Map(Object.entries(row)));
  return [
    ...createRows(source, 'mine', LOSSES),
    createSeriesPoint(source, { series: 'mine', keys, stats, x: 'step', rows: LOSSES.length, timeNs: toNs(START_MS) }),
    ...createRows(source, 'other', [{ speed: 7 }, { speed: 8 }]),
    ...createRows(source, 'notes', [{ note: 'text alone' }]),
    ...createRows({ ...source, task: '3' }, 'mine', LOSSES.slice(0, 4)),
  ];
}

const LOOSE = 'loose';

/** What a program leaves that does not say whose job it is. */
function createNobodys(job: string): Point[] {
  const source = { job, user: 'nobody' };
  const points = [
    ...createRows(source, 'mine', LOSSES.slice(0, 2)),
    ...createRows(source, 'notes', [{ note: 'of nobody' }]),
    ...createLogPoints(source, { stream: 'stdout', kind: 'output', line: 'of nobody', timeNs: toNs(START_MS) }),
  ];
  return points.map((point) => ({ ...point, tags: new Map([...point.tags].filter(([name]) => name !== 'user')) }));
}

const ANN: JobSource = { job: ROWS_ALONE, user: 'ann' };
const LOSSES = Array.from({ length: 12 }, (_, step): Row => ({ step, 'loss (x)': 1 / (1 + step) }));

/** The changes of state of 39 jobs, as Balsam's example has them; half of them belong to one workflow. */
const BALSAM = Array.from({ length: 39 }, (_, i): Point[] => {
  const source = { job: `b-${i}`, user: i % 2 === 0 ? 'ann' : 'bob' };
  const state = (fromState: string, toState: string, seconds: number): Point =>
    createEventPoint(
      source,
      { topic: 'state', fromState, toState, data: { num_nodes: 2 } },
      toNs(START_MS + 1000 * (i + seconds))
    );
  const labels = { tags: { flow: i < 20 ? 'a b' : 'c' }, schedulerId: `${i % 3}.s` };
  return [
    createJobPoint(source, labels, toNs(START_MS + 1000 * i)),
    state('READY', 'RUNNING', 100),
    state('RUNNING', 'RUN_DONE', 200),
  ];
}).flat();

const POINTS: readonly Point[] = [
  ...createRows(ANN, 'mine', LOSSES),
  ...createRows(ANN, 'notes', [{ note: 'a, "b"' }]),
  ...BALSAM,
  // Ann's job of this id is described, there are rows alone of bob's, and events alone of zoe's.
  createJobPoint(
    { job: SHARED, user: 'ann' },
    { state: 'FAILED', startedMs: START_MS, endedMs: START_MS + 9 },
    toNs(START_MS)
  ),
  ...createLogPoints(
    { job: SHARED, user: 'ann' },
    { stream: 'stdout', kind: 'output', line: 'of ann', timeNs: toNs(START_MS) }
  ),
  ...createRows({ job: SHARED, user: 'bob b.' }, 'mine', LOSSES.slice(0, 3)),
  createEventPoint({ job: SHARED, user: 'zoe' }, { topic: 'mine', data: {} }, toNs(START_MS)),
  ...createPartlyDescribed(),
  // Points of a program that names no user, alone and beside a job of ann's.
  ...createNobodys(LOOSE),
  ...createNobodys('loose too'),
  ...createRows({ job: LOOSE, user: 'ann' }, 'mine', LOSSES.slice(0, 5)),
  createJobPoint({ job: LOOSE, user: 'ann' }, { state: 'COMPLETED', startedMs: START_MS }, toNs(START_MS)),
  // Two jobs of one id, of which one alone has the tag.
  ...['ann', 'bob'].flatMap((user): Point[] => [
    createJobPoint({ job: 'tagged', user }, { tags: { only: user } }, toNs(START_MS)),
    createEventPoint(
      { job: 'tagged', user },
      {
        topic: 'state',
        fromState: 'RUNNING',
        toState: 'COMPLETED',
        data: { nodes: user === 'ann' ? 3 : 5, runtime_s: 3600 },
      },
      toNs(START_MS + 7_200_000)
    ),
  ]),
  // A program that writes its states in its own way.
  ...(['RUNNING', 'done (ok) "1"'] as const).map((toState, at) =>
    createEventPoint(
      { job: '-small', user: 'ann' },
      { topic: 'state', toState, data: { runtime_s: 3600 } },
      toNs(START_MS + 3_600_000 * at)
    )
  ),
  // A job with heartbeats, so that lists need not look for others.
  ...HEARTBEAT_GRIDS.map((grid) =>
    createHeartbeatPoint({ job: 'own', user: 'ann' }, grid, START_MS - (START_MS % grid.slotMs), {
      ...{ state: 'RUNNING', startedMs: START_MS },
    })
  ),
];

describeWith(['influxd'], 'what other programs wrote, in the shell', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(POINTS);
  });
  afterAll(() => pair.stop());

  /** Both stores give the same. */
  async function print(...args: readonly string[]): Promise<Ended> {
    const { influxdb, embedded } = await pair.both((url) => joblens(args, url));
    expect(embedded).toEqual(influxdb);
    return influxdb;
  }

  it('metadata prints the rows of tables that nobody has described', async () => {
    const { code, stdout } = await print('metadata', '--json', '--', ROWS_ALONE);
    expect(code).toBe(0);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
    expect(rows).toHaveLength(13);
    expect(rows).toEqual(expect.arrayContaining([...LOSSES, { note: 'a, "b"' }]));
    const tables = await print('metadata', '--tables', '--csv', '--', ROWS_ALONE);
    expect(tables.stdout.trimEnd().split('\n')).toHaveLength(3);
  });

  it('export writes them', async () => {
    const { code, stdout } = await print('export', '--table', 'step', '--', ROWS_ALONE);
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Row)
    ).toEqual(LOSSES);
  });

  it('plot draws them', async () => {
    const { code, stdout } = await print('plot', '--x', 'step', '--', ROWS_ALONE, 'loss (x)');
    expect([code, stdout]).toEqual([0, expect.stringContaining('loss (x)')]);
    expect((await print('plot', '--', ROWS_ALONE)).code).toBe(0);
  });

  it('report job has their last values', async () => {
    const { code, stdout } = await print('report', '--json', 'job', '--', ROWS_ALONE);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ job: ROWS_ALONE, user: 'ann', values: { step: 11, 'loss (x)': 1 / 12, note: 'a, "b"' } },
    });
  });

  const RANGE = ['--after', '2023-11-14T22:00:00Z', '--before', '2023-11-15T22:00:00Z', '--csv'];
  const sum = (stdout: string, column: string): number => {
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    const at = head.split(',').indexOf(column);
    return rows.reduce((total, row) => total + Number(row.split(',')[at]), 0);
  };

  it.each([
    [[], 39],
    [['--tag', 'flow=a b'], 20],
    [['--tag', 'flow=c'], 19],
    [['--tag', 'flow=none'], 0],
    [['--scheduler-id', '0.s'], 13],
    [['--scheduler-id', '0.s', '--tag', 'flow=a b'], 7],
    [['--tag', 'flow=a b', '--user', 'bob'], 10],
    [['--tag', 'flow=a b', '--job', 'b-3', '--job', 'b-30'], 1],
  ])('report throughput %j counts jobs that have events alone: %d', async (options, jobs) => {
    const { code, stdout } = await print('report', 'throughput', '--to-state', 'RUN_DONE', ...RANGE, ...options);
    expect([code, sum(stdout, 'RUN_DONE') || 0]).toEqual([0, jobs]);
  });

  it.each(['throughput', 'usage', 'states'])('report %s finds a state as its writer spells it', async (report) => {
    const state = 'done (ok) "1"';
    const found = await print('report', report, '--to-state', state, '--job=-small', ...RANGE);
    expect([found.code, found.stdout.includes(state.replaceAll('"', '""'))]).toEqual([0, true]);
    const events = await print('events', '--to-state', state, ...RANGE);
    expect(events.stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  it('report --tag is of the one of two jobs of an id that has the tag', async () => {
    const usage = await print('report', 'usage', '--tag', 'only=bob', ...RANGE);
    expect([usage.code, sum(usage.stdout, 'node_hours')]).toEqual([0, 5]);
  });

  it.each([
    ['report', 'job', SHARED],
    ['metadata', SHARED],
    ['plot', SHARED],
    ['export', SHARED],
    ['log', SHARED],
  ])('%s %s asks whose job is meant, whatever is stored of each', async (...args) => {
    expect(await print(...args)).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `joblens: ann, bob b., zoe each have a job ${SHARED}; give --user NAME\n`,
    });
  });

  it('each is read by its user', async () => {
    const log = await print('log', SHARED, '--user', 'ann');
    expect(log).toEqual({ code: 0, stdout: 'of ann\n', stderr: '' });
    const rows = await print('export', SHARED, '--user', 'bob b.');
    expect([rows.code, rows.stdout.trimEnd().split('\n').length]).toEqual([0, 3]);
    expect(JSON.parse((await print('report', 'job', SHARED, '--user', 'zoe', '--json')).stdout)).toMatchObject({
      user: 'zoe',
    });
  });

  it.each([['metadata'], ['plot'], ['export'], ['log'], ['report', 'job']])(
    '%s asks whose job is meant where that of one has no user',
    async (...args) => {
      expect(await print(...args, LOOSE)).toEqual({
        ...{ code: 1, stdout: '' },
        stderr: `joblens: ann and nobody each have a job ${LOOSE}; give --user NAME, or --user '' for that of nobody\n`,
      });
    }
  );

  it.each([
    ['loose too', []],
    [LOOSE, ['--user', '']],
  ] as const)('a job without a user is read: %s %j', async (job, options) => {
    const rows = await print('export', job, '--table', 'step', ...options);
    expect([rows.code, rows.stdout.trimEnd().split('\n').length]).toEqual([0, 2]);
    const all = await print('metadata', job, '--json', ...options);
    expect([all.code, all.stdout.trimEnd().split('\n').length]).toEqual([0, 3]);
    expect(await print('log', job, ...options)).toEqual({ code: 0, stdout: 'of nobody\n', stderr: '' });
    expect((await print('plot', job, ...options)).code).toBe(0);
    const report = await print('report', 'job', job, '--json', ...options);
    expect(JSON.parse(report.stdout)).toMatchObject({ job, user: '', values: { step: 1, note: 'of nobody' } });
  });

  it('all read the tables that nobody has described beside those that are', async () => {
    const tables = await print('metadata', PARTLY, '--tables', '--json');
    const found = tables.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { rows: number; task?: string });
    expect(found.map(({ rows, task = '' }) => [rows, task]).sort()).toEqual([
      [1, ''],
      [12, ''],
      [2, ''],
      [4, '3'],
    ]);
    const rows = await print('metadata', PARTLY, '--json');
    expect(rows.stdout.trimEnd().split('\n')).toHaveLength(19);
    expect((await print('export', PARTLY, '--table', 'note')).stdout).toContain('text alone');
    expect((await print('plot', PARTLY, 'speed')).code).toBe(0);
    const report = await print('report', 'job', PARTLY, '--json');
    expect(JSON.parse(report.stdout)).toMatchObject({ values: { step: 11, speed: 8, note: 'text alone' } });
  });
});
