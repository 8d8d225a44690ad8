import { type ComparedJob, compareJobs } from '@joblens/core/ask/comparison/compare-jobs';
import { readLabelled } from '@joblens/core/ask/comparison/find-compared';
import { readByName } from '@joblens/core/ask/comparison/read-found';
import { ungroup } from '@joblens/core/ask/comparison/regroup';
import { jobsQuery } from '@joblens/core/ask/jobs/jobs';
import type { Reading } from '@joblens/core/ask/reading/reading';
import type { ReadableResult } from '@joblens/core/ask/reading/result-rows';
import { tablesQuery } from '@joblens/core/ask/tables/tables';
import { followX } from '@joblens/core/axis/followed-x';
import type { Point } from '@joblens/core/point/point';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createJobPoint, type JobDescription } from '@joblens/core/schema/job-point';
import { createLabelPoint } from '@joblens/core/schema/label-point';
import { createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { createInfluxqlClient, readAll } from './influxql-client.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BEGIN_MS = Date.UTC(2026, 1, 3, 12);
const MANY = 600;
const MINE = { key: 'experiment', value: "mine (a-1) 'x'" };
const LOST = { key: 'experiment', value: 'lost in others' };

interface Told {
  readonly startedMs: number;
  readonly label?: typeof MINE;
  readonly user?: string;
  readonly description?: JobDescription;
}

/** A job of an hour with a table, as its writers tell it. */
function createJob(job: string, { startedMs, label, user = 'ann', description }: Told): readonly Point[] {
  const source = { job, user };
  const stats = createTableStats();
  foldRow(stats, new Map(Object.entries({ step: 1, loss: startedMs % 7919 })));
  followX(stats);
  const timeNs = at(startedMs + 1000);
  const told = { name: 'train', state: 'COMPLETED', startedMs, endedMs: startedMs + HOUR_MS };
  const tags = label && { [label.key]: label.value };
  return [
    createJobPoint(source, { ...told, ...description, ...(tags && { tags }) }, at(startedMs)),
    createSeriesPoint(source, { series: 'loss,step', keys: ['step', 'loss'], stats, x: 'step', rows: 1, timeNs }),
    ...HEARTBEAT_GRIDS.map((grid) => createHeartbeatPoint(source, grid, findSlotStartMs(startedMs, grid), {})),
    ...(label === undefined ? [] : [createLabelPoint(source, label, startedMs)]),
  ];
}

const at = (timeMs: number): bigint => BigInt(timeMs) * 1_000_000n;

const nameMine = (nth: number): string => `it's-(${nth}).b`;
const POINTS: readonly Point[] = [
  ...Array.from({ length: MANY }, (_, nth) =>
    createJob(nameMine(nth), { startedMs: BEGIN_MS + nth * 7 * 60_000, label: MINE })
  ).flat(),
  // Another's job of the same name and time.
  ...createJob(nameMine(3), { startedMs: BEGIN_MS, user: 'bob' }),
  // It waited for months: what it was submitted with is old.
  ...createJob('waited', {
    startedMs: BEGIN_MS + DAY_MS,
    label: MINE,
    description: { submittedMs: BEGIN_MS - 90 * DAY_MS },
  }),
  createJobPoint({ job: 'waited', user: 'ann' }, { state: 'PENDING', queue: 'long' }, at(BEGIN_MS - 90 * DAY_MS)),
  // Tagged long after, and run again.
  createJobPoint({ job: nameMine(5), user: 'ann' }, { tags: { baseline: 'yes' } }, at(BEGIN_MS + 60 * DAY_MS)),
  ...createJob(nameMine(6), { startedMs: BEGIN_MS + 5 * DAY_MS, label: MINE }),
  // Years before, an experiment among five times as many others.
  ...Array.from({ length: 5 * 320 }, (_, nth) =>
    createJob(`other-${nth}`, {
      startedMs: BEGIN_MS - 1000 * DAY_MS + nth * 60_000,
      ...(nth % 5 === 0 && { label: LOST }),
    })
  ).flat(),
];

describeWith(['influxd'], 'the comparison of many jobs', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(POINTS);
  });
  afterAll(() => pair.stop());

  it.each([
    ['descriptions', jobsQuery({ values: false, config: true, manifest: true, resources: true })[0]],
    ['summaries of tables', tablesQuery({ job: undefined })],
  ])('gets %s without groups that are those of the store', async (_, grouped) => {
    const { statement, regroup } = ungroup(grouped);
    const sort = (series: ReadableResult) =>
      (series?.series ?? [])
        .map((one) => JSON.stringify([Object.entries(one.tags ?? {}).sort(), one.columns, one.values]))
        .sort();
    const groups = await pair.both(async (url) => {
      const [whole, rows] = await createInfluxqlClient(url).ask(grouped, statement);
      return { whole: sort(whole), regrouped: sort(regroup(rows)) };
    });
    for (const { whole, regrouped } of [groups.influxdb, groups.embedded]) {
      expect(whole.length).toBeGreaterThan(MANY);
      const known = new Set(whole);
      expect(regrouped.filter((one) => !known.has(one))).toEqual([]);
      expect(regrouped).toHaveLength(whole.length);
    }
  });

  async function read(reading: () => Reading<readonly ComparedJob[]>): Promise<{ jobs: unknown; rounds: number }> {
    let rounds = 0;
    const answers = await pair.both(async (url) => {
      rounds = 0;
      const jobs = await readAll(
        createInfluxqlClient(url),
        countRounds(reading(), () => (rounds += 1))
      );
      return compareJobs(jobs, { stat: 'min', nowMs: BEGIN_MS });
    });
    expect(answers.embedded).toEqual(answers.influxdb);
    return { jobs: answers.influxdb, rounds };
  }

  it.each([
    ['along the time line, as most of what ran then is theirs', MINE, MANY + 1, 4],
    ['by their names, as most of what ran since is not', LOST, 320, 3],
  ] as const)('asks for them %s', async (_, label, jobs, rounds) => {
    const all = await read(() => readLabelled({ labels: [label], manifest: true }));
    expect(all.rounds).toBe(rounds);
    const ofAnn = [...(label === MINE ? Array.from({ length: MANY }, (_none, nth) => nameMine(nth)) : []), 'waited'];
    const names = label === MINE ? ofAnn : Array.from({ length: 320 }, (_none, nth) => `other-${5 * nth}`);
    const named = await read(() => inOrder(readByName(names, { user: 'ann', manifest: true })));
    expect(all.jobs).toEqual(named.jobs);
    expect(names).toHaveLength(jobs);
  });
});

function* countRounds<T>(reading: Reading<T>, count: () => void): Reading<T> {
  let next = reading.next();
  while (next.done !== true) {
    count();
    next = reading.next(yield next.value);
  }
  return next.value;
}

function* inOrder(reading: Reading<readonly ComparedJob[]>): Reading<readonly ComparedJob[]> {
  return (yield* reading).toSorted((a, b) => Number(a.record.timeNs - b.record.timeNs));
}
