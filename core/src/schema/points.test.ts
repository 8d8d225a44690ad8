import { createTableStats, foldRow } from '../table/table-stats.js';
import { formatPoint } from '../point/line-protocol.js';
import { HEARTBEAT_GRIDS, HEARTBEAT_SPREAD_NS, createHeartbeatPoint, findHeartbeatNs } from './heartbeat-point.js';
import { createEventPoint, createJobPoint } from './job-point.js';
import { createLogPoints, MAX_STRING_BYTES } from './log-point.js';
import { createMetadataPoints, createSeriesPoint } from './metadata-point.js';

const SOURCE = { job: 'alpha/1', user: 'ann' };

describe('createLogPoints', () => {
  it('writes one line as one point', () => {
    const points = createLogPoints(SOURCE, { stream: 'stdout', line: 'hello', kind: 'output', timeNs: 5n });
    expect(points.map(formatPoint)).toEqual([
      'job_log,job=alpha/1,stream=stdout,user=ann line="hello",kind="output" 5',
    ]);
  });

  it('writes the colours and the task where there are any', () => {
    const source = { ...SOURCE, task: '3' };
    const points = createLogPoints(source, {
      stream: 'stderr',
      line: 'a',
      ansi: '\x1b[1ma',
      kind: 'notice',
      timeNs: 5n,
    });
    expect(points.map(formatPoint)).toEqual([
      'job_log,job=alpha/1,stream=stderr,task=3,user=ann line="a",ansi="\x1b[1ma",kind="notice" 5',
    ]);
  });

  it('carries a job and user of any name', () => {
    const source = { job: 'a\nb\\', user: '' };
    const points = createLogPoints(source, { stream: 'stdout', line: '', kind: 'output', timeNs: 5n });
    expect(points.map(formatPoint)).toEqual(['job_log,job=a␛Jb␛/,stream=stdout,user=␛0 line="",kind="output" 5']);
  });

  it.each([
    ['a'.repeat(MAX_STRING_BYTES), 1],
    ['a'.repeat(MAX_STRING_BYTES + 1), 2],
    ['é'.repeat(MAX_STRING_BYTES), 2],
    [`a${'\u{1f600}'.repeat(MAX_STRING_BYTES / 2)}`, 3],
  ])('splits a line over 64 KiB of UTF-8 at a character', (line, count) => {
    const points = createLogPoints(SOURCE, { stream: 'stdout', line, kind: 'output', timeNs: 5n });
    const parts = points.map((point) => String(point.fields.get('line')));
    expect(parts.join('')).toBe(line);
    expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThanOrEqual(MAX_STRING_BYTES);
    expect(points.map((point) => [point.timeNs, point.fields.get('part')])).toEqual(
      Array.from({ length: count }, (_, part) => [5n + BigInt(part), part === 0 ? undefined : part])
    );
  });

  it('splits a coloured form that is longer than its line', () => {
    const ansi = '\x1b[1ma'.repeat(20_000);
    const points = createLogPoints(SOURCE, {
      stream: 'stdout',
      line: 'a'.repeat(20_000),
      ansi,
      kind: 'output',
      timeNs: 5n,
    });
    expect(points.map((point) => point.fields.get('ansi')).join('')).toBe(ansi);
    expect(points.map((point) => point.fields.get('line')).join('')).toBe('a'.repeat(20_000));
  });
});

describe('createMetadataPoints', () => {
  it('writes numbers as floats and the rest as text, at one time', () => {
    const row = new Map<string, number | string>([
      ['epoch', 1],
      ['time', 0.5],
      ['stage', 'a "b"'],
      ['job', 'null'],
    ]);
    expect(createMetadataPoints(SOURCE, 'epoch,job,stage,time', row, 5n).map(formatPoint)).toEqual([
      'job_metadata,job=alpha/1,series=epoch\\,job\\,stage\\,time,user=ann epoch=1,time_=0.5 5',
      'job_metadata_text,job=alpha/1,series=epoch\\,job\\,stage\\,time,user=ann stage="a \\"b\\"",job_="null" 5',
    ]);
  });

  it.each<[Array<[string, number | string]>, string[]]>([
    [[['a', 1]], ['job_metadata']],
    [[['a', '1']], ['job_metadata_text']],
  ])('writes no empty point for %j', (row, measurements) => {
    expect(createMetadataPoints(SOURCE, 'a', new Map(row), 5n).map((p) => p.measurement)).toEqual(measurements);
  });
});

