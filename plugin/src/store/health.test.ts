import { createBackend, createResults, type Answer } from '../../test/fake-backend.js';
import { of } from 'rxjs';
import { formatDatabaseAdvice } from './health-advice.js';
import { checkHealth } from './health.js';
import { createInfluxdbClient } from './influxdb-client.js';
import type { ServerProbe } from './server-probe.js';

const createProbe = (canWrite: boolean, version?: string): ServerProbe => ({
  readVersion: () => of(version),
  canWrite: () => of(canWrite),
});

function check(answer: Answer, isTokenRoute = false, serverUrl?: string) {
  const client = createInfluxdbClient(
    createBackend(() => answer),
    { url: '/ds', database: 'joblens', isTokenRoute }
  );
  return checkHealth(client, { database: 'joblens', serverUrl }, createProbe(false));
}

function measurements(...names: string[]): Answer {
  return createResults([], [{ name: 'measurements', columns: ['name'], values: names.map((name) => [name]) }]);
}

describe('formatDatabaseAdvice', () => {
  it.each([
    ['1.8.10', String.raw`influx -execute 'CREATE DATABASE "ann'\''s \"db\""'`],
    ['2.7.1', String.raw`--db 'ann'\''s "db"' --rp`],
    ['3.4.0', String.raw`create database 'ann'\''s "db"'.`],
  ])('gives a command that a shell reads as it is meant, %s', (version, command) => {
    expect(formatDatabaseAdvice(`ann's "db"`, version)).toContain(command);
  });
});

