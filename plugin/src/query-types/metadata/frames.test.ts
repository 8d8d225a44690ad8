import type { StatementResult } from '@joblens/core/influxql/response';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import type { MetadataRecord } from '@joblens/core/rows/join-rows';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import { readJoblensMeta, toPlainFields } from '../../../test/frame-table.js';
import { createInfluxqlFrames } from '../influxql/influxql.js';
import { createJobsFrame } from '../jobs/jobs.js';
import { createLogsFrame } from '../logs/log-frames.js';
import { createMetadataFrame } from './metadata-frames.js';

const T0 = 1_700_000_000_000_000_000n;

describe('createLogsFrame', () => {
  const line = (offsetNs: bigint, text: string, more: Partial<LogLine> = {}): LogLine => ({
    timeNs: T0 + offsetNs,
    job: '7',
    user: 'ann',
    stream: 'stdout',
    kind: 'output',
    line: text,
    ...more,
  });
  const lines = [
    line(1n, 'ERROR x', { ansi: '' }),
    line(2n, 'red', { ansi: '\u001b[31mred\u001b[0m', stream: 'stderr', task: '3' }),
    line(1_000_000n, 'ERROR in a notice', { kind: 'notice' }),
  ];
  const frame = createLogsFrame({ refId: 'A', job: '7', lines, isLimited: true, executedQuery: 'SELECT' });

  it('has the fields of a log frame, the line as the first text', () => {
    expect(toPlainFields(frame)).toEqual([
      ['timestamp', 'time', 1_700_000_000_000, 1_700_000_000_000, 1_700_000_000_001],
      ['body', 'string', 'ERROR x', '\u001b[31mred\u001b[0m', 'ERROR in a notice'],
      ['severity', 'string', 'error', '', ''],
      ['id', 'string', `${T0 + 1n}/stdout//7/ann`, `${T0 + 2n}/stderr/3/7/ann`, `${T0 + 1_000_000n}/stdout//7/ann`],
      ['tsNs', 'string', String(T0 + 1n), String(T0 + 2n), String(T0 + 1_000_000n)],
      ['stream', 'string', 'stdout', 'stderr', 'stdout'],
      ['kind', 'string', 'output', 'output', 'notice'],
      ['task', 'string', null, '3', null],
    ]);
  });

  it('has no severity where no line claims one, so that details have no empty row', () => {
    const plain = [line(1n, 'a'), line(2n, 'b', { kind: 'notice' })];
    const fields = toPlainFields(
      createLogsFrame({ refId: 'A', job: '7', lines: plain, isLimited: false, executedQuery: '' })
    );
    expect(fields.map(([name]) => name)).toEqual(['timestamp', 'body', 'id', 'tsNs', 'stream', 'kind', 'task']);
  });

  it.each(['', '7, 8'])('names job and user of each line where "%s" was asked for', (job) => {
    const several = [line(1n, 'a'), line(2n, 'b', { job: '8', user: 'bob' })];
    const fields = toPlainFields(
      createLogsFrame({ refId: 'A', job, lines: several, isLimited: false, executedQuery: '' })
    );
    expect(fields.slice(-2)).toEqual([
      ['job', 'string', '7', '8'],
      ['user', 'string', 'ann', 'bob'],
    ]);
  });

  it('says what it is and that there is more', () => {
    expect(frame.meta).toMatchObject({
      type: 'log-lines',
      preferredVisualisationType: 'logs',
      executedQueryString: 'SELECT',
    });
    expect(frame.meta?.notices?.map(({ text }) => text)).toEqual(['The newest 3 lines; there are older ones.']);
    expect(readJoblensMeta(frame)).toEqual({ kind: 'logs', job: '7', limited: true });
  });

  it('is a log frame without lines too', () => {
    const empty = createLogsFrame({ refId: 'A', job: '', lines: [], isLimited: false, executedQuery: '' });
    expect(empty.length).toBe(0);
    expect(empty.meta?.notices).toEqual([]);
  });
});

