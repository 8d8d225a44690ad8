import type { DataSourceInstanceSettings } from '@grafana/data';
import { JoblensDataSource } from '../src/datasource/datasource.js';
import type { JoblensOptions } from '../src/datasource/types.js';
import { createTemplates } from './fake-templates.js';
import { type HttpAnswer, type InfluxdbAnswers, startInfluxdbDouble } from './influxdb-double.js';
import { createProxyBackend, PROXY_URL } from './proxy-backend.js';

const failStatement = (error: string): HttpAnswer => ({ status: 200, body: { results: [{ statement_id: 0, error }] } });
const HEARTBEATS = {
  name: 'job_heartbeat',
  columns: ['time', 'job', 'user'],
  values: ['7', '8'].map((job) => ['2026-01-01T00:00:00Z', job, 'ann']),
};
const LISTED = { name: 'measurements', columns: ['name'], values: [['job'], ['job_log']] };
const JOBS: HttpAnswer = {
  status: 200,
  body: {
    results: [
      { statement_id: 0, series: [HEARTBEATS] },
      { statement_id: 1, series: [LISTED] },
    ],
  },
};
const EMPTY: HttpAnswer = { status: 200, body: { results: [{ statement_id: 0 }, { statement_id: 1 }] } };

interface Engine {
  readonly version: string;
  readonly ping: HttpAnswer;
  readonly auth: 'basic' | 'token';
  /** A write without points by one who may write, and by one who may not. */
  readonly taken: HttpAnswer;
  readonly refused: HttpAnswer;
}

const V1: Engine = {
  version: '1.8.10',
  ping: { status: 204 },
  auth: 'basic',
  taken: { status: 204 },
  refused: { status: 403, body: { error: '"grafana" user is not authorized to write to database "joblens"' } },
};
/** The answers of 2.7, built from its source. */
const V2: Engine = {
  version: 'v2.7.12',
  ping: { status: 204 },
  auth: 'token',
  taken: { status: 204 },
  refused: { status: 403, body: { code: 'forbidden', message: 'insufficient permissions for write' } },
};
/** From the source and the tests of InfluxDB 3 Core (influxdb3_server/src/http.rs, influxdb3/tests/server). */
const V3: Engine = {
  version: '3.4.0',
  ping: { status: 200, body: { product_name: 'InfluxDB 3 Core', version: '3.4.0', revision: 'abc', process_id: 'x' } },
  auth: 'token',
  taken: { status: 400, body: 'incoming write was empty' },
  refused: { status: 403, body: '' },
};

interface Outcome {
  readonly status: 'success' | 'warning' | 'error';
  readonly message: RegExp;
  readonly advice?: RegExp;
}

const NO_MAPPING: HttpAnswer = { status: 404, body: { code: 'not found', message: 'no dbrp mapping found' } };
const NGINX: HttpAnswer = { status: 502, body: '<html><h1>502 Bad Gateway</h1><hr>nginx</html>' };
const fails = (message: RegExp, advice?: RegExp): Outcome => ({ status: 'error', message, ...(advice && { advice }) });
const read = (query: HttpAnswer, { refused: write }: Engine): Partial<InfluxdbAnswers> => ({ query, write });
const NO_DATA = /can be read, but no job was logged to it yet\.$/;
const FIRST_JOB = /run: INFLUX_HOST=http:\/\/influxdb:8086 INFLUX_BUCKET=joblens INFLUX_TOKEN=… joblens run --mode/;
const CAN_WRITE = /^Warning: this login may also write.* Connected to InfluxDB/;

