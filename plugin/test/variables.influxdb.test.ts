import { request as httpRequest } from 'node:http';
import { type DataFrame, type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { createLogPoints } from '@joblens/core/schema/log-point';
import { encodeTagValue } from '@joblens/core/schema/name-transport';
import { lastValueFrom } from 'rxjs';
import { JoblensDataSource } from '../src/datasource/datasource.js';
import type { JoblensOptions } from '../src/datasource/types.js';
import type { InfluxqlQuery } from '../src/query-types/influxql/influxql.js';
import type { LogsQuery } from '../src/query-types/logs/logs.js';
import type { JoblensQuery } from '../src/query-types/parts/query-type.js';
import { createTemplates } from './fake-templates.js';
import { createProxyBackend, PROXY_URL } from './proxy-backend.js';
import { describeWith, type Influxdb, startInfluxdb } from './real-influxdb.js';

const FROM_MS = 1_700_000_000_000;
const T0 = BigInt(FROM_MS) * 1_000_000n;

/**
 * Names that mean something to InfluxQL, to regular expressions, to Grafana's variables or to line protocol.
 * No variable can choose a job named `$__all`: to Grafana this value is All.
 */
const NAMES = [
  ...['a', 'ab', 'b', "o'hara", `say "hi"`, `'"`, `' OR 1=1 --`, 'x; DROP DATABASE joblens', '/* x */', '-- x'],
  ...[
    'back\\slash',
    'end\\',
    '\\\\',
    `\\'`,
    'alpha/7',
    '/x/',
    '//',
    'a.b',
    'a|b',
    '(a)',
    '[a]',
    'a*',
    'a+',
    'a?',
    '^a$',
  ],
  ...['.*', '.+', '{a,b}', 'a,b', '{a}', '{', '$job', '${job}', '[[job]]', 'All', '$', 'a$b', '$1', '$&'],
  ...[
    'größe',
    '日本',
    '😀',
    'e\u0301',
    'line\nbreak',
    'tab\tx',
    'cr\rx',
    'a b',
    ' a',
    'a=b',
    'a,b=c d',
    '%20',
    '0',
    '12',
  ],
];

function lineOf(name: string): string {
  return `line of ${NAMES.indexOf(name)}`;
}

function write(url: string): Promise<number> {
  const points = NAMES.flatMap((job, at) =>
    createLogPoints(
      { job, user: 'ann' },
      { stream: 'stdout', line: lineOf(job), kind: 'output', timeNs: T0 + BigInt(at) * 1000n }
    )
  );
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${url}/write?db=joblens&precision=ns`, { method: 'POST' }, (incoming) => {
      incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.on('error', reject);
    outgoing.end(points.map(formatPoint).join('\n'));
  });
}

describeWith(['influxd'], 'the values of a variable, before a real InfluxDB', () => {
  let influxdb: Influxdb | undefined;

  beforeAll(async () => {
    influxdb = await startInfluxdb();
    expect(await write(influxdb.url)).toBe(204);
  });
  afterAll(() => influxdb?.stop());

  /** The lines that a query finds, sorted, with these values of `$v`. */
  async function find(
    query: Partial<LogsQuery & InfluxqlQuery>,
    value: string | readonly string[],
    all: readonly string[] = []
  ): Promise<string[]> {
    const settings = { url: PROXY_URL, name: 'Joblens', jsonData: { database: 'joblens' } };
    const dataSource = new JoblensDataSource(
      settings as DataSourceInstanceSettings<JoblensOptions>,
      createProxyBackend({ target: influxdb?.url ?? 'http://influxdb-did-not-start' }),
      createTemplates({ v: value }, all)
    );
    const range = { from: dateTime(FROM_MS), to: dateTime(FROM_MS + 60_000), raw: { from: 'now-1m', to: 'now' } };
    const request = { targets: [{ refId: 'A', ...query }], range, scopedVars: {}, requestId: 'Q1' };
    const response = await lastValueFrom(dataSource.query(request as unknown as DataQueryRequest<JoblensQuery>));
    expect(response.errors).toBeUndefined();
    const fields = (response.data as DataFrame[]).flatMap((frame) => frame.fields);
    return fields.flatMap(({ values }) => [...(values as Iterable<unknown>)].filter(isLine)).sort();
  }

  function isLine(value: unknown): value is string {
    return typeof value === 'string' && value.startsWith('line of ');
  }

  const ofJob = { queryType: 'logs', job: '$v' } as const;

  it.each(NAMES)('finds exactly the rows of %j', async (name) => {
    expect(await find(ofJob, name)).toEqual([lineOf(name)]);
    expect(await find(ofJob, [name, 'ab'])).toEqual([...new Set([lineOf(name), lineOf('ab')])].sort());
  });

  it('finds the rows of all values at once, and with All those of every job', async () => {
    const every = NAMES.map(lineOf).sort();
    expect(await find(ofJob, NAMES)).toEqual(every);
    expect(await find(ofJob, NAMES.slice(0, 3), ['v'])).toEqual(every);
  });

  // In raw InfluxQL a name is as it is stored: without control characters and some backslashes.
  it.each(NAMES.filter((name) => encodeTagValue(name) === name))(
    'finds exactly the rows of %j by InfluxQL',
    async (name) => {
      const influxql = (condition: string): Partial<InfluxqlQuery> => ({
        queryType: 'influxql',
        rawQuery: `SELECT "line" FROM "job_log" WHERE ${condition} AND $timeFilter`,
      });
      expect(await find(influxql(`"job" = '$v'`), name)).toEqual([lineOf(name)]);
      expect(await find(influxql('"job" =~ /^$v$/'), name)).toEqual([lineOf(name)]);
      expect(await find(influxql('"job" =~ /^$v$/'), [name, 'ab'])).toEqual(
        [...new Set([lineOf(name), lineOf('ab')])].sort()
      );
    }
  );
});
