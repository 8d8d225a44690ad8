import type { JobList } from '@joblens/core/ask/jobs/list-jobs';
import { findLabelledJobs, listLabelledJobs } from '@joblens/core/ask/labels/labelled-jobs';
import type { Point } from '@joblens/core/point/point';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createLabelPoint, createNoLabelPoint, type Label } from '@joblens/core/schema/label-point';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { createInfluxqlClient, readAll } from './influxql-client.js';
import { joblens } from './joblens-command.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 1, 3, 12);
const ODD: readonly Label[] = [
  { key: 'a.b "c" (d)', value: "it's = x, y\\" },
  { key: 'user', value: '' },
  { key: 'value', value: ' lead and trail ' },
  { key: 'näme', value: `${'long-'.repeat(100)}1` },
];
const SWEEP = { key: 'experiment', value: 'sweep (a-1)' };

/** A job that began so many days ago. */
function createJob(job: string, user: string, days: number, labels: readonly Label[]): readonly Point[] {
  const startedMs = NOW_MS - days * DAY_MS;
  const tags = Object.fromEntries(labels.map(({ key, value }) => [key, value]));
  return [
    createJobPoint({ job, user }, { state: 'COMPLETED', startedMs, endedMs: startedMs + 1000, tags }, at(startedMs)),
    ...labels.map((label) => createLabelPoint({ job, user }, label, startedMs)),
  ];
}

/** A job of this hour that an older Joblens has logged. */
function createUnlabelled(job: string, label: Label): readonly Point[] {
  const startedMs = Date.now() - 60_000;
  const beats = HEARTBEAT_GRIDS.map((grid) =>
    createHeartbeatPoint({ job, user: 'ann' }, grid, findSlotStartMs(startedMs, grid), {
      state: 'COMPLETED',
      startedMs,
    })
  );
  return [...createJob(job, 'ann', (NOW_MS - startedMs) / DAY_MS, [label]), ...beats].filter(
    ({ measurement }) => measurement !== 'job_label'
  );
}

const at = (timeMs: number): bigint => BigInt(Math.round(timeMs)) * 1_000_000n;

const POINTS: readonly Point[] = [
  ...createJob('new-1', 'ann', 1, [SWEEP, { key: 'seed', value: '1' }]),
  // The same name, of another user.
  ...createJob('new-1', 'bob', 2, [SWEEP]),
  ...createJob("it's 'old' (2)", 'ann', 2500, [SWEEP, { key: 'seed', value: '2' }, ...ODD]),
  ...Array.from({ length: 1200 }, (_, nth) =>
    createJob(`array_${nth}`, 'ann', 3, [{ key: 'group', value: 'g' }])
  ).flat(),
  ...createJob('other', 'ann', 1, [{ key: 'experiment', value: 'sweep' }]),
  // Its label is older than its description, which has another tag now.
  ...createJob('changed', 'ann', 1, [{ key: 'experiment', value: 'b' }]),
  createLabelPoint({ job: 'changed', user: 'ann' }, SWEEP, NOW_MS - DAY_MS),
  // Its label was taken away.
  ...createJob('gone', 'ann', 1, [SWEEP]),
  createNoLabelPoint({ job: 'gone', user: 'ann' }, SWEEP, NOW_MS - DAY_MS),
  ...createUnlabelled('older (1)', { key: 'by', value: 'older' }),
  // The same one from a task that began after midnight.
  createLabelPoint({ job: 'new-1', user: 'ann' }, SWEEP, NOW_MS),
];

