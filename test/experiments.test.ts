import { type Experiment, formatDay, listExperiments } from '@joblens/core/ask/labels/experiments';
import type { Point } from '@joblens/core/point/point';
import { createLabelPoint, createNoLabelPoint } from '@joblens/core/schema/label-point';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { createInfluxqlClient, readAll } from './influxql-client.js';
import { type Ended, joblens } from './joblens-command.js';

const DAY_MS = 86_400_000;
const LAST_MS = Date.UTC(2026, 1, 3, 23, 59);

interface Runs {
  readonly name: string;
  readonly user?: string;
  readonly jobs: readonly string[];
  /** How long before the last day they began. */
  readonly days: number;
}

const ODD = ['-', '.', 'a (b)', 'lr=0.1, "x"', "it's a-b.c", '--tag', '  spaces  ', 'näme, 2', '[x] $y'];
const RUNS: readonly Runs[] = [
  { name: 'sweep', jobs: ['s-1', 's (2)', "it's.3"], days: 400 },
  // The same ids of another user, and one of theirs again.
  { name: 'sweep', user: 'bob "b"', jobs: ['s-1', 's-4'], days: 2 },
  { name: 'sweep', user: 'bob "b"', jobs: ['s-4'], days: 3 },
  ...ODD.map((name, nth): Runs => ({ name, jobs: [`odd-${nth}`], days: 10 + nth })),
  { name: 'taken away', jobs: ['gone'], days: 1 },
  { name: 'newest', jobs: ['n-1', 'n-2'], days: 0 },
];

function createPoints({ name, user = 'ann', jobs, days }: Runs): readonly Point[] {
  const label = { key: 'experiment', value: name };
  return jobs.map((job) => createLabelPoint({ job, user }, label, LAST_MS - days * DAY_MS));
}

const POINTS: readonly Point[] = [
  ...RUNS.flatMap(createPoints),
  createNoLabelPoint({ job: 'gone', user: 'ann' }, { key: 'experiment', value: 'taken away' }, LAST_MS - DAY_MS),
  createNoLabelPoint({ job: "it's.3", user: 'ann' }, { key: 'experiment', value: 'sweep' }, LAST_MS - 400 * DAY_MS),
  createLabelPoint({ job: 's-1', user: 'ann' }, { key: 'group', value: 'none of these' }, LAST_MS),
];

const dayOf = (days: number): number => Date.UTC(2026, 1, 3) - days * DAY_MS;
const SWEEP: Experiment = { name: 'sweep', runs: 4, users: ['ann', 'bob "b"'], lastDayMs: dayOf(2) };
const NEWEST: Experiment = { name: 'newest', runs: 2, users: ['ann'], lastDayMs: dayOf(0) };
const ODD_ONES = ODD.map((name, nth): Experiment => ({ name, runs: 1, users: ['ann'], lastDayMs: dayOf(10 + nth) }));

describeWith(['influxd'], 'the experiments of a store', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(POINTS);
  });
  afterAll(() => pair.stop());

  async function list(user?: string): Promise<readonly Experiment[]> {
    const read = async (url: string) => readAll(createInfluxqlClient(url), listExperiments({ user }));
    const { influxdb, embedded } = await pair.both(read);
    expect(embedded).toEqual(influxdb);
    return influxdb;
  }

  it('are listed whenever they ran, the newest first, with their runs and users', async () => {
    expect(await list()).toEqual([NEWEST, SWEEP, ...ODD_ONES]);
    expect(await list('bob "b"')).toEqual([{ ...SWEEP, runs: 2, users: ['bob "b"'] }]);
    expect(await list('nobody')).toEqual([]);
  });

  async function compare(...args: readonly string[]): Promise<Ended> {
    const { influxdb, embedded } = await pair.both((url) => joblens(['compare', ...args], url));
    expect(embedded).toEqual(influxdb);
    return influxdb;
  }

  it('are what joblens compare prints that is told of no jobs', async () => {
    const printed = await compare();
    expect(printed.code).toBe(0);
    const lines = printed.stdout.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'newest\t2\t2026-02-03\t["ann"]',
      'sweep\t4\t2026-02-01\t["ann","bob \\"b\\""]',
    ]);
    expect(lines).toHaveLength(2 + ODD.length);
    expect(printed.stderr).toContain('--tag experiment=NAME');

    const { stdout } = await compare('--json');
    const rows = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
    expect(rows).toEqual(
      [NEWEST, SWEEP, ...ODD_ONES].map(({ name, runs, users, lastDayMs }) => {
        return { experiment: name, runs, last_day: formatDay(lastDayMs), users };
      })
    );
    expect((await compare('--user', 'nobody')).stderr).toContain('no experiment is stored');
  });

  it.each([[['--by', 'lr']], [['--key', 'loss']], [['--sort', 'loss']], [['--after', '7d']]])(
    'are not what %j asks for without jobs',
    async (args) => {
      expect(await compare(...args)).toMatchObject({ code: 2, stdout: '' });
    }
  );
});
