import fc from 'fast-check';
import { createHeartbeatPoint, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import { readAnalytics } from '@joblens/core/ask/analytics/analytics';
import { readStep } from '@joblens/core/analytics/steps';
import type { AnalyticsAnswer, AnalyticsRequest } from '@joblens/core/ask/analytics/analytics-answer';
import type { Point } from '@joblens/core/point/point';
import type { TimeWindow } from '@joblens/core/analytics/transition';
import { createLives, type Life, listTransitions } from '../core/src/analytics/testing/random-histories.js';
import { startEmbeddedStore } from './conformance/targets.js';
import type { StoreUnderTest } from './store-under-test.js';
import { createInfluxqlClient, type InfluxqlClient, readAll } from './influxql-client.js';
import { randomCases, SEED } from './random-cases.js';

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const DAY_MS = 24 * HOUR_MS;
const BEGIN_MS = 1_700_000_000_000;
const SLOT_MS = HEARTBEAT_GRIDS[0].slotMs;
const SETS = randomCases(6);

/** What a job leaves behind, and until when: after that, nobody writes anything of it. */
interface Remains extends Life {
  readonly signs: 'both' | 'transitions' | 'heartbeats';
  /** Whether anything says when a run began. */
  readonly saysStart: boolean;
  readonly diesAtMs: number;
}

function createRemains(set: number): readonly Remains[] {
  const random = fc.sample(createLives(BEGIN_MS, [2 * HOUR_MS, 9 * HOUR_MS, 5 * DAY_MS][set % 3] ?? 0), {
    numRuns: 1,
    seed: SEED + set,
  })[0];
  const traits = fc.sample(
    fc.record({
      signs: fc.constantFrom('both', 'both', 'transitions', 'heartbeats'),
      saysStart: fc.boolean(),
      died: fc.constantFrom(0.1, 0.35, 0.6, 0.9, 1.1),
    }),
    { numRuns: 12, seed: SEED + set }
  );
  return (random ?? []).flatMap((life, i) => {
    const trait = traits[i];
    if (trait === undefined) return [];
    const { signs, saysStart, died } = trait;
    const endMs = listTransitions(life).at(-1)?.timeMs ?? life.submittedMs;
    const diesAtMs = life.submittedMs + died * (endMs - life.submittedMs);
    return [{ ...life, user: `${life.user} ${signs} ${set}`, job: `${set} ${i}`, signs, saysStart, diesAtMs } as const];
  });
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** When a job ran, until it died. */
function listRuns(remains: Remains): readonly Span[] {
  const told = listTransitions(remains).filter(({ timeMs }) => timeMs <= remains.diesAtMs);
  return told.flatMap(({ toState, timeMs: fromMs }, i) =>
    toState === 'RUNNING' ? [{ fromMs, toMs: told[i + 1]?.timeMs ?? remains.diesAtMs }] : []
  );
}

function tellStart(startedMs: number | undefined, timeMs: number): { startedMs?: number; runtimeS?: number } {
  return startedMs === undefined ? {} : { startedMs, runtimeS: (timeMs - startedMs) / 1000 };
}

function createPoints(remains: Remains): Point[] {
  const { signs, saysStart, diesAtMs, nodes, cpus } = remains;
  const told = listTransitions(remains).filter(({ timeMs }) => timeMs <= diesAtMs);
  const toNs = (timeMs: number): bigint => BigInt(timeMs) * 1_000_000n;
  const description = { tags: { kind: remains.job.endsWith('1') ? 'odd' : 'even' }, schedulerId: `s${remains.job}` };
  const transitions = told.map(({ timeMs, startedMs, ...transition }) =>
    createTransitionPoint(
      transition,
      { origin: 'slurm', ...transition, ...(saysStart && tellStart(startedMs, timeMs)) },
      toNs(timeMs)
    )
  );
  const untilMs = told.at(-1)?.fromState === 'RUNNING' && told.at(-1)?.toState !== 'PENDING' ? 0 : diesAtMs;
  const lastMs = Math.max(untilMs, told.at(-1)?.timeMs ?? 0);
  const heartbeats = HEARTBEAT_GRIDS.flatMap((grid) => {
    const points: Point[] = [];
    const first = Math.floor(remains.submittedMs / grid.slotMs) * grid.slotMs;
    for (let slotMs = first; slotMs <= lastMs; slotMs += grid.slotMs) {
      const now = told.findLast(({ timeMs }) => timeMs <= Math.min(lastMs, slotMs + grid.slotMs - 1));
      if (now === undefined) continue;
      const startedMs = saysStart && now.toState === 'RUNNING' ? now.timeMs : undefined;
      points.push(createHeartbeatPoint(remains, grid, slotMs, { state: now.toState, startedMs, nodes, cpus }));
    }
    return points;
  });
  return [
    createJobPoint(remains, description, toNs(remains.submittedMs)),
    ...(signs === 'heartbeats' ? [] : transitions),
    ...(signs === 'transitions' ? [] : heartbeats),
  ];
}

/** Node hours of these spans, cut to the window; each may be longer by so much at both ends. */
function sumNodeHours(
  jobs: readonly Remains[],
  listSpans: (job: Remains) => readonly Span[],
  window: TimeWindow,
  slackMs = 0
): number {
  return jobs
    .flatMap((job) =>
      listSpans(job).map(({ fromMs, toMs }) => {
        const [beginMs, endMs] = [Math.max(fromMs - slackMs, window.fromMs), Math.min(toMs + slackMs, window.toMs)];
        return ((job.nodes ?? 1) * Math.max(0, endMs - beginMs)) / HOUR_MS;
      })
    )
    .reduce((a, b) => a + b, 0);
}

function readNodeHours(answer: AnalyticsAnswer, { fromMs, toMs }: TimeWindow): number {
  if (answer.kind === 'usage') return answer.usage.reduce((sum, { nodeHours }) => sum + nodeHours, 0);
  const [steps] = answer.kind === 'steps' ? answer.curves.values() : [];
  if (steps === undefined) return 0;
  const timesMs = [...steps.timesMs, toMs].filter((timeMs) => timeMs >= fromMs && timeMs <= toMs);
  return timesMs.reduce((sum, timeMs, i) => {
    const beforeMs = timesMs[i - 1] ?? timeMs;
    return sum + (readStep(steps, beforeMs) * (timeMs - beforeMs)) / HOUR_MS;
  }, 0);
}

const REPORTS = ['usage', 'utilization', 'nodes'] as const;
const SIGNS = ['both', 'transitions', 'heartbeats'] as const;

describe('node hours of jobs whose end nobody wrote', () => {
  let target: StoreUnderTest;
  let client: InfluxqlClient;
  const sets = Array.from({ length: SETS }, (_, set) => createRemains(set));
  beforeAll(async () => {
    target = await startEmbeddedStore();
    client = createInfluxqlClient(target.url);
    await client.post('CREATE DATABASE "joblens"');
    await client.write(sets.flat().flatMap(createPoints));
  });
  afterAll(() => target.stop());

  const windows = fc.sample(
    fc.record({
      fromMs: fc.oneof(
        fc.integer({ min: BEGIN_MS - 2 * HOUR_MS, max: BEGIN_MS + 3 * DAY_MS }),
        fc.constantFrom(BEGIN_MS - 20 * DAY_MS, BEGIN_MS - 5 * 365 * DAY_MS)
      ),
      lengthMs: fc.constantFrom(HOUR_MS, 7 * HOUR_MS, 2 * DAY_MS, 20 * DAY_MS, 5 * 365 * DAY_MS),
      stepMs: fc.constantFrom(MINUTE_MS, 10 * MINUTE_MS),
    }),
    { numRuns: SETS * 2, seed: SEED }
  );
  /** From within the life of a job to some time after its death. */
  const deaths = sets.flatMap((jobs, set) =>
    jobs.slice(0, 4).map(({ diesAtMs }, i) => ({
      set,
      fromMs: Math.floor(diesAtMs) - (i + 1) * 20 * MINUTE_MS,
      lengthMs: [2, 9, 30, 400][i] ?? 0,
    }))
  );
  const cases = [
    ...windows.map((window, i) => ({ ...window, set: i % SETS })),
    ...deaths.map(({ lengthMs, ...death }) => ({ ...death, lengthMs: lengthMs * HOUR_MS, stepMs: MINUTE_MS })),
  ];

  /** The jobs that count, and how a request chooses them. */
  function listNarrowings(jobs: readonly Remains[]): Array<readonly [readonly Remains[], Partial<AnalyticsRequest>]> {
    const users = [...new Set(jobs.map(({ user }) => user))];
    const [one] = jobs;
    if (one === undefined) return [];
    const ofUser = jobs.filter(({ user }) => user === one.user);
    return [
      [jobs, { filter: { users } }],
      [ofUser, { filter: { users: [one.user] } }],
      [jobs.filter(({ job }) => job.endsWith('1')), { filter: { users, tags: { kind: 'odd' } } }],
      [[one], { filter: { schedulerIds: [`s${one.job}`] } }],
      [[one], { filter: { users, jobs: [one.job] } }],
      // Added up by the store, which cannot tell of runs of which it has neither an end nor a heartbeat.
      ...(one.signs === 'transitions' ? [] : [[jobs, { filter: { users }, maxRows: 0 }] as const]),
    ];
  }

  it.each(REPORTS.flatMap((report) => SIGNS.map((signs) => [report, signs] as const)))(
    '%s of jobs that leave %s lies between their first and last sign of life',
    async (report, signs) => {
      for (const { set, fromMs, lengthMs, stepMs } of cases) {
        const window = { fromMs, toMs: fromMs + lengthMs };
        const ofSet = (sets[set] ?? []).filter((job) => job.signs === signs);
        for (const [jobs, narrowing] of listNarrowings(ofSet)) {
          const answer = await readAll(client, readAnalytics({ report, window, stepMs, ...narrowing }));
          const hours = readNodeHours(answer, window);
          const listLife = (job: Remains): readonly Span[] => [{ fromMs: job.submittedMs, toMs: job.diesAtMs }];
          const most = sumNodeHours(jobs, listLife, window, 2 * SLOT_MS + stepMs);
          // Nobody knows the nodes of all, and heartbeats alone do not say when a job ran.
          const isWhole = signs === 'both' && report !== 'nodes' && narrowing.maxRows === undefined;
          const least = isWhole ? sumNodeHours(jobs, listRuns, window) - 1e-6 : 0;
          const found = { ...window, ...narrowing, hours, least, most };
          expect({ ...found, isBounded: hours >= least && hours <= most }).toEqual({ ...found, isBounded: true });
        }
      }
    }
  );
});
