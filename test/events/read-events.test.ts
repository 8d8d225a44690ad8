import { createEventPoint, createJobPoint } from '@joblens/core/schema/job-point';
import { readEventCounts } from '@joblens/core/ask/events/event-counts';
import { type EventRecord, type EventsRequest, type FoundEvents, readEvents } from '@joblens/core/ask/events/events';
import { readStory, storyQuery } from '@joblens/core/ask/events/story';
import { readTopics } from '@joblens/core/ask/events/topics';
import type { EventFilter } from '@joblens/core/ask/events/event-filter';
import type { Reading } from '@joblens/core/ask/reading/reading';
import { describeWith } from '../components.js';
import { type Pair, startFilledPair, startPair } from '../conformance/targets.js';
import { createInfluxqlClient, readAll } from '../influxql-client.js';
import { atNs, createChange, EVENT_POINTS, START_MS } from './stored-events.js';

const readOf = <T>(url: string, reading: Reading<T>): Promise<T> => readAll(createInfluxqlClient(url), reading);

/** `101 PENDING>RUNNING 10`: the job, the topic or states, and the second. */
function formatEvent({ timeNs, job, topic, fromState = '', toState = '' }: EventRecord): string {
  const what = topic === 'state' ? `${fromState}>${toState}` : topic;
  return `${job} ${what} ${Math.floor(Number(timeNs / 1_000_000n - BigInt(START_MS)) / 1000)}`;
}

/** The filters of docs/events.md, and what they find. */
const CASES: readonly (readonly [string, EventFilter, readonly string[]])[] = [
  [
    'one job',
    { jobs: ['101'], topics: ['state'] },
    ['101 >PENDING 0', '101 PENDING>RUNNING 10', '101 RUNNING>COMPLETED 100'],
  ],
  [
    'several jobs',
    { jobs: ['101', '103'], toStates: ['RUNNING'] },
    ['101 PENDING>RUNNING 10', '103 PENDING>RUNNING 50'],
  ],
  ['a state of all jobs', { toStates: ['FAILED'] }, ['102_1 RUNNING>FAILED 120']],
  [
    'two states of all jobs, none twice',
    { fromStates: ['PENDING', 'RUNNING'], toStates: ['RUNNING', 'COMPLETED'] },
    [
      ...['101 PENDING>RUNNING 10', '102_1 PENDING>RUNNING 30', '103 PENDING>RUNNING 50'],
      ...['101 RUNNING>COMPLETED 100', '103 RUNNING>COMPLETED 140'],
    ],
  ],
  [
    'a time, both ends inclusive',
    { afterNs: atNs(201), beforeNs: atNs(203) },
    ['101 runtimes 201', 'dask-1 runtimes 202', 'dask-1 a topic, with=all 203'],
  ],
  [
    'an id of the scheduler',
    { schedulerIds: ['9102'], topics: ['state'] },
    ['102_1 >PENDING 20', '102_1 PENDING>RUNNING 30', '102_1 RUNNING>FAILED 120'],
  ],
  [
    'a tag',
    { tags: { experiment: 'foo' }, toStates: ['RUNNING'] },
    ['101 PENDING>RUNNING 10', '102_1 PENDING>RUNNING 30'],
  ],
  [
    'two tags, which must both match',
    { tags: { experiment: 'foo', team: 'a' }, toStates: ['RUNNING'] },
    ['101 PENDING>RUNNING 10'],
  ],
  ['a user', { users: ["o'hara"], toStates: ['COMPLETED'] }, ['103 RUNNING>COMPLETED 140']],
  ['a text in data', { text: 'OF "mem' }, ['102_1 RUNNING>FAILED 120']],
  ['a text as JSON writes it', { text: '"seconds":3' }, ['101 runtimes 201']],
  ['a text of a user', { text: 'Nodes":', users: ["o'hara"] }, ['103 PENDING>RUNNING 50']],
  ['a topic', { topics: ['runtimes'] }, ['101 runtimes 200', '101 runtimes 201', 'dask-1 runtimes 202']],
  [
    'two topics',
    { topics: ['a topic, with=all', 'state'], afterNs: atNs(140) },
    ['103 RUNNING>COMPLETED 140', 'dask-1 a topic, with=all 203'],
  ],
  ['nothing', { jobs: ['none'] }, []],
];

