import { type DataFrame, type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createEventPoint, createJobPoint } from '@joblens/core/schema/job-point';
import { createMetadataPoints } from '@joblens/core/schema/metadata-point';
import { lastValueFrom } from 'rxjs';
import { JoblensDataSource } from '../src/datasource/datasource.js';
import type { JoblensOptions } from '../src/datasource/types.js';
import { readJobsMeta } from '../src/frames/frame-meta.js';
import type { JobsQuery } from '../src/query-types/jobs/jobs.js';
import type { SortKey } from '../src/frames/job-order.js';
import type { JobsQuestion } from '../src/query-types/jobs/select-jobs.js';
import { createTemplates } from './fake-templates.js';
import { createProxyBackend, PROXY_URL } from './proxy-backend.js';
import { describeWith, type Influxdb, startInfluxdb } from './real-influxdb.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const END_MS = Date.UTC(2026, 1, 3, 15, 47);
const JOBS = 670;
const GAP_MS = (6 * DAY_MS) / JOBS;
const STATES = ['COMPLETED', 'FAILED', 'OUT_OF_MEMORY', 'CANCELLED'];
/** Described before the range begins. */
const LONG = 'long-job (1)';
const PIPED = 'pipe.d "x"';

const toNs = (timeMs: number): bigint => BigInt(Math.floor(timeMs)) * 1_000_000n;
const nameOf = (age: number): string => `job-${1000 - age}.a`;
/** All different, and in another order than the jobs. */
const shuffle = (age: number): number => (age * 263 + 7) % JOBS;
const minutesOf = (age: number): number => 1 + shuffle(age) / 50;
const nodesOf = (age: number): number => 1 + shuffle(age);
const lrOf = (age: number): string => `${shuffle(age)}e-4`;

function createLines(): string {
  const lines: string[] = [];
  const beat = (job: string, fromMs: number, toMs: number, heartbeat: object): void => {
    for (const grid of HEARTBEAT_GRIDS)
      for (let slot = findSlotStartMs(fromMs, grid); slot <= toMs; slot += grid.slotMs)
        lines.push(formatPoint(createHeartbeatPoint({ job, user: 'ann' }, grid, slot, heartbeat)));
  };
  const describeJob = (job: string, timeMs: number, description: object): void => {
    lines.push(formatPoint(createJobPoint({ job, user: 'ann' }, description, toNs(timeMs))));
  };
  for (let age = 0; age < JOBS; age++) {
    const [job, startedMs] = [nameOf(age), END_MS - 30 * MINUTE_MS - age * GAP_MS];
    const [state, endedMs] = [STATES[age % STATES.length] ?? '', startedMs + minutesOf(age) * MINUTE_MS];
    const command = `python train.py --lr=${age}e-4 (${age % 2 === 0 ? 'even' : 'odd'})`;
    const [tags, config] = [{ fold: `k-${age}` }, JSON.stringify({ 'a.b': { lr: lrOf(age) } })];
    const first = { name: `n.${age}`, command, tags, startedMs, state: 'RUNNING' };
    describeJob(job, startedMs, { ...first, nodes: nodesOf(age), config });
    describeJob(job, endedMs, { state, endedMs });
    beat(job, startedMs, endedMs, { state, startedMs });
  }
  const startedMs = END_MS - 12 * DAY_MS;
  describeJob(LONG, startedMs, { name: 'survey', startedMs, state: 'RUNNING', tags: { 'a b': 'c"d' } });
  beat(LONG, startedMs, END_MS, { state: 'RUNNING', startedMs });
  beat(PIPED, END_MS - 3 * DAY_MS, END_MS, {});
  return lines.join('\n');
}

function createDataSource(url: string): JoblensDataSource {
  const settings = { url: PROXY_URL, name: 'Joblens', jsonData: { database: 'joblens' } };
  return new JoblensDataSource(
    settings as DataSourceInstanceSettings<JoblensOptions>,
    createProxyBackend({ target: url }),
    createTemplates({})
  );
}

/** The frame of a week. */
async function askForJobs(dataSource: JoblensDataSource, query: Partial<JobsQuery>): Promise<DataFrame | undefined> {
  const range = { from: dateTime(END_MS - 7 * DAY_MS), to: dateTime(END_MS), raw: { from: 'now-7d', to: 'now' } };
  const target: JobsQuery = { refId: 'A', queryType: 'jobs', ...query };
  const request = { targets: [target], range, scopedVars: {}, requestId: 'Q1' } as unknown;
  const response = await lastValueFrom(dataSource.query(request as DataQueryRequest<JobsQuery>));
  expect(response.errors).toBeUndefined();
  return (response.data as DataFrame[])[0];
}

