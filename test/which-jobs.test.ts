import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createEventPoint, createJobPoint } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import { createMetadataPoints } from '@joblens/core/schema/metadata-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { Point } from '@joblens/core/point/point';
import { describeWith } from './components.js';
import { type Pair, startFilledPair } from './conformance/targets.js';
import { type Ended, joblens } from './joblens-command.js';
import { type Called, type McpClient, startMcpClient } from './mcp/mcp-client.js';

const NOW_MS = Date.now();
const HOUR_MS = 3_600_000;

/** What is stored of a job. */
type Sign = (source: JobSource, timeMs: number) => readonly Point[];

const ns = (timeMs: number): bigint => BigInt(timeMs) * 1_000_000n;
const lines: Sign = (source, timeMs) =>
  createLogPoints(source, { stream: 'stdout', kind: 'output', line: 'hi', timeNs: ns(timeMs) });
const rows: Sign = (source, timeMs) => createMetadataPoints(source, 'loss', new Map([['loss', 1]]), ns(timeMs));
const heartbeats: Sign = (source, timeMs) =>
  HEARTBEAT_GRIDS.map((grid) =>
    createHeartbeatPoint(source, grid, findSlotStartMs(timeMs, grid), { state: 'RUNNING', startedMs: timeMs })
  );
const events: Sign = (source, timeMs) => [createEventPoint(source, { topic: 'mine', data: { a: 1 } }, ns(timeMs))];
const changes: Sign = (source, timeMs) => [
  createEventPoint(source, { topic: 'state', toState: 'FAILED', data: {} }, ns(timeMs)),
];
const described: Sign = (source, timeMs) => [
  createJobPoint(source, { state: 'RUNNING', startedMs: timeMs }, ns(timeMs)),
];
const all: Sign = (...of) => [described, lines, rows, heartbeats, events].flatMap((sign) => sign(...of));

interface Kind {
  readonly source: JobSource;
  readonly sign: Sign;
  readonly timeMs: number;
}

const PAST_MS = NOW_MS - HOUR_MS;
const SIGNS: ReadonlyArray<readonly [string, Sign]> = [
  ['-lines (alone) "1"', lines],
  ["rows.o'alone", rows],
  ['-beats (alone) "1"', heartbeats],
  ['events alone', events],
  ['changes/alone', changes],
  ['-described', described],
  ['all=1,x y', all],
];
const isOf =
  (...signs: readonly Sign[]) =>
  ([, sign]: (typeof SIGNS)[number]): boolean =>
    signs.includes(sign);
/** A clock that is right, one that is ahead by little or by much, and one before 1970. */
const TIMES = [
  ['', PAST_MS, SIGNS],
  [' soon', NOW_MS + HOUR_MS, SIGNS.filter(isOf(heartbeats, events, all))],
  [' in years', NOW_MS + 20_000 * HOUR_MS, SIGNS.filter(isOf(lines, heartbeats, all))],
  [' of old', -HOUR_MS, SIGNS],
] as const;
const KINDS: readonly Kind[] = [
  ...TIMES.flatMap(([behind, timeMs, signs]) =>
    signs.map(([job, sign]) => ({ source: { job: `${job}${behind}`, user: 'ann (a)' }, sign, timeMs }))
  ),
  // Each beside another user's job of this id that has everything.
  ...SIGNS.flatMap(([job, sign]) => [
    { source: { job: `${job} twin`, user: "o'hara" }, sign, timeMs: PAST_MS },
    { source: { job: `${job} twin`, user: 'bob-2' }, sign: all, timeMs: PAST_MS },
  ]),
];
const nameOf = ({ job, user }: JobSource): string => `${job} of ${user}`;
/** A list is of a range, and none reaches back to before 1970. */
const LISTED = KINDS.filter(({ timeMs }) => timeMs > 0);
/** Where another user has all of a job of this id, heartbeats alone make none, but in a list. */
const isNamed = ({ source: { job }, sign }: Kind): boolean => sign !== heartbeats || !job.endsWith('twin');

