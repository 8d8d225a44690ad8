import fc from 'fast-check';
import {
  ANALYTICS_REPORTS,
  type AnalyticsAnswer,
  type AnalyticsRequest,
} from '@joblens/core/ask/analytics/analytics-answer';
import { createEventPoint, type JsonValue } from '@joblens/core/schema/job-point';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import { createHeartbeatPoint, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { readAnalytics } from '@joblens/core/ask/analytics/analytics';
import { readStep } from '@joblens/core/analytics/steps';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { Point } from '@joblens/core/point/point';
import type { TimeWindow } from '@joblens/core/analytics/transition';
import { createLives, findState, type Life, listTransitions } from '../core/src/analytics/testing/random-histories.js';
import { describeWith } from './components.js';
import { type Pair, startPair } from './conformance/targets.js';
import { createInfluxqlClient, readAll } from './influxql-client.js';
import { randomCases, SEED } from './random-cases.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BEGIN_MS = 1_700_000_000_000;
const SETS = randomCases(4);
const WINDOWS = 3;
const [GRID] = HEARTBEAT_GRIDS;

const toNs = (timeMs: number): bigint => BigInt(timeMs) * 1_000_000n;

/** Each set of lives has users of its own, so that one database holds all. */
const SET_LIVES = fc
  .sample(createLives(BEGIN_MS, 2 * HOUR_MS), { numRuns: SETS, seed: SEED })
  .map((lives, set) => lives.map((life) => ({ ...life, user: `${life.user}${set}`, job: `${set}_${life.job}` })));

/** The same lives, of other users; of every second one there are events alone. */
const HALF_TOLD = SET_LIVES.map((lives) =>
  lives.map((life) => ({ ...life, user: `half ${life.user}`, job: `half ${life.job}` }))
);

/** The same lives, of other users; every second job ends without a word at some time of its life. */
const HALF_DIED = SET_LIVES.map((lives) =>
  lives.map((life, i) => ({
    ...life,
    user: `died ${life.user}`,
    job: `died ${life.job}`,
    diedAfter: i % 2 === 0 ? (i % 7) / 8 : 1,
  }))
);

function listUsers(set: number): string[] {
  return ['ann', 'bob'].map((user) => `${user}${set}`);
}

const WRITERS = [
  ['Joblens alone', listUsers],
  ['Joblens and a program that writes events alone', (set: number) => listUsers(set).map((user) => `half ${user}`)],
] as const;

/** What a job leaves until it dies. */
function createDyingPoints(life: Life & { readonly diedAfter: number }): Point[] {
  const { submittedMs, diedAfter } = life;
  const endMs = listTransitions(life).at(-1)?.timeMs ?? submittedMs;
  const points = [...createTransitionPoints(life), ...createHeartbeats(life)];
  if (diedAfter === 1) return points;
  const diedMs = submittedMs + diedAfter * (endMs - submittedMs);
  const isOver = (timeMs: number): boolean => timeMs > diedMs;
  return [
    ...createTransitionPoints(life).filter(({ timeNs }) => !isOver(Number(timeNs / 1_000_000n))),
    ...createHeartbeats(life, diedMs),
  ];
}

/** The changes of state of a life as a program writes them that knows of `job_event` alone. */
function createEventsAlone(life: Life): Point[] {
  return listTransitions(life).map(({ timeMs, fromState, toState, nodes, cpus, waitS, startedMs }) => {
    const known = { nodes, cpus, wait_s: waitS, started: startedMs };
    const data = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) as JsonValue;
    const event = { topic: 'state', ...(fromState !== undefined && { fromState }), toState, data };
    return createEventPoint(life, event, toNs(timeMs));
  });
}

function createTransitionPoints(life: Life, origin: 'slurm' | 'slurm-job' = 'slurm'): Point[] {
  return listTransitions(life).map(({ timeMs, ...transition }) => {
    const { startedMs } = transition;
    const runtimeS = startedMs === undefined ? undefined : (timeMs - startedMs) / 1000;
    return createTransitionPoint(transition, { origin, ...transition, runtimeS }, toNs(timeMs));
  });
}

/** A job that waits an hour and runs for two. */
function createOneLife(user: string): Life {
  const run = { waitMs: HOUR_MS, lengthMs: 2 * HOUR_MS, end: 'COMPLETED' };
  return { user, job: `1 of ${user}`, account: 'a', nodes: 4, cpus: 8, submittedMs: BEGIN_MS, runs: [run] };
}