describe('createSeriesPoint', () => {
  it('writes keys in the order printed, statistics, X and rows', () => {
    const stats = createTableStats();
    foldRow(
      stats,
      new Map([
        ['b', 1],
        ['a', 2],
      ])
    );
    const { measurement, fields } = createSeriesPoint(SOURCE, {
      series: 'a,b',
      keys: ['b', 'a'],
      stats,
      x: 'a',
      rows: 1,
      timeNs: 5n,
    });
    expect([measurement, fields.get('keys'), fields.get('x'), fields.get('rows')]).toEqual([
      'job_series',
      '["b","a"]',
      'a',
      1,
    ]);
    expect(JSON.parse(String(fields.get('stats')))).toMatchObject({ rows: 1 });
  });

  it('writes where nested keys come from', () => {
    const table = { series: 'a.b', keys: ['a.b'], stats: createTableStats(), x: undefined, rows: 0, timeNs: 5n };
    const { fields } = createSeriesPoint(SOURCE, { ...table, paths: new Map([['a.b', ['a', 'b']]]) });
    expect(fields.get('paths')).toBe('[["a.b",["a","b"]]]');
  });

  it('writes no X where no column can be it', () => {
    const point = createSeriesPoint(SOURCE, {
      series: 'a',
      keys: ['a'],
      stats: createTableStats(),
      x: undefined,
      rows: 0,
      timeNs: 5n,
    });
    expect([...point.fields.keys()]).toEqual(['keys', 'stats', 'rows']);
  });
});

describe('createJobPoint', () => {
  it('writes what the description says under the names of the schema', () => {
    const description = {
      name: 'n',
      exitCode: 0,
      startedMs: 1.5,
      config: '["a",9007199254740993,1e999]',
      tags: { k: 'v' },
      schedulerId: '7',
    };
    expect(formatPoint(createJobPoint({ ...SOURCE, task: '1' }, description, 5n))).toBe(
      'job,job=alpha/1,user=ann name="n",exit_code=0,scheduler_id="7",config="[\\"a\\",9007199254740993,1e999]",tags="{\\"k\\":\\"v\\"}",started=1.5 5'
    );
  });

  it('refuses a description that says nothing', () => {
    expect(() => createJobPoint(SOURCE, {}, 5n)).toThrow(TypeError);
    const tags = { experiment: 'a (1)', group: '', other: 'x' };
    const named = createJobPoint(SOURCE, { tags }, 5n).fields;
    expect(Object.fromEntries(named)).toEqual({ tags: JSON.stringify(tags), experiment: 'a (1)', group: '' });
  });
});

describe('createHeartbeatPoint', () => {
  const [finest, hours] = HEARTBEAT_GRIDS;

  it('writes the job as a field, in the first seconds of its slot', () => {
    const point = createHeartbeatPoint({ ...SOURCE, task: '1' }, finest, 1_200_000, { state: 'RUNNING', startedMs: 7 });
    expect(formatPoint(point)).toMatch(
      /^job_heartbeat,grid=10m,user=ann job="alpha\/1",state="RUNNING",started=7 120\d{10}$/
    );
    expect(point.timeNs - 1_200_000_000_000n).toBeLessThan(HEARTBEAT_SPREAD_NS);
    expect([...createHeartbeatPoint(SOURCE, hours, 0, {}).fields.keys()]).toEqual(['job']);
  });

  it('gives jobs times of their own, other ones in each slot', () => {
    const timesOf = (slotStartMs: number): bigint[] =>
      Array.from({ length: 1000 }, (_, job) => findHeartbeatNs({ job: String(job), user: 'ann' }, slotStartMs));
    expect(new Set(timesOf(0)).size).toBe(1000);
    const before = timesOf(0);
    const spread = timesOf(600_000).map((timeNs, i) => timeNs - 600_000_000_000n - (before[i] ?? 0n));
    expect(new Set(spread).size).toBe(1000);
  });
});

describe('createEventPoint', () => {
  it('writes states as tags and the numbers of its data as fields', () => {
    const event = { topic: 'state', fromState: 'PENDING', toState: 'RUNNING', data: { n: 1, s: 'a', time: 2 } };
    expect(formatPoint(createEventPoint(SOURCE, event, 5n))).toBe(
      'job_event,from_state=PENDING,job=alpha/1,to_state=RUNNING,topic=state,user=ann data="{\\"n\\":1,\\"s\\":\\"a\\",\\"time\\":2}",n=1,time_=2 5'
    );
  });

  it.each(['data', 'topic', 'from_state', 'to_state'])('keeps its own %s where a number is called so too', (name) => {
    const data = { [name]: 1, level: 2 };
    const point = createEventPoint(SOURCE, { topic: 't', fromState: 'a', toState: 'b', data }, 5n);
    expect([...point.fields]).toEqual([
      ['data', JSON.stringify(data)],
      ['level', 2],
    ]);
  });

  it.each([[null], [3], [['a', 1]], ['text']])('takes %j for data', (data) => {
    expect([...createEventPoint(SOURCE, { topic: 't', data }, 5n).fields]).toEqual([['data', JSON.stringify(data)]]);
  });
});
