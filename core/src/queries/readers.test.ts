import { createTableStats, foldRow, formatTableStats } from '../table/table-stats.js';
import { printStatement, printStatements } from '../influxql/print.js';
import type { ResultValue, StatementResult } from '../influxql/response.js';
import { logQuery, readLogLines } from './log.js';
import { namesQuery, readNames } from './names.js';
import { joinRows, rowsQueries } from './rows.js';
import { readTables, tablesQuery } from './tables.js';

function createResult(columns: readonly string[], ...values: ReadonlyArray<readonly ResultValue[]>): StatementResult {
  return { statement_id: 0, series: [{ name: 'm', columns, values }] };
}

const LATER = '2023-11-14T22:13:20.000000002Z';
const EARLIER = '2023-11-14T22:13:20.000000001Z';
const LATER_NS = 1_700_000_000_000_000_002n;
const EARLIER_NS = 1_700_000_000_000_000_001n;

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
      `"job" = '1' AND time >= '${EARLIER}' AND time < '${LATER}'`,
    ],
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

describe('readLogLines', () => {
  it('reads each column, in the order of the result', () => {
    const result = createResult(
      ['time', 'line', 'ansi', 'kind', 'part', 'stream', 'task', 'job', 'user'],
      [LATER, 'b', '\u001b[1mb', 'notice', null, 'stderr', '3', 'a␛/', 'ann'],
      [EARLIER, 'a', null, 'output', null, 'stdout', null, 'a␛/', 'ann']
    );
    expect(readLogLines(result)).toEqual([
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
    ]);
  });

  it.each([[undefined], [{ statement_id: 0 }], [createResult(['time', 'line'])]])('reads no line from %j', (result) => {
    expect(readLogLines(result)).toEqual([]);
  });

  it('leaves out rows whose time is not exact', () => {
    expect(readLogLines(createResult(['time', 'line'], [1_700_000_000_000, 'a'], [EARLIER, 'b']))).toMatchObject([
      { line: 'b' },
    ]);
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
      `SELECT "keys", "stats", "x", "rows" FROM "job_series" WHERE "job" = '1' AND "series" = 'epoch,loss' ` +
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
        x: 'epoch',
        rows: 7,
        timeNs: EARLIER_NS,
      },
    ]);
  });

  it('takes the runs of one table together: rows added up, keys of all, the rest from the newest', () => {
    const values = [
      [LATER, '["loss","epoch"]', formatTableStats(stats), 'loss', 2],
      [EARLIER, '["epoch","loss"]', 'broken', 'epoch', 7],
    ];
    expect(readTables({ statement_id: 0, series: [{ name: 'm', tags, columns, values }] })).toEqual([
      {
        job: '1',
        user: 'ann',
        series: 'epoch,loss',
        keys: ['epoch', 'loss'],
        stats,
        x: 'loss',
        rows: 9,
        timeNs: EARLIER_NS,
      },
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
      { job: '1', user: 'ann', series: 'epoch,loss', keys: [], rows: 1, timeNs: EARLIER_NS },
    ]);
  });
});

describe('namesQuery', () => {
  const EPOCH = "'1970-01-01T00:00:00Z'";

  it.each([
    [{ kind: 'jobs' }, 'SHOW TAG VALUES FROM "job", "job_log", "job_series" WITH KEY = "job" WHERE time >= ' + EPOCH],
    [
      { kind: 'jobs', user: 'ann' },
      `SHOW TAG VALUES FROM "job", "job_log", "job_series" WITH KEY = "job" WHERE "user" = 'ann' AND time >= ${EPOCH}`,
    ],
    [{ kind: 'users' }, 'SHOW TAG VALUES FROM "job", "job_log", "job_series" WITH KEY = "user" WHERE time >= ' + EPOCH],
    [
      { kind: 'series', job: ['1', '2'] },
      `SHOW TAG VALUES FROM "job_series" WITH KEY = "series" WHERE ("job" = '1' OR "job" = '2') AND time >= ${EPOCH}`,
    ],
    [
      { kind: 'jobs', series: 's' },
      `SHOW TAG VALUES FROM "job_series" WITH KEY = "job" WHERE "series" = 's' AND time >= ${EPOCH}`,
    ],
    [{ kind: 'fields', job: '1' }, `SELECT "keys" FROM "job_series" WHERE "job" = '1'`],
  ] as const)('asks %j', (request, text) => {
    expect(printStatements(namesQuery(request))).toBe(text);
  });
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