/** A heartbeat in each slot of a life, with the last state of the slot, as a job leaves them. */
function createHeartbeats(life: Life, diedMs = Infinity): Point[] {
  const endMs = Math.min(diedMs, listTransitions(life).at(-1)?.timeMs ?? 0);
  const slots: Point[] = [];
  for (let slotMs = Math.floor(life.submittedMs / GRID.slotMs) * GRID.slotMs; slotMs <= endMs; slotMs += GRID.slotMs) {
    const found = findState(life, Math.min(diedMs, slotMs + GRID.slotMs - 1));
    if (found === undefined) continue;
    const { nodes, cpus, account } = life;
    const heartbeat = {
      state: found.state,
      nodes,
      cpus,
      account,
      startedMs: found.state === 'RUNNING' ? found.startedMs : undefined,
    };
    slots.push(createHeartbeatPoint(life, GRID, slotMs, heartbeat));
  }
  return slots;
}

async function read(url: string, request: AnalyticsRequest): Promise<AnalyticsAnswer> {
  return readAll(createInfluxqlClient(url), readAnalytics(request));
}

/** What an answer says at the edges of its window, by what it tells of. */
function readEdges(answer: AnalyticsAnswer, { toMs, fromMs }: TimeWindow, stepMs: number): unknown {
  switch (answer.kind) {
    case 'steps': {
      const edges = [toMs];
      for (let edge = Math.ceil((fromMs + 1) / stepMs) * stepMs; edge < toMs; edge += stepMs) edges.push(edge);
      const curves = [...answer.curves].map(
        ([name, steps]) => [name, edges.map((edge) => readStep(steps, edge))] as const
      );
      // A run between two edges is seen by none.
      return curves.filter(([, values]) => values.some((value) => value !== 0));
    }
    case 'waits':
      return answer.bins.map(({ medianS: _median, p90S: _p90, meanS, ...bin }) => ({
        ...bin,
        meanS: Math.round(meanS * 1e6),
      }));
    case 'usage':
      return answer.usage
        .map(({ user, account, state, runs, ...hours }) =>
          [user, account, state, runs, ...Object.values(hours).map((h) => Math.round(h * 1e6))].join()
        )
        .sort();
  }
}