const ALL: JobsQuestion = { search: '', offset: 0 };

describeWith(['influxd'], 'a list of the jobs of a week', () => {
  let influxdb: Influxdb;
  let dataSource: JoblensDataSource;

  beforeAll(async () => {
    influxdb = await startInfluxdb();
    const [path, body] = [`${influxdb.url}/write?db=joblens&precision=ns`, createLines()];
    await fetch(`${influxdb.url}/query?q=CREATE+DATABASE+joblens`, { method: 'POST' });
    expect((await fetch(path, { method: 'POST', body })).status).toBe(204);
    dataSource = createDataSource(influxdb.url);
  });
  afterAll(() => influxdb.stop());

  async function list(question?: JobsQuestion) {
    const frame = await askForJobs(dataSource, question === undefined ? {} : { question });
    const names = frame?.fields.find(({ name }) => name === 'job')?.values as readonly string[] | undefined;
    const meta = frame && readJobsMeta(frame);
    expect(meta?.isLoading).toBeUndefined();
    expect(meta?.found?.sinceMs).toBeUndefined();
    return { jobs: [...(names ?? [])], found: meta?.found };
  }

  it('has the living jobs and the newest, and says how many there are of all', async () => {
    const { jobs, found } = await list();
    expect(jobs).toHaveLength(200);
    expect(jobs.slice(0, 4)).toEqual([LONG, ...[0, 1, 2].map(nameOf)]);
    expect(jobs).toContain(PIPED);
    expect(found).toMatchObject({ total: JOBS + 2, offset: 0, pageSize: 200 });
    expect(Object.fromEntries(found?.counts ?? [])).toEqual({ running: 2, failed: 335, stopped: 167, completed: 168 });
  });

  it('has each job on one of its pages', async () => {
    const pages = await Promise.all([0, 200, 400, 600].map((offset) => list({ ...ALL, offset })));
    const jobs = pages.flatMap((page) => page.jobs);
    expect(jobs).toHaveLength(JOBS + 2);
    expect(new Set(jobs).size).toBe(JOBS + 2);
  });

  it.each([
    ['job-331.a', [nameOf(669)]],
    ['n.669', [nameOf(669)]],
    ['LR=666E-4 (even', [nameOf(666)]],
    ['fold=k-600', [nameOf(600)]],
    ['ann out memory n.598', [nameOf(598)]],
    ['survey', [LONG]],
    ['a b=c"d', [LONG]],
    ['pipe.d', [PIPED]],
    ['e.4 (', []],
  ])('finds %s wherever it is', async (search, expected) => {
    const { jobs, found } = await list({ ...ALL, search });
    expect([jobs, found?.total]).toEqual([expected, expected.length]);
  });

  it('filters and sorts all of them', async () => {
    const failed = await list({
      ...ALL,
      search: '(odd)',
      kind: 'failed',
      order: { key: 'started', isDescending: false },
    });
    expect(failed.jobs.slice(0, 2)).toEqual([nameOf(669), nameOf(665)]);
    expect(Object.fromEntries(failed.found?.counts ?? [])).toEqual({ failed: 168, stopped: 167 });
  });
});

