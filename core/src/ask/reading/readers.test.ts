import { createTableStats, foldRow, formatTableStats } from '../../table/table-stats.js';
import { printStatement, printStatements } from '../../influxql/print.js';
import type { ResultValue, StatementResult } from '../../influxql/response.js';
import {
  createLogAroundRequests,
  logCountQuery,
  logQuery,
  type LogRequest,
  logStreamsQueries,
  readLogCount,
  readLogPage,
  readLogStreams,
} from '../log/log.js';
import { namesQuery, readNames, recentNamesQuery } from '../jobs/names.js';
import { joinRows, rowsQueries } from '../tables/rows.js';
import { readTables, tablesQuery } from '../tables/tables.js';

function createResult(columns: readonly string[], ...values: ReadonlyArray<readonly ResultValue[]>): StatementResult {
  return { statement_id: 0, series: [{ name: 'm', columns, values }] };
}

const LATER = '2023-11-14T22:13:20.000000002Z';
const EARLIER = '2023-11-14T22:13:20.000000001Z';
const LATER_NS = 1_700_000_000_000_000_002n;
const EARLIER_NS = 1_700_000_000_000_000_001n;

const NEWEST: LogRequest = { job: '1', order: 'desc', limit: 100 };

describe('logQuery', () => {
  const columns = '"line", "ansi", "kind", "part", "stream", "task", "job", "user"';

  it.each([
    [{ job: '1' }, `"job" = '1'`],
    [
      { job: ['1', '2'], user: "o'hara", task: '0' },
      `("job" = '1' OR "job" = '2') AND "user" = 'o\\'hara' AND "task" = '0'`,
    ],
    [{ job: '1', streams: ['stdout'] as const }, `"job" = '1' AND "stream" = 'stdout'`],
    [
      { job: '1', beforeNs: LATER_NS, fromNs: EARLIER_NS },
      `"job" = '1' AND time >= '${EARLIER}' AND time < '2023-11-14T22:13:20.000001001Z'`,
    ],
    [
      { job: '1', afterNs: EARLIER_NS, toNs: LATER_NS },
      `"job" = '1' AND time <= '2023-11-14T22:13:20.000001001Z' AND time > '${EARLIER}'`,
    ],
    [{ job: '1', patterns: ['(?i)a/b', 'c'] }, `"job" = '1' AND "line" =~ /(?i)a\\/b/ AND "line" =~ /c/`],
  ])('asks %j', (request, where) => {
    expect(printStatement(logQuery({ ...request, order: 'desc', limit: 5 }))).toBe(
      `SELECT ${columns} FROM "job_log" WHERE ${where} ORDER BY time DESC LIMIT 5`
    );
  });

  it('asks for every job when none is chosen', () => {
    expect(printStatement(logQuery({ job: [], order: 'asc', limit: 5 }))).toBe(
      `SELECT ${columns} FROM "job_log" ORDER BY time ASC LIMIT 5`
    );
  });
});

describe('readLogPage', () => {
  it('reads each column, in the order of the result', () => {
    const result = createResult(
      ['time', 'line', 'ansi', 'kind', 'part', 'stream', 'task', 'job', 'user'],
      [LATER, 'b', '\u001b[1mb', 'notice', null, 'stderr', '3', 'a␛/', 'ann'],
      [EARLIER, 'a', null, 'output', null, 'stdout', null, 'a␛/', 'ann']
    );
    expect(readLogPage(result, NEWEST)).toEqual({
      isEnd: true,
      lines: [
        {
          timeNs: LATER_NS,
          job: 'a\\',
          user: 'ann',
          stream: 'stderr',
          task: '3',
          kind: 'notice',
          line: 'b',
          ansi: '\u001b[1mb',
        },
        { timeNs: EARLIER_NS, job: 'a\\', user: 'ann', stream: 'stdout', kind: 'output', line: 'a' },
      ],
    });
  });

  it.each([[undefined], [{ statement_id: 0 }], [createResult(['time', 'line'])]])('reads no line from %j', (result) => {
    expect(readLogPage(result, NEWEST)).toEqual({ lines: [], isEnd: true });
  });

  it('leaves out rows whose time is not exact', () => {
    expect(
      readLogPage(createResult(['time', 'line'], [1_700_000_000_000, 'a'], [EARLIER, 'b']), NEWEST).lines
    ).toMatchObject([{ line: 'b' }]);
  });

  it('puts the parts of a long line that match at its time', () => {
    const rows = createResult(['time', 'line', 'part'], [LATER, 'x2', 2], [EARLIER, 'x1', 1]);
    const { lines } = readLogPage(rows, { ...NEWEST, patterns: ['x'] });
    expect(lines).toMatchObject([{ line: 'x1', timeNs: EARLIER_NS - 1n }]);
  });
});

