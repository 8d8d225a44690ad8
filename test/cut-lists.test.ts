import type { Point } from '@joblens/core/point/point';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createEventPoint, createJobPoint } from '@joblens/core/schema/job-point';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { joblens } from './joblens-command.js';

const START_MS = 1_700_000_000_000;
const RANGE = ['--after', '2023-11-14T22:00:00Z', '--before', '2023-11-15T00:00:00Z'];
const toNs = (second: number): bigint => BigInt(START_MS) * 1_000_000n + BigInt(Math.round(second * 1e6)) * 1000n;
const nameOf = (at: number): string => `it's "${at}" (a.b)`;

/** A job that lived in the range. */
function createJob(job: string, user: string): readonly Point[] {
  const description = { state: 'COMPLETED', startedMs: START_MS, endedMs: START_MS + 60_000 };
  return [
    createJobPoint({ job, user }, description, toNs(60)),
    ...HEARTBEAT_GRIDS.map((grid) =>
      createHeartbeatPoint({ job, user }, grid, findSlotStartMs(START_MS, grid), description)
    ),
  ];
}

const repeat = <T>(count: number, create: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => create(at));

/** As many transitions of a task, by one job. */
const createStory = (key: string, count: number): readonly Point[] =>
  repeat(count, (at) =>
    createEventPoint(
      { job: 'dask', user: 'zoe' },
      { topic: 'transitions', data: { key, start: 'a', finish: 'b' } },
      toNs(at / 1000) + (key === 'full' ? 0n : 7n)
    )
  );

/** One job writes all events of a topic, as one that crashes again and again. */
const createTopic = (topic: string, count: number): readonly Point[] =>
  repeat(count, (at) => createEventPoint({ job: 'loop', user: 'zoe' }, { topic, data: { at } }, toNs(at)));

const POINTS = [
  ...repeat(100, (at) => createJob(nameOf(at), 'ann (full)')).flat(),
  ...repeat(101, (at) => createJob(nameOf(at), 'bob')).flat(),
  ...createTopic('full', 100),
  ...createTopic('more', 101),
  ...createStory('full', 10_000),
  ...createStory('more', 10_001),
];

/** Each list as it is asked for by a name: `full` has just as many rows as are shown, `more` has one more. */
const LISTS: ReadonlyArray<readonly [list: string, create: (which: 'full' | 'more') => readonly string[]]> = [
  ['events', (which) => ['events', ...RANGE, '--topic', which]],
  ['the oldest events', (which) => ['events', ...RANGE, '--topic', which, '--order', 'oldest']],
  ['jobs', (which) => ['jobs', ...RANGE, '--user', which === 'full' ? 'ann (full)' : 'bob']],
  ['named jobs', (which) => ['jobs', ...repeat(101, nameOf), '--user', which === 'full' ? 'ann (full)' : 'bob']],
  ['a story', (which) => ['story', which, ...RANGE]],
];

describeWith(['influxd'], 'a list that is not whole', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(POINTS);
  });
  afterAll(() => pair.stop());

  it.each(LISTS)('says so: %s, also to programs', async (list, create) => {
    for (const form of [[], ['--json'], ['--csv']]) {
      const [full, more] = [
        [...create('full'), ...form],
        [...create('more'), ...form],
      ];
      const ended = await pair.both(async (url) => [await joblens(full, url), await joblens(more, url)] as const);
      for (const [whole, cut] of [ended.influxdb, ended.embedded]) {
        // A named job that is missing is an error.
        if (list !== 'named jobs') expect(whole).toMatchObject({ code: 0, stderr: '' });
        expect(cut.code).toBe(0);
        expect(cut.stderr).toMatch(/^joblens: .*give --limit 0 for all\n$/);
        expect((await joblens([...more, '--limit', '0'], pair.embedded.url)).stderr).toBe('');
      }
    }
  });

  it('is what was asked for, where somebody says how long it is to be', async () => {
    for (const [, create] of LISTS) {
      const ended = await joblens([...create('more'), '--limit', '5', '--json'], pair.embedded.url);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout.trimEnd().split('\n')).toHaveLength(5);
    }
  });
});
