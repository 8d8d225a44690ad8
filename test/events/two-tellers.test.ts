import { createEventPoint } from '@joblens/core/schema/job-point';
import { createTransitionPoint, type TransitionOrigin } from '@joblens/core/schema/transition-point';
import { findEventPlaces, type FoundEvents, readEventPage, readEvents } from '@joblens/core/ask/events/events';
import { readAnalytics } from '@joblens/core/ask/analytics/analytics';
import { readEventCounts } from '@joblens/core/ask/events/event-counts';
import { readTopics } from '@joblens/core/ask/events/topics';
import type { AnalyticsReport } from '@joblens/core/ask/analytics/analytics-answer';
import type { EventFilter } from '@joblens/core/ask/events/event-filter';
import type { Point } from '@joblens/core/point/point';
import type { Reading } from '@joblens/core/ask/reading/reading';
import { describeWith } from '../components.js';
import { type Pair, startFilledPair } from '../conformance/targets.js';
import { createInfluxqlClient, readAll } from '../influxql-client.js';
import { atNs, START_MS } from './stored-events.js';

/** What is written of a job: by Slurm, by a `run` in it, or by a `run` elsewhere; in the range, or before it. */
interface ToldJob {
  readonly job: string;
  readonly user: string;
  readonly tellers: readonly TransitionOrigin[];
  /** Slurm told of it in seconds before the range alone. */
  readonly isEarly?: true;
}

const JOBS: readonly ToldJob[] = [
  { job: '100', user: 'ann', tellers: ['slurm', 'slurm-job'] },
  { job: '101', user: 'ann', tellers: ['slurm-job'] },
  { job: '102', user: "o'hara", tellers: ['slurm'] },
  { job: '103', user: 'ann', tellers: ['job'] },
  // Two clusters in one store.
  { job: '104', user: 'ann', tellers: ['slurm', 'slurm-job'] },
  { job: '104', user: 'b (x)', tellers: ['slurm-job'] },
  { job: '105_[1-3].(a|b)/c\\ "q"', user: 'b (x)', tellers: ['slurm-job'] },
  { job: "106'$^", user: 'ann', tellers: ['slurm', 'slurm-job'], isEarly: true },
];
const AFTER_NS = atNs(0);

/** A run of 60 s. What Slurm says comes half a second before what the `run` says. */
function createPoints({ job, user, tellers, isEarly }: ToldJob, at: number): Point[] {
  return tellers.flatMap((origin) => {
    const beginS = at * 10 + (origin === 'slurm' ? 0 : 0.5) - (isEarly === true && origin === 'slurm' ? 1000 : 0);
    const startedMs = START_MS + beginS * 1000;
    const states = [
      { origin, toState: 'RUNNING', timeNs: atNs(beginS) },
      { origin, fromState: 'RUNNING', toState: 'FAILED', timeNs: atNs(beginS + 60), startedMs, runtimeS: 60 },
    ];
    return states.flatMap(({ timeNs, startedMs: ranFromMs, runtimeS, ...change }) => [
      createEventPoint({ job, user }, { topic: 'state', ...change, data: { word: 'Boot' } }, timeNs),
      createTransitionPoint(
        { job, user },
        { ...change, nodes: 1, startedMs: ranFromMs, runtimeS, data: '{"word":"Boot"}' },
        timeNs
      ),
    ]);
  });
}

/** Each job of the range once, and those that a filter wants. */
function listExpected(isWanted: (job: ToldJob) => boolean): string[] {
  return JOBS.filter(isWanted)
    .filter(({ isEarly }) => isEarly !== true)
    .map(({ job, user }) => `${user} ${job}`)
    .sort();
}

const FILTERS: readonly (readonly [string, EventFilter, (job: ToldJob) => boolean])[] = [
  ['all', {}, () => true],
  ['a user', { users: ['b (x)'] }, ({ user }) => user === 'b (x)'],
  ['a text', { text: 'BOOT' }, () => true],
  ...[...new Set(JOBS.map(({ job }) => job))].map(
    (name) => [`the job ${name}`, { jobs: [name] }, ({ job }: ToldJob) => job === name] as const
  ),
  ['all jobs by name', { jobs: JOBS.map(({ job }) => job) }, () => true],
];

const readOf = <T>(url: string, reading: Reading<T>): Promise<T> => readAll(createInfluxqlClient(url), reading);

describeWith(['influxd'], 'jobs of which both Slurm and a run in them tell', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(JOBS.flatMap(createPoints));
  });
  afterAll(() => pair.stop());

  it.each(FILTERS)('are in lists, counts and live lists once: %s', async (_what, filter, isWanted) => {
    const expected = listExpected(isWanted);
    const whole = { ...filter, topics: ['state'], toStates: ['FAILED'], afterNs: AFTER_NS, beforeNs: atNs(1000) };
    const format = ({ events }: FoundEvents): string[] => events.map(({ job, user }) => `${user} ${job}`).sort();
    const found = await pair.both(async (url) => {
      const places = await readOf(url, findEventPlaces(whole));
      const part = { fromNs: AFTER_NS, toNs: atNs(1000), limit: 100 };
      const live = await createInfluxqlClient(url).ask(...places.map(({ select }) => select(part)));
      const counted = await readOf(url, readEventCounts({ filter: whole, stepMs: 1_000_000 }));
      const topics = await readOf(url, readTopics(whole));
      return {
        list: format(await readOf(url, readEvents({ filter: whole, order: 'newest-first', limit: 100 }))),
        live: format(readEventPage(live, { order: 'newest-first', limit: 100 })),
        counts: counted.counts.reduce((sum, { events }) => sum + events, 0),
        topics: topics.topics.map(({ events }) => events),
      };
    });
    const count = expected.length;
    expect(found.influxdb).toEqual({
      ...{ list: expected, live: expected, counts: count, topics: count === 0 ? [] : [count] },
    });
    expect(found.embedded).toEqual(found.influxdb);
  });

  it.each(FILTERS.filter(([, { text }]) => text === undefined))(
    'count once in reports: %s',
    async (_what, filter, isWanted) => {
      const window = { fromMs: START_MS, toMs: START_MS + 1_000_000 };
      const count = async (url: string, report: AnalyticsReport, maxRows: number): Promise<number> => {
        const request = { report, window, stepMs: 500, filter: { ...filter, toStates: ['FAILED'] }, maxRows };
        const answer = await readOf(url, readAnalytics(request));
        if (answer.kind === 'usage') return answer.usage.reduce((sum, { runs }) => sum + runs, 0);
        if (answer.kind !== 'steps') throw new Error(answer.kind);
        return Math.max(0, ...[...answer.curves.values()].flatMap(({ values }) => values));
      };
      const expected = listExpected(isWanted).length;
      const starts = JOBS.flatMap((job, at) =>
        isWanted(job) && !job.tellers.includes('job') && job.isEarly !== true
          ? [at * 10 + (job.tellers.includes('slurm') ? 0 : 0.5)]
          : []
      );
      const peak = Math.max(0, ...starts.map((second) => starts.filter((s) => s <= second && s > second - 60).length));
      // Jobs by name are never added up by the store.
      for (const maxRows of filter.jobs === undefined ? [1000, 0] : [1000]) {
        const counts = await pair.both(async (url) => ({
          ...{ reached: await count(url, 'throughput', maxRows), runs: await count(url, 'usage', maxRows) },
          nodes: await count(url, 'nodes', maxRows),
        }));
        expect(counts.influxdb).toEqual({ reached: expected, runs: expected, nodes: peak });
        expect(counts.embedded).toEqual(counts.influxdb);
      }
    }
  );
});