it('asks for the lines around each instant', () => {
  expect(createLogAroundRequests({ job: '1' }, [LATER_NS], 2)).toEqual([
    { job: '1', order: 'desc', beforeNs: LATER_NS, limit: 4 },
    { job: '1', order: 'asc', afterNs: EARLIER_NS, limit: 4 },
  ]);
});

it('asks for one line of each stream', () => {
  expect(logStreamsQueries({ job: '1' }).map(printStatement)).toEqual(
    ['stderr', 'stdout'].map(
      (stream) => `SELECT "kind" FROM "job_log" WHERE "job" = '1' AND "stream" = '${stream}' LIMIT 1`
    )
  );
  const series = [{ name: 'job_log', columns: ['time', 'kind'], values: [] }];
  expect(readLogStreams([{ statement_id: 0, series }, { statement_id: 1 }])).toEqual(['stderr']);
  expect(readLogStreams([])).toEqual([]);
});

describe('logCountQuery', () => {
  it('counts lines, not the parts of long ones', () => {
    const selection = { job: '1', beforeNs: LATER_NS };
    expect(printStatement(logCountQuery(selection))).toBe(
      `SELECT count("kind") AS "rows", count("part") AS "parts" FROM "job_log" ` +
        `WHERE "job" = '1' AND time < '${LATER}'`
    );
    expect(readLogCount(createResult(['time', 'rows', 'parts'], [EARLIER, 12, 2]), selection)).toBe(10);
  });

  it.each([
    ['no answer', undefined, 0],
    ['a store without long lines', createResult(['time', 'rows', 'parts'], [EARLIER, 12, null]), 12],
    ['a store that leaves the column out', createResult(['time', 'rows'], [EARLIER, 12]), 12],
  ])('reads %s', (_name, result, count) => {
    expect(readLogCount(result, { job: '1' })).toBe(count);
  });
});

describe('rowsQueries', () => {
  const table = { job: '1', user: 'ann', series: 'a,b', keys: ['time', '_x', 'a"b'] };

  it('names the stored keys of the table in both halves', () => {
    const rest = `WHERE "job" = '1' AND "user" = 'ann' AND "series" = 'a,b' ORDER BY time DESC LIMIT 5`;
    expect(rowsQueries({ table, order: 'desc', limit: 5 }).map(printStatement)).toEqual([
      `SELECT "time_", "x_x", "a\\"b" FROM "job_metadata" ${rest}`,
      `SELECT "time_", "x_x", "a\\"b" FROM "job_metadata_text" ${rest}`,
    ]);
  });

  it('leaves out the rows of tasks where there are some beside the table', () => {
    const [numeric] = rowsQueries({ table: { ...table, isBesideTasks: true }, keys: ['c'], order: 'desc' });
    expect(printStatement(numeric)).toContain(`AND "series" = 'a,b' AND "task" = '' ORDER BY`);
  });

  it('asks only for some keys, one task and a range', () => {
    const [numeric] = rowsQueries({
      table: { ...table, task: '2' },
      keys: ['c'],
      order: 'asc',
      fromNs: EARLIER_NS,
      toNs: LATER_NS,
    });
    expect(printStatement(numeric)).toBe(
      `SELECT "c" FROM "job_metadata" WHERE "job" = '1' AND "user" = 'ann' AND "series" = 'a,b' AND "task" = '2' ` +
        `AND time >= '${EARLIER}' AND time <= '${LATER}' ORDER BY time ASC`
    );
  });
});