describe('createMetadataFrame', () => {
  const records: MetadataRecord[] = [
    {
      timeNs: T0,
      values: new Map<string, string | number | null>([
        ['loss', 0.5],
        ['step', 1],
        ['note', null],
      ]),
    },
    {
      timeNs: T0 + 1_500_000n,
      values: new Map<string, string | number | null>([
        ['loss', 'NaN'],
        ['step', 2],
        ['note', 'warm'],
      ]),
    },
  ];
  const ownStats = createTableStats();
  foldRow(
    ownStats,
    new Map([
      ['epoch', 1],
      ['step', 1],
    ])
  );
  const table: TableSummary = {
    job: '7',
    user: 'ann',
    series: 'loss,note,step',
    keys: ['loss', 'step', 'note'],
    stats: ownStats,
    rows: 2,
    runs: [{ timeNs: T0, rows: 2 }],
    timeNs: T0,
  };
  const build = (changes: Partial<Parameters<typeof createMetadataFrame>[0]> = {}) =>
    createMetadataFrame({
      refId: 'B',
      table,
      keys: table.keys,
      records,
      isLimited: false,
      jobPrefix: '',
      executedQuery: 'SELECT',
      ...changes,
    });

  it('has time, then the keys in the order printed', () => {
    expect(toPlainFields(build())).toEqual([
      ['time', 'time', 1_700_000_000_000, 1_700_000_000_001],
      ['loss', 'number', 0.5, NaN],
      ['step', 'number', 1, 2],
      ['note', 'string', null, 'warm'],
    ]);
  });

  it('chooses X from the rows when it has them all', () => {
    expect(readJoblensMeta(build())).toEqual({
      kind: 'metadata',
      job: '7',
      user: 'ann',
      series: 'loss,note,step',
      x: { key: 'step', rung: 3, reason: 'every value is an integer that never falls', runnersUp: ['loss'] },
      totalRows: 2,
      limited: false,
      startMs: 1_700_000_000_000,
      tsNs: [String(T0), String(T0 + 1_500_000n)],
    });
  });

  it('takes the counter that the kind of the lines names', () => {
    const frame = build({ table: { ...table, stats: { ...ownStats, counters: ['loss', 'step'] } } });
    expect(readJoblensMeta(frame)).toMatchObject({ x: { key: 'step', rung: 2.5, runnersUp: ['loss'] } });
  });

  it('chooses X from the running statistics when it has not', () => {
    const frame = build({ table: { ...table, rows: 5000 }, isLimited: true });
    expect(readJoblensMeta(frame)).toMatchObject({ x: { key: 'epoch', rung: 2 }, totalRows: 5000 });
    expect(frame.meta?.notices?.map(({ text }) => text)).toEqual(['The newest 2 of 5,000 rows of loss, step, note.']);
  });

  it.each([
    ['one job', {}, 'loss, step, note'],
    ['several jobs', { jobPrefix: '7 of ann: ' }, '7 of ann: loss, step, note'],
    ['a task', { table: { ...table, task: '1' } }, 'loss, step, note (1)'],
  ])('is named by its keys, %s', (_name, changes, name) => {
    expect(build(changes).name).toBe(name);
  });

  it('has no X without numbers', () => {
    const { job, user, series, keys, rows, runs, timeNs } = table;
    const bare = { job, user, series, keys, rows, runs, timeNs };
    const texts = [{ timeNs: T0, values: new Map([['note', 'a']]) }];
    expect(readJoblensMeta(build({ table: bare, keys: ['note'], records: texts }))).toMatchObject({ x: null });
  });

  it.each([
    [['a'], 'a'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b, c +2'],
  ])('shortens %p to %s', (keys, label) => {
    expect(build({ table: { ...table, keys } }).name).toBe(label);
  });
});

describe('createJobsFrame', () => {
  const nowMs = 1_700_000_100_000;
  const build = (job: Partial<JobRecord>) => {
    const jobs: JobRecord[] = [{ job: '7', user: 'ann', timeNs: T0, values: new Map(), ...job }];
    const frame = createJobsFrame({ refId: 'C', jobs, totalJobs: 1, nowMs, executedQuery: '' });
    return Object.fromEntries(toPlainFields(frame).map(([name, , value]) => [name, value]));
  };

  const nowNs = BigInt(nowMs) * 1_000_000n;
  it.each<[string, Partial<JobRecord>, { from: string; to: string }]>([
    ['ended', { startedMs: 1000, endedMs: 5000.5, state: 'COMPLETED' }, { from: '1000', to: '7001' }],
    ['running', { startedMs: 1000, state: 'RUNNING' }, { from: '1000', to: 'now' }],
    ['waiting', { submittedMs: 900, state: 'PENDING' }, { from: '900', to: 'now' }],
    ['piped and speaking', { firstSeenNs: 2_000_000n, lastLogNs: nowNs - 1n }, { from: '2', to: 'now' }],
    ['piped and silent', { firstSeenNs: 2_000_000n, lastLogNs: 3_000_000n }, { from: '2', to: '2003' }],
    ['piped, tables only', { firstSeenNs: 2_000_000n, lastSeenNs: 2_000_000n }, { from: '2', to: 'now' }],
  ])('links to the own time range of a job that is %s', (_name, job, range) => {
    const cells = build(job);
    expect([cells['from'], cells['to']]).toEqual([range.from, range.to]);
  });

  it('has the columns that the dashboards name, in their order and types', () => {
    const frame = createJobsFrame({ refId: 'C', jobs: [], totalJobs: 0, nowMs, executedQuery: '' });
    expect(frame.fields.map(({ name, type }) => `${name}:${type}`)).toEqual(
      [
        'started:time',
        'job:string',
        'user:string',
        'name:string',
        'state:string',
        'reason:string',
        'progress:number',
        'remaining:number',
        'submitted:time',
        'ended:time',
        'duration:number',
      ].concat([
        'nodes:number',
        'queue:string',
        'host:string',
        'exit_code:number',
        'command:string',
        'workdir:string',
        'scheduler_id:string',
        'config:string',
        'note:string',
        'tags:string',
        'values:string',
        'last_values:string',
        'from:string',
        'to:string',
      ])
    );
    expect(frame.fields.find(({ name }) => name === 'duration')?.config.unit).toBe('ms');
    expect(readJoblensMeta(frame)).toEqual({ kind: 'jobs' });
  });

  it.each<[string, Partial<JobRecord>, object]>([
    ['running', { state: 'RUNNING', startedMs: nowMs - 5000 }, { started: nowMs - 5000, duration: 5000, ended: null }],
    ['ended', { state: 'COMPLETED', startedMs: 1000, endedMs: 4000, exitCode: 0 }, { duration: 3000, exit_code: 0 }],
    ['waiting', { state: 'PENDING', submittedMs: 1000 }, { started: null, submitted: 1000, duration: null }],
    [
      'only piped',
      { firstSeenNs: T0, lastSeenNs: T0 + 2_000_000_000n },
      { started: 1_700_000_000_000, duration: 2000, state: null },
    ],
    ['tags', { tags: { model: 'a b', lr: '0.1' } }, { tags: 'model=a b, lr=0.1' }],
    [
      'values',
      {
        values: new Map<string, string | number>([
          ['epoch', 3],
          ['loss', 0.123456],
          ['note', 'x'.repeat(40)],
          ['a', 1e-7],
          ['b', 1],
        ]),
      },
      { values: `epoch 3, loss 0.12346, note ${'x'.repeat(23)}…, a 1e-7, +1` },
    ],
    ['a reason and a progress', { reason: 'OOM', progress: 0.25 }, { reason: 'OOM', progress: 0.25 }],
    ['a progress that it printed', { values: new Map([['progress', 0.5]]) }, { progress: 0.5 }],
    ['a progress that is no share', { values: new Map([['progress', 50]]) }, { progress: null }],
    ['no metrics', { values: new Map([['system.age_s', 5]]) }, { values: null }],
    [
      'what it printed beside metrics',
      { values: new Map(['a', 'b', 'c', 'd', 'e', 'system.age_s'].map((key) => [key, 1])) },
      { values: 'a 1, b 1, c 1, d 1, +1' },
    ],
    ['nothing known', {}, { name: null, tags: null, values: null, nodes: null }],
  ])('shows a job: %s', (_name, job, expected) => {
    expect(build(job)).toMatchObject(expected);
  });

  it('says when a limit cut the list', () => {
    const frame = createJobsFrame({ refId: 'C', jobs: [], totalJobs: 3, nowMs, executedQuery: '' });
    expect(frame.meta?.notices?.map(({ text }) => text)).toEqual(['The newest 0 of 3 jobs.']);
  });
});

describe('createInfluxqlFrames', () => {
  const result: StatementResult = {
    statement_id: 0,
    messages: [{ level: 'warning', text: 'deprecated' }],
    series: [
      {
        name: 'job_log',
        tags: { stream: 'stderr' },
        columns: ['time', 'n', 'mixed', 'flag', 'empty'],
        values: [
          ['2023-11-14T22:13:21.5Z', 2, 'a', true, null],
          ['2023-11-14T22:13:20Z', null, 1, false, null],
        ],
        partial: true,
      },
      { name: 'names', columns: ['key', 'value'], values: [['job', '7']] },
    ],
  };

  it('gives a frame a series, rising in time, with rows of nulls', () => {
    const frames = createInfluxqlFrames('D', [result, { statement_id: 1 }], 'q');
    expect(frames.map(({ name }) => name)).toEqual(['job_log {stream: stderr}', 'names']);
    expect(toPlainFields(frames[0])).toEqual([
      ['time', 'time', 1_700_000_000_000, 1_700_000_001_500],
      ['n', 'number', null, 2],
      ['mixed', 'string', 1, 'a'],
      ['flag', 'boolean', false, true],
      ['empty', 'string', null, null],
    ]);
    expect(frames[0]?.fields.map(({ labels }) => labels?.['stream'])).toEqual([
      undefined,
      'stderr',
      'stderr',
      'stderr',
      'stderr',
    ]);
    expect(frames[0]?.meta?.notices?.map(({ text }) => text)).toEqual([
      'InfluxDB cut this result at its own row limit.',
      'deprecated',
    ]);
  });
});
