import { addFailureReasons, failureReasonsQuery, findFailures } from '@joblens/core/ask/events/failures';
import { namesQuery, readNames } from '@joblens/core/ask/jobs/names';
import { readEventCounts } from '@joblens/core/ask/events/event-counts';
import type { EventFilter } from '@joblens/core/ask/events/event-filter';
import { describeWith } from '../components.js';
import { type Pair, startFilledPair } from '../conformance/targets.js';
import { createInfluxqlClient, readAll } from '../influxql-client.js';
import { atNs, EVENT_POINTS, START_MS } from './stored-events.js';

const RANGE = { afterNs: atNs(0), beforeNs: atNs(1000) };

/** `signal 20 3`: the topic, the second at which its bin begins, and the number. */
async function count(url: string, filter: EventFilter): Promise<string[]> {
  const request = { filter: { ...RANGE, ...filter }, stepMs: 100_000 };
  const { counts } = await readAll(createInfluxqlClient(url), readEventCounts(request));
  return counts.map(({ topic, fromMs, events }) => `${topic} ${(fromMs - START_MS) / 1000} ${events}`).sort();
}

describeWith(['influxd'], 'counts of events, and failures', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(EVENT_POINTS);
  });
  afterAll(() => pair.stop());

  it.each<readonly [string, EventFilter, readonly string[]]>([
    ['all', {}, [...['a topic, with=all 200 1', 'runtimes 200 3', 'state 0 6', 'state 100 3', 'transitions 300 5']]],
    ['of some states', { toStates: ['RUNNING'] }, ['state 0 3']],
    ['of jobs with a tag', { tags: { experiment: 'foo' }, topics: ['state'] }, ['state 0 4', 'state 100 2']],
  ])('events are counted by topic and time: %s', async (_name, filter, expected) => {
    await pair.both(async (url) => {
      expect(await count(url, filter)).toEqual(expected);
    });
  });

  it('failures come with the reasons of their jobs', async () => {
    const request = { fromNs: RANGE.afterNs, toNs: RANGE.beforeNs, limit: 5 };
    await pair.both(async (url) => {
      const client = createInfluxqlClient(url);
      const { failures } = await readAll(client, findFailures(request));
      expect(failures.map(({ job, user, state }) => [job, user, state])).toEqual([['102_1', 'ann', 'FAILED']]);
      const [described] = await client.ask(failureReasonsQuery(failures));
      expect(addFailureReasons(failures, described)).toHaveLength(1);
    });
  });

  it('the states that jobs have come to can be chosen', async () => {
    await pair.both(async (url) => {
      const results = await createInfluxqlClient(url).ask(...namesQuery({ kind: 'states' }));
      expect(readNames('states', results)).toEqual(['COMPLETED', 'FAILED', 'PENDING', 'RUNNING']);
    });
  });
});
