import { connect } from 'node:net';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { describeWith } from '../../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../../test/influxdb.js';
import { prepareJoblens } from '../testing/joblens.js';
import { SECRET, type StartedGateway, startGateway } from './testing/started-gateway.js';

const ANN = 'ann "a" (1)';
const NOW_NS = 1_699_999_200_000_000_000n;

function createLog(job: string, user: string, line: string): Point {
  const tags = new Map([...Object.entries({ job, user, task: '0', stream: 'stdout' })]);
  return { measurement: 'job_log', tags, fields: new Map([['line', line]]), timeNs: NOW_NS };
}

const POINTS: readonly Point[] = [
  createJobPoint({ job: '1', user: ANN }, { state: 'COMPLETED' }, NOW_NS),
  createJobPoint({ job: "b's (2)", user: 'bob' }, { state: 'FAILED' }, NOW_NS),
  createLog('1', ANN, 'of ann'),
  createLog("b's (2)", 'bob', 'of bob'),
];

describeWith(['influxd'], 'joblens gateway', () => {
  const joblens = prepareJoblens();
  let influxdb: Influxdb;
  let gateway: StartedGateway;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
    const body = POINTS.map(formatPoint).join('\n');
    await fetch(`${influxdb.url}/write?db=joblens`, { method: 'POST', body });
    gateway = await startGateway(joblens, influxdb.url, ['--admin', 'root']);
  });
  afterAll(async () => {
    await gateway.stop();
    joblens.remove();
    await influxdb.stop();
  });

  async function lines(response: Response): Promise<readonly unknown[]> {
    const { results } = (await response.json()) as {
      readonly results: readonly { readonly series?: readonly { readonly values: readonly unknown[][] }[] }[];
    };
    return results.flatMap(({ series = [] }) => series.flatMap(({ values }) => values.map(([, line]) => line)));
  }

  test('shows each user their own, and all to an admin with a line for the audit', async () => {
    const q = 'SELECT "line" FROM "job_log"';
    expect(await lines(await gateway.ask(ANN, q))).toEqual(['of ann']);
    expect(await lines(await gateway.ask('bob', q))).toEqual(['of bob']);
    expect(await lines(await gateway.ask('eve', q))).toEqual([]);
    expect((await lines(await gateway.ask('root', q))).toSorted()).toEqual(['of ann', 'of bob']);
    const audit = gateway.process.stderr().toString();
    expect(audit).toContain('"what":"all","user":"root","way":"grafana","from":"127.0.0.1"');
    expect(audit.match(/"what":"all"/g)).toHaveLength(1);
  });

  test('puts answers of its own and of the store together', async () => {
    const q = 'SHOW DATABASES; SELECT "line" FROM "job_log"; SHOW TAG VALUES FROM "job" WITH KEY = "user"';
    const answer = await gateway.ask('bob', q);
    const { results } = (await answer.json()) as { results: { statement_id: number; series: object[] }[] };
    expect(results.map(({ statement_id: id }) => id)).toEqual([0, 1, 2]);
    expect(results[0]?.series).toEqual([{ name: 'databases', columns: ['name'], values: [['joblens']] }]);
    expect(JSON.stringify(results)).toContain('of bob');
    expect(JSON.stringify(results)).not.toContain('ann');
  });

  test.each([
    ['no identity', {}, 401, 'no-identity'],
    ['a name without the secret', { 'x-grafana-user': 'bob' }, 401, 'no-identity'],
    ['a wrong secret', { 'x-grafana-user': 'bob', 'x-joblens-secret': `${SECRET}x` }, 401, 'wrong-secret'],
    ['the secret where identities are', { 'x-grafana-user': 'bob', authorization: SECRET }, 401, 'no-identity'],
    ['a secret without a name', { 'x-joblens-secret': SECRET }, 401, 'no-identity'],
    ['a token of nobody', { authorization: 'Token joblens_0_x' }, 401, 'wrong-token'],
    [
      'a name beside a token of nobody',
      { 'x-joblens-secret': SECRET, 'x-grafana-user': 'bob', authorization: 'Token joblens_0_x' },
      401,
      'wrong-token',
    ],
    ['a name that is none', { 'x-joblens-secret': SECRET, 'x-grafana-user': '\x09' }, 401, 'wrong-name'],
  ] as const)('refuses %s', async (_what, headers, status, rule) => {
    const answer = await fetch(`${gateway.url}/query?q=SHOW+MEASUREMENTS`, { headers });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(`(rule ${rule})`);
  });

  const AS_BOB = `X-Joblens-Secret: ${SECRET}\r\nX-Grafana-User: bob\r\n`;
  const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
  const withBody = (body: string, more = FORM): string => `${more}Content-Length: ${body.length}\r\n\r\n${body}`;
  const SELECT = 'q=SELECT+line+FROM+job_log';

  /** What the gateway says to these bytes, until it has said this many answers or closed. */
  function send(text: string, answers = 1): Promise<string> {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    let said = '';
    return new Promise((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const ended = said.match(/HTTP\/1\.1 (?:204|[45])|\r\n0\r\n\r\n/g) ?? [];
        if (ended.length >= answers && said.endsWith('\n')) socket.end();
      });
      socket.on('close', () => resolve(said));
      socket.on('error', () => undefined);
      socket.write(text);
    });
  }

  test.each([
    ['a parameter twice', `GET /query?${SELECT}&q=SELECT+1`, AS_BOB, '\r\n', 'repeated-parameter'],
    ['a parameter twice in the body', 'POST /query', AS_BOB, withBody(`${SELECT}&${SELECT}`), 'repeated-parameter'],
    [
      'other queries in address and body',
      `POST /query?${SELECT}`,
      AS_BOB,
      withBody('q=SHOW+DATABASES'),
      'repeated-parameter',
    ],
    ['a parameter in another writing', `GET /query?${SELECT}&%71=SHOW+DATABASES`, AS_BOB, '\r\n', 'repeated-parameter'],
    ['unknown parameters', `GET /query?${SELECT}&params={}`, AS_BOB, '\r\n', 'unknown-parameter'],
    ['a password in the address', `GET /query?${SELECT}&u=a&p=b`, AS_BOB, '\r\n', 'unknown-parameter'],
    ['another database', `GET /query?${SELECT}&db=_internal`, AS_BOB, '\r\n', 'other-database'],
    ['another retention policy', `GET /query?${SELECT}&db=joblens&rp=x`, AS_BOB, '\r\n', 'other-database'],
    [
      'a body of another kind',
      'POST /query',
      AS_BOB,
      withBody('{}', 'Content-Type: application/json\r\n'),
      'other-body',
    ],
    [
      'InfluxQL as the body',
      'POST /query',
      AS_BOB,
      withBody('x', 'Content-Type: application/vnd.influxql\r\n'),
      'other-body',
    ],
    ['an encoded body', 'POST /query', AS_BOB, withBody('x', `${FORM}Content-Encoding: gzip\r\n`), 'encoded-body'],
    ['a body of a GET', 'GET /query', AS_BOB, withBody(SELECT), 'body-of-get'],
    ['a huge body', 'POST /query', AS_BOB, `${FORM}Content-Length: 99999999\r\n\r\n`, 'large-body'],
    ['a name twice', `GET /query?${SELECT}`, `${AS_BOB}X-Grafana-User: ann\r\n`, '\r\n', 'repeated-header'],
    ['a secret twice', `GET /query?${SELECT}`, `${AS_BOB}X-JOBLENS-SECRET: x\r\n`, '\r\n', 'repeated-header'],
    ['Flux', 'POST /api/v2/query', AS_BOB, withBody('x'), 'path'],
    ['other addresses', 'GET /debug/vars', AS_BOB, '\r\n', 'path'],
    ['a detour to other addresses', 'GET /query/../debug/pprof/', AS_BOB, '\r\n', 'path'],
    ['other methods', `DELETE /query?${SELECT}`, AS_BOB, '\r\n', 'path'],
    ['points', 'POST /write?db=joblens', AS_BOB, withBody('job,user=bob x=1'), 'no-writing'],
    ['writing by a query', 'GET /query?q=SELECT+*+INTO+x+FROM+job_log', AS_BOB, '\r\n', 'into'],
    ['removing', 'GET /query?q=DROP+MEASUREMENT+job_log', AS_BOB, '\r\n', 'statement'],
    ['one bad statement among good ones', `GET /query?${SELECT};DROP+SERIES+FROM+job`, AS_BOB, '\r\n', 'statement'],
  ])('refuses %s', async (_what, target, headers, rest, rule) => {
    const said = await send(`${target} HTTP/1.1\r\nHost: x\r\n${headers}${rest}`);
    expect(said).toContain(`(rule ${rule})`);
    expect(said).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(said).not.toContain('of bob');
  });

  test('answers requests that come at once on one connection, each as its own user', async () => {
    const of = (user: string): string =>
      `GET /query?${SELECT} HTTP/1.1\r\nHost: x\r\nX-Joblens-Secret: ${SECRET}\r\nX-Grafana-User: ${user}\r\n\r\n`;
    const said = await send(of('bob') + of('nobody') + of(ANN), 3);
    const bodies = said.split('HTTP/1.1 200').slice(1);
    expect(bodies).toHaveLength(3);
    expect(bodies.map((body) => [body.includes('of bob'), body.includes('of ann')])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
  });

  test('refuses two lengths of a body, by which proxies disagree about where it ends', async () => {
    const both = `${FORM}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    expect(await send(`POST /query HTTP/1.1\r\nHost: x\r\n${AS_BOB}${both}`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('outlives clients that leave before, and in the middle of, an answer', async () => {
    const { hostname, port } = new URL(gateway.url);
    const text = `GET /query?${SELECT} HTTP/1.1\r\nHost: x\r\n${AS_BOB}\r\n`;
    const leave = (event: 'connect' | 'data'): Promise<void> =>
      new Promise((resolve) => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined).on('close', () => resolve());
        socket.write(text, () => event === 'connect' && socket.destroy());
        socket.once('data', () => socket.destroy());
      });
    await Promise.all(Array.from({ length: 40 }, (_, nth) => leave(nth % 2 === 0 ? 'connect' : 'data')));
    expect(await lines(await gateway.ask('bob', 'SELECT "line" FROM "job_log"'))).toEqual(['of bob']);
  });

  test('says its store by /ping, and how it is by /health, to anyone', async () => {
    const ping = await fetch(`${gateway.url}/ping`);
    expect([ping.status, ping.headers.get('x-influxdb-version')]).toEqual([204, expect.stringMatching(/^\d/)]);
    expect(await (await fetch(`${gateway.url}/health`)).json()).toMatchObject({ status: 'pass' });
  });

  test('passes on chunks, times and their units as the store does', async () => {
    const parameters = 'epoch=ns&chunked=true&chunk_size=1&pretty=true';
    const q = encodeURIComponent(`SELECT "line" FROM "job_log" WHERE "user" = 'bob'`);
    const [own, direct] = await Promise.all(
      [gateway.url, influxdb.url].map(async (url) => {
        const headers = { 'x-joblens-secret': SECRET, 'x-grafana-user': 'bob' };
        return (await fetch(`${url}/query?db=joblens&${parameters}&q=${q}`, { headers })).text();
      })
    );
    expect(own).toBe(direct);
    expect(own).toContain(String(NOW_NS));
  });
});