describeWith(['influxd'], 'events in InfluxDB and the embedded store', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(EVENT_POINTS);
  });
  afterAll(() => pair.stop());

  const readBoth = async (request: EventsRequest): Promise<FoundEvents> => {
    const found = await pair.both((url) => readOf(url, readEvents(request)));
    expect(found.embedded).toEqual(found.influxdb);
    return found.influxdb;
  };

  it.each(CASES)('are found by %s', async (_what, filter, expected) => {
    const { events, isCut } = await readBoth({ filter, order: 'oldest-first', limit: 100 });
    expect(events.map(formatEvent)).toEqual(expected);
    expect(isCut).toBe(false);
    const newest = await readBoth({ filter, order: 'newest-first', limit: 2 });
    expect(newest.events.map(formatEvent)).toEqual([...expected].reverse().slice(0, 2));
    expect(newest.isCut).toBe(expected.length > 2);
  });

  it.each(['oldest-first', 'newest-first'] as const)('are found by text in rounds: %s', async (order) => {
    const afterNs = atNs(0);
    const filter = { text: 'S', afterNs, beforeNs: atNs(203) };
    for (const limit of [1, 2, 3, 5, 100]) {
      const inRounds = await readBoth({ filter, order, limit, nowNs: atNs(1000) });
      expect(inRounds).toEqual(await readBoth({ filter, order, limit }));
      const untilNow = await readBoth({ filter: { text: 'S', afterNs }, order, limit, nowNs: atNs(150) });
      expect(untilNow).toEqual(await readBoth({ filter: { text: 'S', afterNs }, order, limit }));
    }
  });

  it('hold their data as it was logged, whatever way they are found', async () => {
    const ofJob = await readBoth({
      filter: { jobs: ['102_1'], toStates: ['FAILED'] },
      order: 'oldest-first',
      limit: 9,
    });
    const ofAll = await readBoth({ filter: { toStates: ['FAILED'] }, order: 'oldest-first', limit: 9 });
    expect(ofJob.events.map(({ data }) => data)).toEqual([JSON.stringify({ exit_code: 1, reason: 'out of "memory"' })]);
    expect(ofAll.events.map(({ data }) => data)).toEqual(ofJob.events.map(({ data }) => data));
  });

  it('have topics, with their counts', async () => {
    const { influxdb, embedded } = await pair.both((url) => readOf(url, readTopics({})));
    expect(influxdb.topics.map(({ topic, events }) => [topic, events])).toEqual([
      ...[
        ['state', 9],
        ['transitions', 5],
        ['runtimes', 3],
      ],
      ['a topic, with=all', 1],
    ]);
    expect(embedded).toEqual(influxdb);
    const tagged = await readOf(pair.influxdb.url, readTopics({ tags: { team: 'a' } }));
    expect(tagged.topics).toEqual([
      { topic: 'state', events: 3 },
      { topic: 'runtimes', events: 2 },
    ]);
  });

  it.each([
    [
      'a key',
      ['inc-1'],
      ['sum-1 released>waiting', 'inc-1 released>waiting', 'inc-1 waiting>processing', 'other waiting>memory'],
    ],
    ['a stimulus', ['update-graph-1'], ['sum-1 released>waiting', 'inc-1 released>waiting']],
    ['another key', ['inc-10'], ['inc-10 waiting>processing']],
  ])('tell the story of %s', async (_what, keys, expected) => {
    const { influxdb, embedded } = await pair.both(async (url) => {
      const [result] = await createInfluxqlClient(url).ask(storyQuery({ keys, limit: 100 }));
      return readStory(result, keys);
    });
    expect(influxdb.map(({ key, start, finish }) => `${key} ${start}>${finish}`)).toEqual(expected);
    expect(embedded).toEqual(influxdb);
  });

  it.each(['oldest-first', 'newest-first'] as const)(
    'are found in pages, also where many have one time: %s',
    async (order) => {
      const jobs = Array.from({ length: 60 }, (_, i) => ({ job: `array_${i}`, user: 'eve' }));
      const points = jobs.flatMap((source, i) => [
        createJobPoint(source, { tags: { nth: String(i % 10) } }, atNs(1000)),
        ...createChange(source, 1000 + (i % 7), { toState: 'PENDING' }),
        createEventPoint(source, { topic: 'seen', data: i }, atNs(i < 40 ? 1000 : 1001)),
      ]);
      await pair.both((url) => createInfluxqlClient(url).write(points));
      const filter = { users: ['eve'], tags: { nth: '7' } };
      const { events } = await readBoth({ filter, order, limit: 100, pageSize: 7 });
      const wanted = [0, 1, 2, 3, 4, 5].map((n) => `array_${n}7`.replace('_0', '_'));
      for (const topic of ['seen', 'state']) {
        expect(
          events
            .filter((event) => event.topic === topic)
            .map(({ job }) => job)
            .sort()
        ).toEqual(wanted.sort());
      }
      const times = events.map(({ timeNs }) => timeNs);
      const sorted = times.toSorted((a, b) => (a < b ? -1 : 1));
      expect(times).toEqual(order === 'oldest-first' ? sorted : sorted.toReversed());
    }
  );
});

