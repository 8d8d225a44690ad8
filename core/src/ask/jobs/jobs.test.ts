import { createTableStats, foldRow, formatTableStats } from '../../table/table-stats.js';
import type { StatementResult } from '../../influxql/response.js';
import { formatRfc3339Nano } from '../../point/timestamp.js';
import { printStatement } from '../../influxql/print.js';
import { addJobBounds, jobBoundsQuery } from './told-jobs.js';
import { addJobValues, jobValuesQuery, jobsQuery, readJobs } from './jobs.js';
import { describeJobsQuery } from './describe-jobs.js';

const S = 1_000_000_000n;
const T0 = 1_700_000_000n * S;

type Tags = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, string | number | null>>;

/** A result with one series for each tag set; times in seconds after T0. */
function createResult(
  name: string,
  series: ReadonlyArray<readonly [Tags, ReadonlyArray<readonly [number, Row]>]>
): StatementResult {
  return {
    statement_id: 0,
    series: series.map(([tags, rows]) => {
      const columns = [...new Set(rows.flatMap(([, row]) => Object.keys(row)))];
      const values = rows.map(([at, row]) => [
        formatRfc3339Nano(T0 + BigInt(at) * S),
        ...columns.map((column) => row[column] ?? null),
      ]);
      return { name, tags, columns: ['time', ...columns], values };
    }),
  };
}

const NOTHING: StatementResult = { statement_id: 0 };
const ms = (at: number): number => Number(T0 / 1_000_000n) + at * 1000;
const at = (seconds: number): bigint => T0 + BigInt(seconds) * S;

function createLog(kind: 'first' | 'last', seconds: Readonly<Record<string, number>>): StatementResult {
  return createResult(
    'job_log',
    Object.entries(seconds).map(([job, second]) => [{ job, user: 'ann' }, [[second, { [kind]: 'output' }]]])
  );
}

function createTable(
  job: string,
  second: number,
  rows: ReadonlyArray<Readonly<Record<string, number | string>>>,
  tags: Tags = {}
) {
  const stats = createTableStats();
  for (const row of rows) foldRow(stats, new Map(Object.entries(row)));
  const keys = JSON.stringify([...stats.columns.keys()]);
  const fields = { keys, stats: formatTableStats(stats), x: 'epoch', rows: rows.length };
  return [{ job, user: 'ann', series: 's', task: '', ...tags }, [[second, fields]]] as const;
}

describe('jobsQuery', () => {
  it('asks with the names as they are stored, and the range where it cannot lose a job', () => {
    const statements = jobsQuery({ job: ['a\\', 'b'], user: 'ann', fromNs: at(0), toNs: at(9) }).map(printStatement);
    const names = `("job" = 'a␛/' OR "job" = 'b') AND "user" = 'ann'`;
    expect(statements).toEqual([
      'SELECT "name", "state", "reason", "progress", "remaining_s", "command", "nodes", "queue", "host", "workdir", "exit_code", "scheduler_id", "note", "tags", ' +
        `"submitted", "started", "ended" FROM "job" WHERE ${names} GROUP BY "job", "user"`,
      `SELECT first("kind") FROM "job_log" WHERE ${names} AND time <= '2023-11-14T22:13:29Z' GROUP BY "job", "user"`,
      `SELECT last("kind") FROM "job_log" WHERE ${names} AND time >= '2023-11-14T22:13:20Z' GROUP BY "job", "user"`,
      `SELECT "keys", "stats", "x", "rows", "paths" FROM "job_series" WHERE ${names} GROUP BY "job", "user", "series", "task"`,
    ]);
  });

  it('asks for all without a condition, for configs and without values when told so', () => {
    const [jobs, , , series] = jobsQuery({ job: [], config: true, values: false }).map(printStatement);
    expect(jobs).toMatch(/"config".* FROM "job" GROUP BY "job", "user"$/);
    expect(series).toBe('SELECT "rows" FROM "job_series" GROUP BY "job", "user"');
  });
});