const CASES: ReadonlyArray<readonly [engine: Engine, situation: string, Partial<InfluxdbAnswers>, Outcome]> = [
  ...[V1, V2, V3].flatMap((engine) => {
    const connected = `Connected to InfluxDB ${engine.version}: the database "joblens"`;
    return [
      [
        engine,
        'all is well',
        read(JOBS, engine),
        { status: 'success', message: new RegExp(`^${connected} holds logged jobs \\(2 in the last week\\)\\.$`) },
      ],
      [engine, 'no data yet', read(EMPTY, engine), { status: 'success', message: NO_DATA, advice: FIRST_JOB }],
      [
        engine,
        'a login that can write',
        { query: JOBS, write: engine.taken },
        { status: 'warning', message: CAN_WRITE },
      ],
    ] as const;
  }),
  [
    V1,
    'advice for a login that can write',
    { query: JOBS },
    { status: 'warning', message: CAN_WRITE, advice: /GRANT READ ON "joblens" TO grafana/ },
  ],
  [
    V2,
    'advice for a token that can write',
    { query: JOBS },
    { status: 'warning', message: CAN_WRITE, advice: /influx auth create --read-bucket/ },
  ],
  [
    V3,
    'advice for a token that can write',
    { query: JOBS, write: V3.taken },
    { status: 'warning', message: CAN_WRITE, advice: /db:joblens:read.*InfluxDB 3 Core has only tokens/ },
  ],
  // A wrong login. Grafana's proxy turns every 401 into a text of its own.
  [V1, 'a wrong password', { query: { status: 401, body: { error: 'authorization failed' } } }, fails(/the login/)],
  [
    V2,
    'a wrong token',
    { query: { status: 401, body: { code: 'unauthorized', message: 'Unauthorized' } } },
    fails(/the token/),
  ],
  [
    V3,
    'a wrong token',
    { query: { status: 401, body: { error: 'the request was not authenticated' } } },
    fails(/the token/),
  ],
  // A login that may not read.
  [
    V1,
    'a user without rights',
    { query: { status: 403, body: { error: 'error authorizing query: grafana not authorized to execute statement' } } },
    fails(/refused the login: it is known, but it may not read "joblens"/),
  ],
  [
    V2,
    'a token that may only write, which InfluxDB 2 does not tell from a missing bucket',
    { query: failStatement('database not found: joblens') },
    fails(/may write to "joblens", but may not read it/),
  ],
  [
    V2,
    'a token that may do nothing here',
    { query: failStatement('database not found: joblens'), write: NO_MAPPING },
    fails(/no database "joblens"/, /of one that the token may not read.*influx v1 dbrp create/),
  ],
  [
    V3,
    'a token without rights',
    { query: { status: 403, body: '' } },
    fails(/token: it is known, but it may not read/),
  ],
  // A database that is not there.
  [
    V1,
    'a missing database',
    { query: failStatement('database not found: joblens') },
    fails(/no database "joblens" \(database not found: joblens\)/, /CREATE DATABASE "joblens"/),
  ],
  [
    V2,
    'a missing bucket',
    { query: failStatement('database not found: joblens'), write: NO_MAPPING },
    fails(/no database "joblens"/, /DBRP mapping/),
  ],
  [V2, 'a missing mapping', { query: NO_MAPPING, write: NO_MAPPING }, fails(/for InfluxQL.*influx v1 dbrp create/)],
  [
    V2,
    'a missing default mapping',
    { query: failStatement('default retention policy not set for: joblens'), write: NO_MAPPING },
    fails(/for InfluxQL.*influx v1 dbrp create/),
  ],
  [
    V3,
    'a missing database',
    { query: failStatement('Cannot retrieve database: External error: database not found: joblens') },
    fails(/no database "joblens"/, /influxdb3 create database joblens\./),
  ],
  // Something on the way, which is alike for all versions.
  ...[V1, V2, V3].flatMap((engine) => [
    [
      engine,
      'a proxy that does not reach it',
      { query: NGINX },
      fails(/^A proxy.* 502: 502 Bad Gateway nginx\)/),
    ] as const,
    [engine, 'a proxy that wants a login', { query: { status: 407, body: '' } }, fails(/^A proxy.*407/)] as const,
    [
      engine,
      'a login page',
      { query: { status: 200, body: '<html>Sign in</html>' } },
      fails(/is not InfluxDB/),
    ] as const,
    [
      engine,
      'a page of something else',
      { query: { status: 404, body: '<html><title>Shop</title><p>Not here</p></html>' } },
      engine.auth === 'token' ? fails(/The path \/query was not found/) : fails(/is not InfluxDB \(Shop Not here\)/),
    ] as const,
    [
      engine,
      'an error of its own',
      { query: { status: 500, body: { error: 'disk' } } },
      fails(/not answer.*: disk/),
    ] as const,
  ]),
];

function createSource({ auth }: Engine, target: string): JoblensDataSource {
  const settings = {
    url: PROXY_URL,
    name: 'Joblens',
    jsonData: { database: 'joblens', auth, url: 'http://influxdb:8086' },
  } as DataSourceInstanceSettings<JoblensOptions>;
  return new JoblensDataSource(settings, createProxyBackend({ target }), createTemplates({}));
}

describe('Save & test', () => {
  it.each(CASES)('$version: %s', async (engine, _situation, answers, outcome) => {
    const { version, ping } = engine;
    const double = await startInfluxdbDouble({ version, ping, query: EMPTY, ...answers });
    const health = await createSource(engine, double.url).testDatasource();
    await double.stop();
    // InfluxDB 3 creates the database of a write.
    if (engine === V3 && outcome.status === 'error') expect(double.asked).not.toContain('POST /write');
    expect(health).toMatchObject({
      status: outcome.status,
      message: expect.stringMatching(outcome.message) as unknown,
      ...(outcome.advice && { details: { message: expect.stringMatching(outcome.advice) as unknown } }),
    });
  });

  it('says that nothing answers at the address', async () => {
    const double = await startInfluxdbDouble({ query: EMPTY });
    await double.stop();
    const health = await createSource(V2, double.url).testDatasource();
    expect(health).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/^InfluxDB cannot be reached from the Grafana server/) as unknown,
    });
  });
});