describeWith(['influxd'], 'the jobs of labels', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(POINTS);
  });
  afterAll(() => pair.stop());

  /** What both stores answer, which is one answer. */
  async function list(request: Parameters<typeof listLabelledJobs>[0]): Promise<readonly string[]> {
    const { influxdb, embedded } = await pair.both((url) =>
      readAll(createInfluxqlClient(url), listLabelledJobs(request))
    );
    // Each store is told of a tag at another time.
    const others = ({ jobs }: JobList) => jobs.map(({ changedNs: _, ...job }) => job);
    expect(others(embedded)).toEqual(others(influxdb));
    return influxdb.jobs.map(({ job, user }) => `${user} ${job}`);
  }

  it('are found whenever they ran, the newest first, each once', async () => {
    expect(await list({ labels: [SWEEP] })).toEqual(['ann new-1', 'bob new-1', "ann it's 'old' (2)"]);
  });

  it('have all labels of several, and are of the user who is asked for', async () => {
    expect(await list({ labels: [SWEEP, { key: 'seed', value: '2' }] })).toEqual(["ann it's 'old' (2)"]);
    expect(await list({ labels: [SWEEP, { key: 'seed', value: '3' }] })).toEqual([]);
    expect(await list({ labels: [SWEEP], user: 'bob' })).toEqual(['bob new-1']);
    expect(await list({ labels: [SWEEP], user: ['bob', 'ann'] })).toHaveLength(3);
  });

  it.each(ODD)('are found by a label of odd texts: %j', async (label) => {
    expect(await list({ labels: [label] })).toEqual(["ann it's 'old' (2)"]);
    expect(await list({ labels: [{ ...label, value: `${label.value}x` }] })).toEqual([]);
  });

  it('are all found where they are many that began on one day', async () => {
    const labels = [{ key: 'group', value: 'g' }];
    expect(new Set(await list({ labels })).size).toBe(1200);
    const names = await pair.both((url) => readAll(createInfluxqlClient(url), findLabelledJobs({ labels })));
    expect([names.influxdb.length, names.embedded.length]).toEqual([1200, 1200]);
    const { influxdb } = await pair.both((url) =>
      readAll(createInfluxqlClient(url), listLabelledJobs({ labels, limit: 10 }))
    );
    expect([influxdb.jobs.length, influxdb.isCut]).toEqual([10, true]);
  });

  /** The jobs that a command prints, which are the same of both stores. */
  async function print(...args: readonly string[]): Promise<readonly string[]> {
    const { influxdb, embedded } = await pair.both((url) => joblens(args, url));
    expect(embedded).toEqual(influxdb);
    expect(influxdb.code).toBe(0);
    return influxdb.stdout.split('\n').flatMap((line) => (line === '' ? [] : (line.split('\t')[0] ?? '')));
  }
  const TAG = ['--tag', `${SWEEP.key}=${SWEEP.value}`];

  it('are listed and compared without a range, and with one where they lived in it', async () => {
    const ofAnn = ['new-1', "it's 'old' (2)"];
    expect(await print('jobs', ...TAG, '--user', 'ann')).toEqual(ofAnn);
    expect(await print('jobs', ...TAG, '--tag', 'seed=2')).toEqual(["it's 'old' (2)"]);
    expect(await print('jobs', ...TAG, '--state', 'FAILED')).toEqual([]);
    expect(await print('compare', ...TAG, '--user', 'ann')).toEqual(ofAnn.toReversed());
    expect(await print('jobs', ...TAG, '--after', '7d')).toEqual([]);
    expect(await print('compare', ...TAG, '--after', '7d')).toEqual([]);
  });

  it('of an older Joblens are found in a range, also in the usual one', async () => {
    for (const range of [[], ['--after', '1h']]) {
      expect(await print('jobs', '--tag', 'by=older', ...range)).toEqual(['older (1)']);
      expect(await print('compare', '--tag', 'by=older', ...range)).toEqual(['older (1)']);
    }
  });

  it('are those that a job is given later, which change nothing else of it, and may be taken away', async () => {
    const job = "it's 'old' (2)";
    const show = async (): Promise<unknown> => {
      const { influxdb, embedded } = await pair.both((url) => joblens(['jobs', job, '--json'], url));
      expect(embedded).toEqual(influxdb);
      return JSON.parse(influxdb.stdout) as unknown;
    };
    const tag = async (...args: readonly string[]): Promise<string> => {
      const { influxdb, embedded } = await pair.both((url) => joblens(['tag', ...args], url));
      expect(embedded).toEqual(influxdb);
      return `${influxdb.code} ${influxdb.stderr}`;
    };
    const before = (await show()) as { readonly tags: Readonly<Record<string, string>> };
    expect(await tag(job, 'a=b')).toMatch(/^1 joblens: job .* is of ann; to tag it all the same, give --user ann\n$/);
    expect(await tag(job, 'a')).toMatch(/^2 joblens: a tag must be KEY=VALUE; got "a"\n$/);
    expect(await tag(job)).toMatch(/^2 joblens: say which tags/);
    expect(await tag(job, 'a=b', '--remove', 'a')).toMatch(/^2 joblens: a tag cannot be given and removed at once/);
    expect(await tag('nobody', 'a=b', '--user', 'ann')).toMatch(/^1 joblens: no job nobody is stored there/);

    const added = ['seed=3 (x)', 'seed=4', "base line=it's, so=what"];
    expect(await tag(job, ...added, '--user', 'ann', '--remove', 'experiment')).toMatch(/^0 joblens: the tags of job /);
    const { experiment: _, ...rest } = before.tags;
    expect(await show()).toEqual({ ...before, tags: { ...rest, seed: '4', 'base line': "it's, so=what" } });
    expect(await list({ labels: [SWEEP] })).toEqual(['ann new-1', 'bob new-1']);
    expect(await list({ labels: [{ key: 'seed', value: '2' }] })).toEqual([]);
    const later = [
      { key: 'seed', value: '4' },
      { key: 'base line', value: "it's, so=what" },
    ];
    expect(await list({ labels: later })).toEqual([`ann ${job}`]);

    await tag(job, `${SWEEP.key}=${SWEEP.value}`, 'seed=2', '--user', 'ann', '--remove', 'base line');
    expect(await show()).toEqual({ ...before, tags: { ...rest, seed: '2', experiment: SWEEP.value } });
    expect(await print('compare', ...TAG, '--tag', 'seed=2')).toEqual([job]);
    const { influxdb, embedded } = await pair.both((url) =>
      readAll(createInfluxqlClient(url), findLabelledJobs({ labels: [{ key: 'base line', value: "it's, so=what" }] }))
    );
    expect([influxdb, embedded]).toEqual([[], []]);
  });
});