describe('joinRows', () => {
  const keys = ['time', 'note', 'mixed', 'never'];

  it('joins halves, also rows that stand in one only, under the keys as printed', () => {
    const numeric = createResult(['time', 'time_', 'mixed'], [LATER, 5, 1.5]);
    const text = createResult(['time', 'note', 'mixed'], [LATER, 'hello', null], [EARLIER, null, 'n/a']);
    expect(joinRows(numeric, text, keys)).toEqual([
      {
        timeNs: LATER_NS,
        values: new Map<string, unknown>([
          ['time', 5],
          ['note', 'hello'],
          ['mixed', 1.5],
          ['never', null],
        ]),
      },
      {
        timeNs: EARLIER_NS,
        values: new Map<string, unknown>([
          ['time', null],
          ['note', null],
          ['mixed', 'n/a'],
          ['never', null],
        ]),
      },
    ]);
  });

  it('gives no more than the rows that are surely whole', () => {
    const numeric = createResult(['time', 'time_'], [LATER, 1]);
    const text = createResult(['time', 'note'], [EARLIER, 'a']);
    expect(joinRows(numeric, text, keys, { limit: 1 }).map(({ timeNs }) => timeNs)).toEqual([LATER_NS]);
    expect(joinRows(numeric, text, keys, { limit: 1, order: 'asc' }).map(({ timeNs }) => timeNs)).toEqual([EARLIER_NS]);
  });

  it('gives nothing for nothing', () => {
    expect(joinRows(undefined, { statement_id: 1 }, keys)).toEqual([]);
  });
});