describeWith(['influxd'], 'changes of state that a program writes as job_event alone, beside those of Joblens', () => {
  let pair: Pair;
  beforeAll(async () => {
    const points = [
      ...EVENT_POINTS,
      createEventPoint({ job: 'balsam-7', user: 'eve' }, ALONE, atNs(400)),
      // A key of its data that has the name of a tag stays in the JSON.
      createEventPoint({ job: 'balsam-7', user: 'eve' }, { topic: 'other', data: { state_source: 7 } }, atNs(401)),
    ];
    pair = await startPair();
    await pair.both(async (url) => {
      const client = createInfluxqlClient(url);
      await client.post('CREATE DATABASE "joblens"');
      await client.write(points);
    });
  });
  afterAll(async () => {
    await pair.stop();
  });

  const ALONE = { topic: 'state', fromState: 'RUNNING', toState: 'FAILED', data: { num_nodes: 3 } };
  const OWN = '102_1 RUNNING>FAILED 120';
  const OTHER = 'balsam-7 RUNNING>FAILED 400';

  it.each<readonly [string, EventFilter, readonly string[]]>([
    ['a state', { toStates: ['FAILED'] }, [OTHER, OWN]],
    ['a state and the topic', { topics: ['state'], toStates: ['FAILED'] }, [OTHER, OWN]],
    ['topics', { topics: ['state', 'other'], users: ['eve'] }, ['balsam-7 other 401', OTHER]],
    ['a user', { users: ['eve'] }, ['balsam-7 other 401', OTHER]],
    ['a text', { text: 'num_nodes' }, [OTHER]],
    ['a job', { jobs: ['balsam-7'], topics: ['state'] }, [OTHER]],
  ])('are found by %s, once', async (_what, filter, expected) => {
    const found = await pair.both(async (url) => {
      const { events } = await readOf(url, readEvents({ filter, order: 'newest-first', limit: 100 }));
      return events.map(formatEvent);
    });
    expect(found).toEqual({ influxdb: expected, embedded: expected });
  });

  it('are counted', async () => {
    const filter = { users: ['eve'] };
    const { influxdb, embedded } = await pair.both(async (url) => ({
      topics: (await readOf(url, readTopics(filter))).topics,
      counts: (await readOf(url, readEventCounts({ filter, stepMs: 3_600_000 }))).counts.length,
    }));
    expect(embedded).toEqual(influxdb);
    const topics = ['other', 'state'].map((topic) => ({ topic, events: 1 }));
    expect(influxdb).toEqual({ topics, counts: 2 });
  });
});

describeWith(['influxd'], 'events of programs that write job_event alone', () => {
  it('are found in the whole store', async () => {
    const pair = await startPair();
    try {
      const points = EVENT_POINTS.filter(({ measurement }) => measurement !== 'job_transition');
      await pair.both(async (url) => {
        const client = createInfluxqlClient(url);
        await client.post('CREATE DATABASE "joblens"');
        await client.write(points);
        const request = { filter: { toStates: ['FAILED'] }, order: 'newest-first', limit: 5 } as const;
        const { events } = await readOf(url, readEvents(request));
        expect(events.map(formatEvent)).toEqual(['102_1 RUNNING>FAILED 120']);
      });
    } finally {
      await pair.stop();
    }
  });
});