describeWith(['influxd'], 'which jobs there are', () => {
  let pair: Pair;
  let clients: ReadonlyMap<string, McpClient>;
  beforeAll(async () => {
    pair = await startFilledPair(KINDS.flatMap(({ source, sign, timeMs }) => sign(source, timeMs)));
    const started = await pair.both(async (url) => [url, await startMcpClient(url)] as const);
    clients = new Map(Object.values(started));
  });
  afterAll(async () => {
    for (const client of clients.values()) await client.close();
    await pair.stop();
  });

  /** The outcomes on both stores. */
  const onBoth = async <T>(action: (url: string) => Promise<T>): Promise<readonly T[]> =>
    Object.values(await pair.both(action));
  const run = (...args: readonly string[]): Promise<readonly Ended[]> => onBoth((url) => joblens(args, url));
  const call = (name: string, given: Record<string, unknown>): Promise<readonly Called[]> =>
    onBoth((url) => (clients.get(url) as McpClient).call(name, given));
  const readNames = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => line.startsWith('{')).map((line) => nameOf(JSON.parse(line) as JobSource));

  it('a list has each', async () => {
    const wanted = LISTED.map(({ source }) => nameOf(source)).sort();
    for (const { stdout } of await run('jobs', '--json', '--limit', '0'))
      expect([...readNames(stdout.split('\n'))].sort()).toEqual(wanted);
    for (const { lines } of await call('find_jobs', { limit: 100 }))
      expect([...readNames(lines)].sort()).toEqual(wanted);
  });

  it('a list of states has the same ones as each job by its name', async () => {
    const [listed] = await run('jobs', '--json', '--limit', '0');
    const names = LISTED.filter(isNamed).map(({ source }) => source.job);
    const [named] = await run('jobs', '--json', '--', ...new Set(names));
    const readStates = ({ stdout }: Ended = { code: 0, stdout: '', stderr: '' }): unknown =>
      stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as JobSource & { readonly state?: string })
        .filter((job) => KINDS.some((kind) => isNamed(kind) && nameOf(kind.source) === nameOf(job)))
        .map((job) => `${nameOf(job)}: ${String(job.state)}`)
        .sort();
    expect(readStates(named)).toEqual(readStates(listed));
  });

  it('a completion offers each', async () => {
    const wanted = new Set(LISTED.map(({ source }) => source.job));
    // It waits no longer than a person would, and then offers nothing.
    const complete = async (url: string): Promise<Ended> => {
      for (;;) {
        const ended = await joblens(['completion', 'words', '--', 'log', ''], url);
        if (ended.stdout !== '') return ended;
      }
    };
    for (const { stdout } of await onBoth(complete))
      expect(new Set(stdout.split('\n').filter(Boolean))).toEqual(wanted);
  });

  it('all are found together by their names', async () => {
    const kinds = KINDS.filter(isNamed);
    const names = [...new Set(kinds.map(({ source }) => source.job))];
    for (const { stdout, stderr } of await run('jobs', '--json', '--', ...names)) {
      expect(stderr).toBe('');
      expect(readNames(stdout.split('\n'))).toEqual(expect.arrayContaining(kinds.map(({ source }) => nameOf(source))));
    }
    for (const { stderr } of await run('diff', '--json', '--', ...names)) expect(stderr).toBe('');
  });

  it.each(KINDS.map((kind) => [nameOf(kind.source), kind] as const))('%s is known by name', async (name, kind) => {
    const { job, user } = kind.source;
    for (const { stdout } of await run('jobs', '--json', '--user', user, '--', job))
      expect(readNames(stdout.split('\n'))).toEqual([name]);
    const denials: string[] = [];
    for (const command of [['log'], ['report', 'job'], ['why'], ['metadata'], ['plot'], ['export']]) {
      const ended = await run(...command, '--user', user, '--', job);
      denials.push(...ended.filter(({ stderr }) => /no job/.test(stderr)).map(() => command.join(' ')));
    }
    for (const tool of ['get_job', 'explain_job', 'read_log', 'list_tables']) {
      const called = await call(tool, { job, user });
      denials.push(...called.filter(({ notes }) => /no job/i.test(notes)).map(() => tool));
    }
    expect(denials).toEqual([]);
  });

  it.each(KINDS.filter(({ sign }) => sign === all).map((kind) => [nameOf(kind.source), kind] as const))(
    'all of %s is shown',
    async (_, { source: { job, user } }) => {
      for (const [command, said] of [
        ['log', /^hi$/m],
        ['metadata', /1/],
        ['plot', /loss 1/],
        ['export', /1/],
        ['events', /mine/],
      ] as const) {
        const named = command === 'events' ? [`--job=${job}`] : ['--', job];
        for (const { stdout } of await run(command, '--user', user, ...named)) expect(stdout).toMatch(said);
      }
    }
  );

  it.each(SIGNS.map(([job]) => `${job} twin`))('%s is not taken for that of one user', async (job) => {
    if (job.startsWith('-beats')) return;
    for (const command of [['log'], ['report', 'job'], ['why'], ['metadata'], ['plot'], ['export']])
      for (const { code, stderr } of await run(...command, '--', job))
        expect([code, stderr]).toEqual([1, `joblens: bob-2, o'hara each have a job ${job}; give --user NAME\n`]);
  });
});
