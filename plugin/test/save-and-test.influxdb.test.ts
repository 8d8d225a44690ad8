import type { DataSourceInstanceSettings } from '@grafana/data';
import { JoblensDataSource } from '../src/datasource/datasource.js';
import type { JoblensOptions } from '../src/datasource/types.js';
import { createTemplates } from './fake-templates.js';
import { createProxyBackend, PROXY_URL } from './proxy-backend.js';
import { describeWith, type Influxdb, startInfluxdb } from './real-influxdb.js';

const ADMIN = { user: 'admin', password: 'pa ss' };

function authorize(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

describeWith(['influxd'], 'Save & test before an InfluxDB with users', () => {
  let influxdb: Influxdb | undefined;
  const url = (): string => influxdb?.url ?? 'http://influxdb-did-not-start';

  /** Sends a request of the administrator. */
  async function send(path: string, body: string | URLSearchParams): Promise<void> {
    const headers = { authorization: authorize(ADMIN.user, ADMIN.password) };
    const answer = await fetch(`${url()}${path}`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${path} gave ${String(answer.status)}: ${await answer.text()}`);
  }

  beforeAll(async () => {
    influxdb = await startInfluxdb({ auth: ADMIN });
    for (const q of [
      'CREATE DATABASE "empty"',
      ...['reader', 'writer', 'owner', 'nobody'].map((user) => `CREATE USER "${user}" WITH PASSWORD '${user}'`),
      ...['joblens', 'empty'].flatMap((database) => [
        `GRANT READ ON "${database}" TO "reader"`,
        `GRANT WRITE ON "${database}" TO "writer"`,
        `GRANT ALL ON "${database}" TO "owner"`,
      ]),
    ]) {
      await send('/query', new URLSearchParams({ q }));
    }
    await send('/write?db=joblens', 'job_log,job=7,user=ann line="hello"');
  });
  afterAll(() => influxdb?.stop());

  const REFUSED = /^InfluxDB refused the login \(.*check authentication, user and password/;
  const NOT_READABLE = /^InfluxDB refused the login: it is known, but it may not read "joblens"/;
  const WARNING =
    /^Warning: this login may also write.* Connected to InfluxDB 1\.\S+: the database "joblens" holds logged jobs/;

  it.each<[string, string, string | undefined, 'success' | 'warning' | 'error', RegExp, RegExp?]>([
    ['one who may read', 'joblens', 'reader', 'success', /^Connected to InfluxDB 1\.\S+: .* holds logged jobs\.$/],
    [
      'no data yet',
      'empty',
      'reader',
      'success',
      /no job was logged to it yet\.$/,
      /INFLUX_BUCKET=empty .*joblens run/,
    ],
    ['one who may also write', 'joblens', 'owner', 'warning', WARNING, /GRANT READ ON "joblens"/],
    ['the administrator', 'joblens', ADMIN.user, 'warning', WARNING],
    ['one who may only write', 'joblens', 'writer', 'error', NOT_READABLE],
    ['one who may do nothing', 'joblens', 'nobody', 'error', NOT_READABLE],
    ['a user that is not there', 'joblens', 'stranger', 'error', REFUSED],
    ['no login', 'joblens', undefined, 'error', REFUSED],
    [
      'a missing database, as one who may read all',
      'none such',
      ADMIN.user,
      'error',
      /no database "none such"/,
      /CREATE/,
    ],
  ])('tells %s', async (...[, database, user, status, message, advice]) => {
    const settings = {
      url: PROXY_URL,
      name: 'Joblens',
      jsonData: { database, auth: 'basic' },
    } as DataSourceInstanceSettings<JoblensOptions>;
    const password = user === ADMIN.user ? ADMIN.password : user;
    const secrets = user === undefined ? {} : { authorization: authorize(user, password ?? '') };
    const source = new JoblensDataSource(
      settings,
      createProxyBackend({ target: url(), ...secrets }),
      createTemplates({})
    );
    expect(await source.testDatasource()).toMatchObject({
      status,
      message: expect.stringMatching(message) as unknown,
      ...(advice && { details: { message: expect.stringMatching(advice) as unknown } }),
    });
  });

  it('tells a wrong password', async () => {
    const settings = {
      url: PROXY_URL,
      name: 'Joblens',
      jsonData: { auth: 'basic' },
    } as DataSourceInstanceSettings<JoblensOptions>;
    const backend = createProxyBackend({ target: url(), authorization: authorize('reader', 'x') });
    expect(await new JoblensDataSource(settings, backend, createTemplates({})).testDatasource()).toMatchObject({
      status: 'error',
      message: expect.stringMatching(REFUSED) as unknown,
    });
  });
});