describeWith(['influxd'], 'analytics on InfluxDB and the embedded store', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
    const points = SET_LIVES.flat().flatMap((life) => [...createTransitionPoints(life), ...createHeartbeats(life)]);
    const halfTold = HALF_TOLD.flatMap((lives) =>
      lives.flatMap((life, i) => [
        ...(i % 2 === 0 ? createEventsAlone(life) : createTransitionPoints(life)),
        ...createHeartbeats(life),
      ])
    );
    await pair.both(async (url) => {
      const client = createInfluxqlClient(url);
      await client.post('CREATE DATABASE "joblens"');
      await client.write([...points, ...halfTold, ...HALF_DIED.flat().flatMap(createDyingPoints)]);
    });
  });
  afterAll(async () => {
    await pair.stop();
  });

  const windows = fc.sample(
    fc
      .tuple(fc.integer({ min: -2 * HOUR_MS, max: 4 * HOUR_MS }), fc.integer({ min: 0, max: 6 * HOUR_MS }))
      .map(([from, length]): TimeWindow => ({ fromMs: BEGIN_MS + from, toMs: BEGIN_MS + from + length })),
    { numRuns: SETS * WINDOWS, seed: SEED }
  );

  const died = ['jobs of which some die', (set: number) => listUsers(set).map((user) => `died ${user}`)] as const;
  const cases = ANALYTICS_REPORTS.flatMap((report) => [...WRITERS, died].map((writer) => [report, ...writer] as const));
  it.each(cases)(
    '%s of %s: row by row and added up by the store, it agrees at the edges',
    async (report, _of, users) => {
      for (const [i, window] of windows.entries()) {
        const stepMs = [7 * MINUTE_MS, HOUR_MS][i % 2] ?? HOUR_MS;
        const request = { report, window, stepMs, filter: { users: users(i % SETS) } };
        const { influxdb, embedded } = await pair.both(async (url) => ({
          rows: await read(url, request),
          waits: await read(url, { ...request, maxRows: 0 }),
          sums: await read(url, { ...request, maxRows: 0, maxWaits: 0 }),
        }));
        expect(embedded).toEqual(influxdb);
        const { rows, sums, waits } = influxdb;
        if (rows.kind === 'waits' && waits.kind === 'waits' && waits.isExact) expect(waits.bins).toEqual(rows.bins);
        expect([report, i, readEdges(sums, window, stepMs)]).toEqual([report, i, readEdges(rows, window, stepMs)]);
      }
    }
  );

  it.each(WRITERS)('agrees with what the lives of the jobs of %s say', async (_of, users) => {
    for (const [i, window] of windows.entries()) {
      const lives = SET_LIVES[i % SETS] ?? [];
      const request = { window, stepMs: HOUR_MS, filter: { users: users(i % SETS) } };
      const answer = await read(pair.influxdb.url, { ...request, report: 'utilization' });
      const steps = answer.kind === 'steps' ? answer.curves.get('utilization') : undefined;
      const instants = Array.from({ length: 40 }, (_, k) =>
        Math.round(window.fromMs + (k * (window.toMs - window.fromMs)) / 39)
      );
      const expected = instants.map((timeMs) =>
        lives.reduce((sum, life) => sum + (findState(life, timeMs)?.state === 'RUNNING' ? (life.nodes ?? 1) : 0), 0)
      );
      expect(instants.map((timeMs) => (steps === undefined ? 0 : readStep(steps, timeMs)))).toEqual(expected);
    }
  });

  it('counts a job once of which both Slurm and its own run tell', async () => {
    const [window, life] = [{ fromMs: BEGIN_MS, toMs: BEGIN_MS + 9 * HOUR_MS }, createOneLife('twice')];
    const late = { ...life, submittedMs: life.submittedMs + 500 };
    const { influxdb, embedded } = await pair.both(async (url) => {
      await createInfluxqlClient(url).write([
        ...createTransitionPoints(life),
        ...createTransitionPoints(late, 'slurm-job'),
      ]);
      const request = { window, stepMs: HOUR_MS, filter: { users: ['twice'] } };
      return Promise.all([
        read(url, { ...request, report: 'throughput' }),
        read(url, { ...request, report: 'nodes' }),
        read(url, { ...request, report: 'throughput', maxRows: 0 }),
        // By name, from all transitions and from its events.
        read(url, { ...request, report: 'throughput', filter: { jobs: ['1 of twice'] } }),
        read(url, { ...request, report: 'throughput', maxRows: 5, filter: { jobs: ['1 of twice'] } }),
        // From a state, row by row and added up by the store.
        ...[100, 0].flatMap((maxRows) =>
          ['RUNNING', 'PENDING'].map((state) =>
            read(url, {
              ...{ ...request, report: 'throughput', maxRows },
              filter: { ...request.filter, fromStates: [state] },
            })
          )
        ),
      ]);
    });
    expect(embedded).toEqual(influxdb);
    const last = influxdb.map((answer) =>
      answer.kind === 'steps' ? [...answer.curves].map(([, steps]) => steps.values.at(-1)) : []
    );
    expect(last).toEqual([[1], [0], [1], [1], [1], [1], [], [1], []]);
  });

  it('bounds a job whose end nobody wrote by its last heartbeat, and a run by its length', async () => {
    const fromMs = BEGIN_MS + 300 * HOUR_MS;
    const window = { fromMs, toMs: fromMs + 21 * HOUR_MS };
    const slotMs = Math.ceil(fromMs / GRID.slotMs) * GRID.slotMs;
    const long = { fromMs: fromMs - 5 * 365 * 24 * HOUR_MS, toMs: window.toMs };
    const halfway = { fromMs: slotMs + HOUR_MS / 2, toMs: slotMs + 3 * HOUR_MS };
    const nodes = 64;
    const beats = (life: JobSource, hours: number): Point[] =>
      HEARTBEAT_GRIDS.flatMap((grid) => {
        const first = Math.floor(slotMs / grid.slotMs);
        const count = Math.max(1, Math.floor((hours * HOUR_MS) / grid.slotMs));
        const slots = Array.from({ length: count }, (_, i) => (first + i) * grid.slotMs);
        return slots.map((at) => createHeartbeatPoint(life, grid, at, { state: 'RUNNING', startedMs: slotMs, nodes }));
      });
    const died = { job: 'died (1).[x]', user: 'lost' };
    const short = { job: 'short', user: 'lengths' };
    const untold = { job: 'untold', user: 'alone' };
    const began = { origin: 'slurm', toState: 'RUNNING', nodes } as const;
    const { influxdb, embedded } = await pair.both(async (url) => {
      await createInfluxqlClient(url).write([
        createTransitionPoint(died, began, toNs(slotMs)),
        ...beats(died, 1),
        createTransitionPoint(
          short,
          { ...began, fromState: 'RUNNING', toState: 'COMPLETED', runtimeS: 3600 },
          toNs(slotMs + HOUR_MS)
        ),
        createEventPoint(untold, { topic: 'state', toState: 'RUNNING', data: { nodes: 451 } }, toNs(slotMs)),
      ]);
      const request = { stepMs: HOUR_MS, report: 'usage' as const };
      return Promise.all([
        read(url, { ...request, window, filter: { users: ['lost'] } }),
        read(url, { ...request, window: long, filter: { users: ['lost'] } }),
        read(url, { ...request, window: long, filter: { users: ['lengths'] } }),
        // Begins within the run of `short`, and is added up by the store.
        ...[20_000, 0].flatMap((maxRows) =>
          (['usage', 'utilization'] as const).map((report) =>
            read(url, { ...request, report, maxRows, window: halfway, filter: { users: ['lengths'] } })
          )
        ),
        read(url, { ...request, window, report: 'nodes', filter: { users: ['alone'] } }),
      ]);
    });
    expect(embedded).toEqual(influxdb);
    const hours = influxdb.map((answer) => (answer.kind === 'usage' ? answer.usage[0]?.nodeHours : undefined));
    expect(hours.slice(0, 3)).toEqual([64, 64, 64]);
    const [rowsUsage, rowsCurve, sumsUsage, sumsCurve] = influxdb
      .slice(3, 7)
      .map((answer) => readEdges(answer, halfway, HOUR_MS));
    expect([sumsUsage, sumsCurve]).toEqual([rowsUsage, rowsCurve]);
    expect(hours[3]).toBe(32);
    const nodesAnswer = influxdb.at(-1);
    const [curve] = nodesAnswer?.kind === 'steps' ? nodesAnswer.curves.values() : [];
    expect(Math.max(0, ...(curve?.values ?? []))).toBe(0);
  });

  it('counts a job of events alone that ends in the slot of the end of the range, after it', async () => {
    const slotMs = Math.ceil((BEGIN_MS + 500 * HOUR_MS) / GRID.slotMs) * GRID.slotMs;
    const run = { waitMs: MINUTE_MS, lengthMs: 2 * HOUR_MS + 4 * MINUTE_MS, end: 'COMPLETED' };
    const life = { ...createOneLife('late'), submittedMs: slotMs, runs: [run] };
    const window = { fromMs: slotMs + HOUR_MS, toMs: slotMs + 2 * HOUR_MS + 2 * MINUTE_MS };
    const { influxdb, embedded } = await pair.both(async (url) => {
      await createInfluxqlClient(url).write([...createEventsAlone(life), ...createHeartbeats(life)]);
      return read(url, { window, stepMs: HOUR_MS, report: 'utilization', filter: { users: ['late'] } });
    });
    expect(embedded).toEqual(influxdb);
    const steps = { timesMs: [window.fromMs, window.toMs], values: [4, 4] };
    expect(influxdb).toMatchObject({ kind: 'steps', curves: new Map([['utilization', steps]]) });
  });

  it('reads events of topic state of a program that writes nothing else', async () => {
    const [window, life] = [
      { fromMs: BEGIN_MS + 100 * HOUR_MS, toMs: BEGIN_MS + 109 * HOUR_MS },
      createOneLife('other'),
    ];
    const points = listTransitions({ ...life, submittedMs: window.fromMs }).map(
      ({ timeMs, fromState, toState, nodes }) =>
        createEventPoint(
          life,
          {
            topic: 'state',
            toState,
            ...(fromState !== undefined && { fromState }),
            data: { num_nodes: nodes ?? null },
          },
          toNs(timeMs)
        )
    );
    const { influxdb, embedded } = await pair.both(async (url) => {
      await createInfluxqlClient(url).write(points);
      const request = { window, stepMs: HOUR_MS };
      return Promise.all([
        read(url, { ...request, report: 'utilization', filter: { users: ['other'] } }),
        read(url, { ...request, report: 'nodes', filter: { jobs: ['1 of other'] } }),
        read(url, { ...request, report: 'usage', maxUntold: 2 }),
        read(url, { ...request, report: 'usage', filter: { users: ['nobody'] } }),
      ]);
    });
    expect(embedded).toEqual(influxdb);
    const timesMs = [0, 1, 3, 9].map((hour) => window.fromMs + hour * HOUR_MS);
    const steps = { timesMs, values: [0, 4, 0, 0] };
    expect(influxdb).toEqual([
      { kind: 'steps', isExact: true, isCut: false, curves: new Map([['utilization', steps]]) },
      { kind: 'steps', isExact: true, isCut: false, curves: new Map([['nodes', steps]]) },
      expect.objectContaining({ isCut: true }),
      { kind: 'usage', isExact: true, isCut: false, usage: [] },
    ]);
  });
});