describe('checkHealth', () => {
  it.each([
    ['jobs in it', measurements('cpu', 'job_log'), 'holds logged jobs'],
    ['other data only', measurements('cpu'), 'no job was logged to it yet'],
    ['an empty database', createResults([]), 'no job was logged to it yet'],
  ])('succeeds with %s', async (_name, answer, text) => {
    const health = await check(answer);
    expect(health.status).toBe('success');
    expect(health.message).toContain(text);
  });

  const createHeartbeat = (job: string) => ['2026-01-01T00:00:00Z', job, 'ann'];
  const withProbe = (canWrite: boolean) =>
    checkHealth(
      createInfluxdbClient(
        createBackend(() =>
          createResults(
            [{ name: 'job_heartbeat', columns: ['time', 'job', 'user'], values: ['1', '2', '3'].map(createHeartbeat) }],
            [{ name: 'measurements', columns: ['name'], values: [['job']] }]
          )
        ),
        { url: '/ds', database: 'joblens', isTokenRoute: false }
      ),
      { database: 'joblens' },
      createProbe(canWrite, '2.7.1')
    );

  it.each([
    [
      'a server that does not say what it is',
      undefined,
      { message: expect.stringContaining('check host, port') as string },
    ],
    ['InfluxDB', '2.7.1', undefined],
  ])('says of a refused token that it may be of another server: %s', async (_name, version, details) => {
    const backend = createBackend(() => ({ status: 401, data: 'no' }));
    const client = createInfluxdbClient(backend, { url: '/ds', database: 'joblens', isTokenRoute: true });
    const health = await checkHealth(client, { database: 'joblens' }, createProbe(false, version));
    expect(health).toMatchObject({ status: 'error', message: expect.stringContaining('refused the token') as string });
    expect(health.details).toEqual(details === undefined ? undefined : expect.objectContaining(details));
  });

  it('says which server it is and how many jobs it found', async () => {
    expect(await withProbe(false)).toEqual({
      status: 'success',
      message: 'Connected to InfluxDB 2.7.1: the database "joblens" holds logged jobs (3 in the last week).',
    });
  });

  it('asks for no more than the last week', async () => {
    const backend = createBackend(() => createResults([], []));
    const settings = { url: '/ds', database: 'joblens', isTokenRoute: false };
    await checkHealth(createInfluxdbClient(backend, settings), { database: 'joblens' }, createProbe(false));
    const [select, ...others] = backend.sent.flatMap(({ q }) => q.split('; '));
    expect(select).toMatch(/^SELECT .* FROM "job_heartbeat" WHERE .*time >= .* LIMIT 1000$/);
    expect(others).toEqual(['SHOW MEASUREMENTS']);
  });

  it('warns of a login that may write', async () => {
    expect(await withProbe(true)).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/^Warning: this login may also write.*3 in the last week\)\.$/) as unknown,
    });
  });

  it.each<[string, Answer, boolean, RegExp]>([
    [
      'wrong token, as Grafana’s proxy passes it on',
      { status: 400, data: 'Authentication to data source failed' },
      true,
      /refused the token/,
    ],
    [
      'wrong token, InfluxDB 2',
      { status: 401, data: { code: 'unauthorized', message: 'unauthorized access' } },
      true,
      /refused the token \(unauthorized access\)/,
    ],
    [
      'wrong password',
      { status: 401, data: { error: 'authorization failed' } },
      false,
      /refused the login.*check authentication, user and password/,
    ],
    ['no right to the database', { status: 403, data: { error: 'user not authorized' } }, false, /refused the login/],
    [
      'a token without the right to read',
      { status: 403, data: { message: 'forbidden' } },
      true,
      /token: .* may not read/,
    ],
    [
      'a database that is missing, 1.x',
      { data: { results: [{ statement_id: 0, error: 'database not found: joblens' }] } },
      false,
      /no database "joblens"/,
    ],
    [
      'a bucket that is missing, 2.x',
      { status: 404, data: { code: 'not found', message: 'bucket "joblens" not found' } },
      true,
      /no database "joblens"/,
    ],
    ['no mapping, 2.x', { status: 404, data: { error: 'no dbrp mapping found' } }, true, /no database "joblens"/],
    [
      'no mapping, what to do',
      { status: 404, data: { error: 'no dbrp mapping found' } },
      true,
      /influx v1 dbrp create/,
    ],
    [
      'refused connection',
      { status: 502, statusText: 'Bad Gateway', data: '' },
      false,
      /cannot be reached.*\(status 502 Bad Gateway\)/,
    ],
    ['no answer in time', { status: 504, data: { message: 'timeout' } }, false, /did not answer in time/],
    [
      'a page of something else',
      { data: '<!doctype html><title>Welcome</title>' },
      false,
      /is not InfluxDB \(status 200 with "<!doctype html>/,
    ],
    ['JSON of something else', { data: { hello: 1 } }, false, /is not InfluxDB/],
    ['another server’s 404', { status: 404, data: '404 page not found' }, false, /is not InfluxDB/],
    ['a path of another API', { status: 405, data: 'allow: OPTIONS, POST' }, true, /is not InfluxDB.*path of the URL/],
    ['the route without its address', { status: 404, data: '404 page not found\n' }, true, /jsonData\.url/],
    [
      'Grafana’s list of allowed hosts',
      { status: 403, data: { message: 'Data proxy hostname and ip are not included in whitelist' } },
      false,
      /Grafana did not pass the query on/,
    ],
    [
      'an error of the store',
      { status: 500, data: { error: 'engine: out of disk' } },
      false,
      /could not answer the query: engine: out of disk/,
    ],
    ['an error inside the answer', { data: { error: 'timeout reached' } }, false, /timeout reached/],
  ])('fails in one sentence for %s', async (_name, answer, isTokenRoute, text) => {
    const health = await check(answer, isTokenRoute);
    expect(health.status).toBe('error');
    expect(health.message).toMatch(text);
    expect(health.message).not.toContain('\n');
  });

  it.each<[string, Answer, boolean]>([
    ['with a token', { status: 404, data: '404 page not found\n' }, true],
    ['with the page of InfluxDB', { data: '<!doctype html><title>InfluxDB</title>' }, true],
    ['without a token', { status: 502, statusText: 'Bad Gateway', data: '' }, false],
  ])('asks for http:// where the URL has none, %s', async (_name, answer, isTokenRoute) => {
    expect((await check(answer, isTokenRoute, 'influxdb:8086')).message).toBe(
      'The URL "influxdb:8086" does not lead to InfluxDB: write http:// or https:// in front of it in the data source settings.'
    );
    expect((await check(answer, isTokenRoute, 'http://influxdb:8086')).message).not.toContain('in front of it');
  });
});
