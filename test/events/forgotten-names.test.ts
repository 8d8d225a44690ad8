import { findFailures } from '@joblens/core/ask/events/failures';
import { readEvents } from '@joblens/core/ask/events/events';
import { readAnalytics } from '@joblens/core/ask/analytics/analytics';
import { createForgottenPoints, jobMarksQueries } from '@joblens/core/ask/jobs/delete-job';
import { createForgottenName } from '@joblens/core/ask/reading/forgotten-jobs';
import type { Reading } from '@joblens/core/ask/reading/reading';
import type { ReadableResult } from '@joblens/core/ask/reading/result-rows';
import { readStep } from '@joblens/core/analytics/steps';
import { describeWith } from '../components.js';
import { type Pair, startFilledPair } from '../conformance/targets.js';
import { createInfluxqlClient, readAll } from '../influxql-client.js';
import { atNs, createChange, START_MS } from './stored-events.js';

/** Named as what is written in place of a deleted job's name, or nearly so. */
const ALIKE = [
  ...['deleted-1', 'deleted-cafe', 'deleted-0123456789', '-deleted-ab', "deleted-a.b (o'hara)", 'deleted-'],
  ...[createForgottenName(0.5), '\u241b', '\u241bDdeleted-0123456789', 'deleted-0123456789\n'],
];
const GONE = 'was "here" (1)';
const RANGE = { fromNs: atNs(-10), toNs: atNs(1000) };

function* readMarks(job: string): Reading<readonly ReadableResult[]> {
  return yield jobMarksQueries({ job, user: 'ann' }, { fromNs: 0n });
}

describeWith(['influxd'], 'jobs named as those that were deleted', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(
      [...ALIKE, GONE].flatMap((job, at) => [
        ...createChange({ job, user: 'ann' }, at, { toState: 'RUNNING' }),
        ...createChange({ job, user: 'ann' }, 100 + at, { fromState: 'RUNNING', toState: 'FAILED' }),
      ])
    );
    await pair.both(async (url) => {
      const client = createInfluxqlClient(url);
      const marks = await readAll(client, readMarks(GONE));
      await client.write(createForgottenPoints(marks, createForgottenName(0.25)));
    });
  });
  afterAll(() => pair.stop());

  it('are in all lists, and those that were deleted are in none', async () => {
    const { influxdb, embedded } = await pair.both(async (url) => {
      const client = createInfluxqlClient(url);
      const filter = { afterNs: RANGE.fromNs, beforeNs: RANGE.toNs, toStates: ['FAILED'] };
      const { events } = await readAll(client, readEvents({ filter, order: 'oldest-first', limit: 100 }));
      const { failures } = await readAll(client, findFailures({ ...RANGE, limit: 100 }));
      return [events, failures.toReversed()].map((list) => list.map(({ job }) => job));
    });
    for (const lists of [influxdb, embedded]) expect(lists).toEqual([ALIKE, ALIKE]);
  });

  it('count in reports, as do those that were deleted', async () => {
    const window = { fromMs: START_MS - 10_000, toMs: START_MS + 1_000_000 };
    const request = { report: 'throughput', window, stepMs: 1000, filter: { toStates: ['FAILED'] } } as const;
    const { influxdb, embedded } = await pair.both(async (url) => {
      const answer = await readAll(createInfluxqlClient(url), readAnalytics(request));
      const [steps] = answer.kind === 'steps' ? answer.curves.values() : [];
      return steps && readStep(steps, window.toMs);
    });
    expect([influxdb, embedded]).toEqual([ALIKE.length + 1, ALIKE.length + 1]);
  });
});