describe('readTables', () => {
  const stats = createTableStats();
  foldRow(
    stats,
    new Map<string, number | string>([
      ['epoch', 1],
      ['loss', 2],
    ])
  );
  const columns = ['time', 'keys', 'stats', 'x', 'rows'];
  const tags = { job: '1', user: 'ann', series: 'epoch,loss', task: '' };

  it('asks one point of each table', () => {
    expect(printStatement(tablesQuery({ job: '1', series: 'epoch,loss' }))).toBe(
      `SELECT "keys", "stats", "x", "rows", "paths" FROM "job_series" WHERE "job" = '1' AND "series" = 'epoch,loss' ` +
        'GROUP BY "job", "user", "series", "task"'
    );
  });

  it('reads a table', () => {
    const values = [[EARLIER, '["epoch","loss"]', formatTableStats(stats), 'epoch', 7]];
    expect(readTables({ statement_id: 0, series: [{ name: 'm', tags, columns, values }] })).toEqual([
      {
        job: '1',
        user: 'ann',
        series: 'epoch,loss',
        keys: ['epoch', 'loss'],
        stats,
        form: [],
        x: 'epoch',
        rows: 7,
        runs: [{ timeNs: EARLIER_NS, rows: 7 }],
        timeNs: EARLIER_NS,
      },
    ]);
  });

  it('takes the runs of one table together: rows added up, keys of all, the rest from the newest', () => {
    // A job is not started twice in a microsecond.
    const AGAIN = '2023-11-14T22:13:20.000001001Z';
    const values = [
      [AGAIN, '["loss","epoch"]', formatTableStats(stats), 'loss', 2],
      [EARLIER, '["epoch","loss"]', 'broken', 'epoch', 7],
    ];
    expect(readTables({ statement_id: 0, series: [{ name: 'm', tags, columns, values }] })).toEqual([
      {
        job: '1',
        user: 'ann',
        series: 'epoch,loss',
        keys: ['epoch', 'loss'],
        stats,
        form: [
          ['epoch', { texts: 'both', hasNumbers: true }],
          ['loss', { texts: 'both', hasNumbers: true }],
        ],
        x: 'loss',
        rows: 9,
        runs: [
          { timeNs: EARLIER_NS, rows: 7 },
          { timeNs: EARLIER_NS + 1000n, rows: 2 },
        ],
        timeNs: EARLIER_NS,
      },
    ]);
  });

  it('takes the newest of the summaries that a store without rewriting keeps of one run', () => {
    const values = [
      [LATER, '["loss"]', '', 'loss', 9],
      [EARLIER, '["loss"]', '', 'loss', 7],
    ];
    expect(readTables({ statement_id: 0, series: [{ name: 'm', tags, columns, values }] })).toMatchObject([
      { rows: 9, runs: [{ timeNs: EARLIER_NS, rows: 9 }], timeNs: EARLIER_NS },
    ]);
  });

  it('says which tables without a task stand beside tables of tasks: same job, user and series', () => {
    const found = [
      { ...tags },
      { ...tags, task: '1' },
      { ...tags, series: 'other' },
      { ...tags, user: 'bob' },
      { ...tags, job: '2' },
    ].map((own) => ({ name: 'm', tags: own, columns, values: [[EARLIER, '["loss"]', '', null, 1]] }));
    expect(readTables({ statement_id: 0, series: found }).filter(({ isBesideTasks }) => isBesideTasks)).toMatchObject([
      { job: '1', user: 'ann', series: 'epoch,loss' },
    ]);
  });

  it.each(['', 'broken', '{}', '[1, null]'])('reads a table whose keys are %j without them', (keys) => {
    const values = [[EARLIER, keys, 'broken', null, 1]];
    expect(readTables({ statement_id: 0, series: [{ name: 'm', tags, columns, values }] })).toEqual([
      {
        ...{ job: '1', user: 'ann', series: 'epoch,loss', keys: [], rows: 1, timeNs: EARLIER_NS },
        runs: [{ timeNs: EARLIER_NS, rows: 1 }],
        form: [],
      },
    ]);
  });
});

describe('namesQuery', () => {
  const EPOCH = "'1678-01-01T00:00:00Z'";
  const ZERO = "'1970-01-01T00:00:00Z'";

  it.each([
    [
      { kind: 'jobs' },
      `SHOW TAG VALUES FROM "job", "job_log", "job_series" WITH KEY = "job" WHERE time >= ${EPOCH} LIMIT 1000`,
    ],
    [
      { kind: 'jobs', user: 'ann' },
      `SHOW TAG VALUES FROM "job", "job_log", "job_series" WITH KEY = "job" WHERE "user" = 'ann' AND time >= ${EPOCH} LIMIT 1000`,
    ],
    [
      { kind: 'users' },
      `SHOW TAG VALUES FROM "job", "job_log", "job_series" WITH KEY = "user" WHERE time >= ${EPOCH} LIMIT 1000`,
    ],
    [
      { kind: 'series', job: ['1', '2'] },
      `SHOW TAG VALUES FROM "job_series" WITH KEY = "series" WHERE ("job" = '1' OR "job" = '2') AND time >= ${EPOCH} LIMIT 1000`,
    ],
    [
      { kind: 'jobs', series: 's' },
      `SHOW TAG VALUES FROM "job_series" WITH KEY = "job" WHERE "series" = 's' AND time >= ${EPOCH} LIMIT 1000`,
    ],
    [
      { kind: 'series', fromNs: 0n, toNs: 0n },
      `SHOW TAG VALUES FROM "job_series" WITH KEY = "series" WHERE time >= ${ZERO} AND time <= ${ZERO} LIMIT 1000`,
    ],
    [
      { kind: 'tasks', job: '1', fromNs: 1n },
      `SHOW TAG VALUES FROM "job", "job_log", "job_series" WITH KEY = "task" WHERE "job" = '1' AND time >= ${EPOCH} LIMIT 1000`,
    ],
    [
      { kind: 'categories', job: '1', series: 's', fromNs: 1n },
      `SHOW TAG VALUES FROM "job_span" WITH KEY = "category" WHERE "job" = '1' AND time >= ${EPOCH} LIMIT 1000`,
    ],
    [
      { kind: 'workers', fromNs: 0n, toNs: 0n },
      `SHOW TAG VALUES FROM "job_span" WITH KEY = "worker" WHERE time >= ${ZERO} AND time <= ${ZERO} LIMIT 1000`,
    ],
    [{ kind: 'fields', job: '1', fromNs: 1n }, `SELECT "keys" FROM "job_series" WHERE "job" = '1'`],
    [
      { kind: 'fields', fromNs: 0n, toNs: 0n },
      `SELECT "keys" FROM "job_series" WHERE time >= ${ZERO} AND time <= ${ZERO} LIMIT 1000`,
    ],
  ] as const)('asks %j', (request, text) => {
    expect(printStatements(namesQuery(request))).toBe(text);
  });
});