describeWith(['influxd'], 'a list that is sorted', () => {
  let influxdb: Influxdb;
  let dataSource: JoblensDataSource;

  beforeAll(async () => {
    influxdb = await startInfluxdb();
    const [path, body] = [`${influxdb.url}/write?db=joblens&precision=ns`, createLines()];
    await fetch(`${influxdb.url}/query?q=CREATE+DATABASE+joblens`, { method: 'POST' });
    expect((await fetch(path, { method: 'POST', body })).status).toBe(204);
    dataSource = createDataSource(influxdb.url);
  });
  afterAll(() => influxdb.stop());

  const ages = Array.from({ length: JOBS }, (_, age) => age);
  const byShuffled = ages.toSorted((a, b) => shuffle(a) - shuffle(b)).map(nameOf);
  const byName = ages.toReversed().map(nameOf);
  it.each<[SortKey, ascending: readonly string[], descending: readonly string[]]>([
    // What has no number comes last, whichever way.
    ['nodes', [...byShuffled, PIPED, LONG], [...byShuffled.toReversed(), PIPED, LONG]],
    ['config:a.b.lr', [...byShuffled, PIPED, LONG], [...byShuffled.toReversed(), PIPED, LONG]],
    ['duration', [...byShuffled, LONG, PIPED], [LONG, ...byShuffled.toReversed(), PIPED]],
    ['tag:fold', [...byName.toReversed(), PIPED, LONG], [...byName, PIPED, LONG]],
    ['tag:a b', [LONG, PIPED, ...byName.toReversed()], [LONG, PIPED, ...byName.toReversed()]],
    ['job', [...byName, LONG, PIPED], [PIPED, LONG, ...byName.toReversed()]],
  ])('by %s has all jobs of the range in this order, page by page', async (key, ascending, descending) => {
    for (const isDescending of [false, true]) {
      const pages: string[] = [];
      for (const offset of [0, 200, 400, 600]) {
        const frame = await askForJobs(dataSource, { question: { ...ALL, offset, order: { key, isDescending } } });
        pages.push(...(frame?.fields.find(({ name }) => name === 'job')?.values as readonly string[]));
      }
      expect([key, isDescending, pages]).toEqual([key, isDescending, isDescending ? descending : ascending]);
    }
  });

  it('by state has all of one state together', async () => {
    const order = { key: 'state' as const, isDescending: false };
    const frame = await askForJobs(dataSource, { limit: 1000, question: { ...ALL, order } });
    const states = frame?.fields.find(({ name }) => name === 'state')?.values as ReadonlyArray<string | null>;
    const runs = states.filter((state, at) => state !== states[at - 1]);
    expect(runs).toEqual(['CANCELLED', 'COMPLETED', 'FAILED', null, 'OUT_OF_MEMORY', 'RUNNING']);
  });
});

/** Jobs of which another program left a row alone, of a number or of a text. */
const OTHERS: ReadonlyArray<readonly [job: string, user: string, value: number | string]> = [
  ["-rows (o'hara).1", 'ann', 0.5],
  ['texts "x" of', 'ann', 'diverged'],
  ['shared.[1]', 'ann', 1],
  ['shared.[1]', 'bob', 2],
];
const EVENT_ALONE = 'event=alone, 7';

function createRow(job: string, user: string, value: number | string): readonly Point[] {
  return createMetadataPoints({ job, user }, 'loss', new Map([['loss', value]]), toNs(END_MS - MINUTE_MS));
}

describeWith(['influxd'], 'jobs of other writers', () => {
  let influxdb: Influxdb;
  let dataSource: JoblensDataSource;

  beforeAll(async () => {
    influxdb = await startInfluxdb();
    const points = [
      ...OTHERS.flatMap((row) => createRow(...row)),
      createEventPoint({ job: EVENT_ALONE, user: 'ann' }, { topic: 'runtimes', data: {} }, toNs(END_MS - MINUTE_MS)),
      createJobPoint({ job: 'early', user: 'ann' }, { state: 'COMPLETED', startedMs: 1000, endedMs: 2000 }, 1000n),
      ...createRow('early', 'ann', 3),
    ];
    await fetch(`${influxdb.url}/query?q=CREATE+DATABASE+joblens`, { method: 'POST' });
    const body = points.map(formatPoint).join('\n');
    const answer = await fetch(`${influxdb.url}/write?db=joblens&precision=ns`, { method: 'POST', body });
    expect(answer.status).toBe(204);
    dataSource = createDataSource(influxdb.url);
  });
  afterAll(() => influxdb.stop());

  async function list(query: Partial<JobsQuery>): Promise<string[]> {
    const frame = await askForJobs(dataSource, query);
    const [jobs, users] = ['job', 'user'].map((name) => frame?.fields.find((field) => field.name === name)?.values);
    return (jobs ?? []).map((job: string, row) => `${job} of ${String(users?.[row])}`).sort();
  }

  it('are in the list, and known by their names', async () => {
    const listed = (rows: typeof OTHERS): string[] => rows.map(([job, user]) => `${job} of ${user}`).sort();
    expect(await list({})).toEqual(listed([...OTHERS, [EVENT_ALONE, 'ann', '']]));
    for (const [job] of OTHERS) expect(await list({ job })).toEqual(listed(OTHERS.filter(([each]) => each === job)));
  });

  it('are known where they left an event alone, of one user or of all', async () => {
    expect(await list({ job: EVENT_ALONE })).toEqual([`${EVENT_ALONE} of ann`]);
    expect(await list({ job: EVENT_ALONE, user: 'ann' })).toEqual([`${EVENT_ALONE} of ann`]);
    expect(await list({ job: EVENT_ALONE, user: 'bob' })).toEqual([]);
  });

  it('are no more than what somebody wrote of them', async () => {
    expect(await list({ job: 'early' })).toEqual([]);
    expect(await list({ job: 'nobody knows' })).toEqual([]);
  });
});