describe('readJobs', () => {
  const described = createResult('job', [
    [
      { job: 'done', user: 'ann' },
      [
        [0, { state: 'running', started: ms(0) }],
        [20, { state: 'completed', ended: ms(20), exit_code: 0 }],
      ],
    ],
    [{ job: 'running', user: 'ann' }, [[5, { state: 'running', started: ms(5) }]]],
    [{ job: 'pending', user: 'ann' }, [[8, { state: 'pending', submitted: ms(8) }]]],
    [
      { job: 'requeued', user: 'ann' },
      [
        [1, { started: ms(1) }],
        [3, { ended: ms(3) }],
        [50, { state: 'running', started: ms(50) }],
      ],
    ],
    [{ job: 'untold', user: 'ann' }, [[30, { name: 'only a name' }]]],
  ]);

  it.each([
    ['before all', undefined, at(-1), []],
    ['at the first instant', undefined, at(0), ['done']],
    ['while one runs', at(10), at(12), ['pending', 'running', 'requeued', 'done']],
    ['at the last instant of a job', at(20), at(20), ['pending', 'running', 'requeued', 'done']],
    ['after a job', at(21), at(22), ['pending', 'running', 'requeued']],
    ['open to the future', at(40), undefined, ['requeued', 'untold', 'pending', 'running']],
    ['all', undefined, undefined, ['requeued', 'untold', 'pending', 'running', 'done']],
  ])('lists described jobs that ran %s', (_name, fromNs, toNs, expected) => {
    const jobs = readJobs([described, NOTHING, NOTHING, NOTHING], { fromNs, toNs });
    expect(jobs.map(({ job }) => job).sort()).toEqual([...expected].sort());
  });

  it('orders active jobs first, then newest first: by start, else submission, else first point', () => {
    const jobs = readJobs([described, NOTHING, NOTHING, NOTHING]);
    expect(jobs.map(({ job, timeNs }) => [job, timeNs])).toEqual([
      ['requeued', at(50)],
      ['pending', at(8)],
      ['running', at(5)],
      ['untold', at(30)],
      ['done', at(0)],
    ]);
  });

  it.each([
    ['inside', { inside: 12 }, { inside: 13 }, true],
    ['around', { around: 1 }, { around: 100 }, true],
    ['ended before: no line from the range on', { before: 1 }, {}, false],
    ['began after: no line up to the range', {}, { after: 90 }, false],
  ])('lists a job that was only piped when its lines are %s', (_name, firsts, lasts, isListed) => {
    const results = [NOTHING, createLog('first', firsts), createLog('last', lasts), NOTHING];
    const jobs = readJobs(results, { fromNs: at(10), toNs: at(20) });
    expect(jobs).toHaveLength(isListed ? 1 : 0);
    for (const job of jobs) expect(job).not.toHaveProperty('state');
  });

  it('counts a job without an end as running on, also when it prints no more', () => {
    const results = [described, createLog('first', { running: 6 }), NOTHING, NOTHING];
    expect(readJobs(results, { fromNs: at(1000) }).map(({ job }) => job)).toContain('running');
  });

  it('lists a job that has only tables, from its first row on', () => {
    const results = [
      NOTHING,
      NOTHING,
      NOTHING,
      createResult('job_series', [createTable('t', 10, [{ epoch: 1, loss: 0.5 }])]),
    ];
    expect(readJobs(results, { fromNs: at(90) }).map(({ job, timeNs }) => [job, timeNs])).toEqual([['t', at(10)]]);
    expect(readJobs(results, { toNs: at(9) })).toEqual([]);
  });

  it('keeps jobs of one name and several users apart', () => {
    const results = [
      createResult('job', [
        [{ job: '1', user: 'ann' }, [[0, { name: 'hers' }]]],
        [{ job: '1', user: "o'hara␛/" }, [[0, { name: 'his' }]]],
      ]),
      createLog('first', { '1': 0 }),
      createLog('last', { '1': 4 }),
      NOTHING,
    ];
    expect(readJobs(results).map(({ user, name, lastSeenNs }) => [user, name, lastSeenNs])).toEqual([
      ['ann', 'hers', at(4)],
      ["o'hara\\", 'his', undefined],
    ]);
  });

  it('gives the last values: of the newest table, the first task, in the order printed', () => {
    const series = createResult('job_series', [
      createTable('1', 9, [{ epoch: 2, val: 'good', acc: 1 }], { series: 'b' }),
      createTable(
        '1',
        0,
        [
          { loss: 1, epoch: 1 },
          { loss: 0.5, epoch: 3 },
        ],
        { series: 'a' }
      ),
      createTable('1', 1, [{ loss: 7, epoch: 3 }], { series: 'a', task: '1' }),
    ]);
    const [job] = readJobs([NOTHING, NOTHING, NOTHING, series]);
    expect([...(job?.values ?? [])]).toEqual([
      ['loss', 0.5],
      ['epoch', 2],
      ['val', 'good'],
      ['acc', 1],
    ]);
  });

  it('gives the values of the main graph first, though another table began later and has the key', () => {
    const steps = [9, 10, 11].map((step) => ({ step, loss: 1 / step, grad: step }));
    const series = createResult('job_series', [
      createTable('1', 0, [{ epoch: 1, loss: 8, accuracy: 0.5 }], { series: 'a' }),
      createTable('1', 1, steps, { series: 'b' }),
      createTable('1', 2, [{ epoch: 2, loss: 9 }], { series: 'c' }),
    ]);
    const [job] = readJobs([NOTHING, NOTHING, NOTHING, series]);
    expect([...(job?.values ?? [])]).toEqual([
      ['step', 11],
      ['loss', 1 / 11],
      ['grad', 11],
      ['epoch', 2],
      ['accuracy', 0.5],
    ]);
  });

  it('gives what it used behind what it printed', () => {
    const used = createTable('1', 0, [{ 'system.age_s': 1, 'system.cpu_cores': 2 }], { series: 'a' });
    const series = createResult('job_series', [used, createTable('1', 5, [{ loss: 1 }], { series: 'b' })]);
    const [job] = readJobs([NOTHING, NOTHING, NOTHING, series]);
    expect([...(job?.values.keys() ?? [])]).toEqual(['loss', 'system.age_s', 'system.cpu_cores']);
  });

  it('adds the values afterwards', () => {
    const light = createResult('job_series', [[{ job: '1', user: 'ann' }, [[0, { rows: 2 }]]]]);
    const jobs = readJobs([NOTHING, NOTHING, NOTHING, light]);
    expect(jobs.map(({ job, values }) => [job, values.size])).toEqual([['1', 0]]);
    expect(printStatement(jobValuesQuery(jobs))).toContain(`WHERE "job" = '1' GROUP BY`);
    const full = createResult('job_series', [createTable('1', 0, [{ loss: 1 }])]);
    expect(addJobValues(jobs, full)).toEqual([{ ...jobs[0], values: new Map([['loss', 1]]) }]);
    expect(addJobValues(jobs, undefined)).toEqual(jobs);
  });

  it('describes the jobs that were found, and no others', () => {
    const found = [
      { job: 'running', user: 'ann', state: 'running', fromNs: at(100), toNs: at(100) },
      { job: 'done', user: 'ann', fromNs: at(100), toNs: at(100) },
      { job: 'piped', user: 'ann', fromNs: at(110), toNs: at(110) },
    ];
    expect(printStatement(describeJobsQuery(found))).toContain(
      `FROM "job" WHERE "job" = 'running' OR "job" = 'done' OR "job" = 'piped' GROUP BY`
    );
    const jobs = readJobs([described], { fromNs: at(100), toNs: at(200) }, found);
    expect(jobs.map(({ job, timeNs }) => [job, timeNs])).toEqual([
      ['running', at(5)],
      ['piped', at(110)],
    ]);
  });

  it('takes the parts of a description that come in several answers as one', () => {
    const found = [{ job: 'running', user: 'ann', fromNs: at(100), toNs: at(100) }];
    const whole = readJobs([described], {}, found);
    const parts = (described.series ?? []).flatMap((series) =>
      series.values.map((row) => ({ ...series, values: [row] }))
    );
    expect(parts.length).toBeGreaterThan(whole.length);
    expect(readJobs([{ statement_id: 0, series: parts.reverse() }], {}, found)).toEqual(whole);
  });

  it('adds the first and last line of jobs that do not say their state', () => {
    const found = ['running', 'piped', 'older'].map((job) => ({ job, user: 'ann', fromNs: at(100), toNs: at(100) }));
    const jobs = readJobs([described], {}, found);
    const range = { fromNs: at(90), toNs: at(200) };
    const names = `("job" = 'piped' OR "job" = 'older')`;
    expect(jobBoundsQuery(jobs, range).map(printStatement)).toEqual([
      `SELECT first("kind") FROM "job_log" WHERE ${names} AND time <= '2023-11-14T22:16:40Z' GROUP BY "job", "user"`,
      `SELECT last("kind") FROM "job_log" WHERE ${names} AND time >= '2023-11-14T22:14:50Z' GROUP BY "job", "user"`,
      expect.stringMatching(/^SELECT last\("data"\) AS "data" FROM "job_event" .* GROUP BY "job", "user", "to_state"$/),
    ]);
    const bounds = [createLog('first', { piped: 20, older: 10, running: 6 }), createLog('last', { piped: 105 })];
    const bounded = addJobBounds(jobs, bounds);
    expect(bounded.map((job) => [job.job, job.timeNs, job.firstSeenNs, job.lastSeenNs])).toEqual([
      ['running', at(5), undefined, undefined],
      ['piped', at(20), at(20), at(105)],
      ['older', at(10), at(10), at(10)],
    ]);
    expect(jobBoundsQuery(bounded.slice(0, 1), range)).toEqual([]);
  });

  it('reads nothing from nothing', () => {
    expect(readJobs([])).toEqual([]);
    expect(readJobs([NOTHING, undefined])).toEqual([]);
  });
});