describe('recentNamesQuery', () => {
  const range = { fromNs: 0n, toNs: 0n };

  it('searches the heartbeats for jobs and users', () => {
    const statements = [
      recentNamesQuery({ kind: 'jobs', user: 'ann', ...range }, 'a.B/'),
      recentNamesQuery({ kind: 'users', fromNs: 1_700_000_000_000_000_000n, toNs: 1_700_000_000_000_000_000n }),
    ];
    expect(statements.map((statement) => statement && printStatements([statement]))).toEqual([
      `SELECT "job", "user", "state", "started" FROM "job_heartbeat" WHERE "grid" = '10m' AND "user" = 'ann' ` +
        `AND "job" =~ /(?i)a\\.B\\// AND time >= '1970-01-01T00:00:00Z' AND time < '1970-01-01T00:00:04.294967296Z' ` +
        'ORDER BY time DESC LIMIT 1000',
      `SHOW TAG VALUES FROM "job_heartbeat" WITH KEY = "user" WHERE time >= '2023-11-14T22:10:00Z' LIMIT 1000`,
    ]);
  });

  it.each([{ kind: 'users', job: '7' }, { kind: 'jobs', series: ['s'] }, { kind: 'fields' }] as const)(
    'cannot tell %j',
    (request) => {
      expect(recentNamesQuery({ ...request, ...range })).toBeUndefined();
    }
  );
});

describe('readNames', () => {
  const values = (...names: readonly string[]): StatementResult =>
    createResult(['key', 'value'], ...names.map((name) => ['job', name]));

  it('gives jobs highest number first, without repeats, as the user named them', () => {
    expect(readNames('jobs', [values('9', '10', 'a␛/'), values('10', '11')])).toEqual(['a\\', '11', '10', '9']);
  });

  it.each([
    ['users', ['bob', 'ann']],
    ['series', ['b', 'a,b']],
  ] as const)('sorts %s', (kind, names) => {
    expect(readNames(kind, [values(...names)])).toEqual([...names].sort());
  });

  it('sorts tasks as numbers', () => {
    expect(readNames('tasks', [values('10', '9')])).toEqual(['9', '10']);
  });

  it('gives the fields of all tables in the order printed', () => {
    const result = createResult(
      ['time', 'keys'],
      [EARLIER, '["step","loss"]'],
      [LATER, '["step","acc"]'],
      [LATER, 'broken']
    );
    expect(readNames('fields', [result])).toEqual(['step', 'loss', 'acc']);
  });

  it('gives nothing for nothing', () => {
    expect(readNames('jobs', [undefined, { statement_id: 0 }])).toEqual([]);
  });
});
