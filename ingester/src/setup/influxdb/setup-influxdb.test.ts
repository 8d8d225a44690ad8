import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describeWith } from '../../../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../../../test/influxdb.js';
import { prepareJoblens } from '../../testing/joblens.js';
import { FakeInfluxdb2 } from '../testing/fake-influxdb2.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const newFolder = (): string => join(mkdtempSync(join(joblens.folder, "site (a)-' ")), 'etc joblens');

/** Its output as `state what` lines; the code, and what it said against it. */
async function setUp(
  args: readonly string[],
  environment: Record<string, string> = {}
): Promise<{
  readonly code: number | null;
  readonly text: string;
  readonly states: string[];
  readonly stderr: string;
}> {
  const { code, stdout, stderr } = await joblens.run(['setup', 'influxdb', ...args], '', environment);
  const text = stdout.toString();
  const states = [...text.matchAll(/^(would make|would change|made|changed|kept) +(?=\S)/gm)].map(([, state]) =>
    String(state)
  );
  return { code, text, states, stderr };
}

describeWith(['influxd'], 'joblens setup influxdb and InfluxDB 1.x', () => {
  let influxdb: Influxdb;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });
  afterAll(() => influxdb.stop());

  async function ask(q: string): Promise<unknown> {
    const answer = await fetch(`${influxdb.url}/query`, { method: 'POST', body: new URLSearchParams({ q }) });
    const { results } = (await answer.json()) as { results: { series?: { values?: unknown[][] }[] }[] };
    return results[0]?.series?.[0]?.values ?? [];
  }

  it('makes a database with an odd name, and changes nothing a second time', async () => {
    const name = `lab "x" (1)-'a'`;
    const args = ['--url', influxdb.url, '--database', name, '--retention', '52w', '--shard', '1d'];
    const dry = await setUp([...args, '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stderr: '', states: expect.arrayContaining(['would make']) as unknown });
    expect(dry.text).toContain('Nothing was changed: this was a dry run.\n');
    expect(JSON.stringify(await ask('SHOW DATABASES'))).not.toContain('lab');

    const folder = newFolder();
    const first = await setUp([...args, '--to', folder]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.states.slice(0, 2)).toEqual(['made', 'changed']);
    expect(await ask(`SHOW RETENTION POLICIES ON "lab \\"x\\" (1)-'a'"`)).toEqual([
      ['autogen', '8736h0m0s', '24h0m0s', 1, true],
    ]);
    const site = join(folder, 'joblens.yaml');
    expect(parse(readFileSync(site, 'utf8'))).toEqual({ url: influxdb.url, bucket: name });
    expect(statSync(site).mode & 0o777).toBe(0o644);
    const again = await setUp([...args, '--to', folder]);
    expect([...new Set(again.states)]).toEqual(['kept']);
    expect(again.text).toContain('Everything was set up already.\n');
    const wider = await setUp(['--url', influxdb.url, '--database', name, '--retention', 'forever']);
    expect(wider.states.slice(0, 2)).toEqual(['kept', 'changed']);
    expect(await ask(`SHOW RETENTION POLICIES ON "lab \\"x\\" (1)-'a'"`)).toEqual([
      ['autogen', '0s', '24h0m0s', 1, true],
    ]);
    expect(wider.text).toContain(`\n  url: ${influxdb.url}\n`);
    // It holds what was written there.
    const out = await joblens.run(['run', '--mode', 'enabled', '--job', '1', '--', 'echo', 'x'], '', {
      JOBLENS_SITE_FILE: site,
    });
    expect([out.code, out.stderr]).toEqual([0, '']);
  });

  it('makes the policy of database/policy the default one', async () => {
    const args = ['--url', influxdb.url, '--database', 'two/short', '--retention', '30d'];
    expect((await setUp(args)).states.slice(0, 2)).toEqual(['made', 'made']);
    expect(await ask('SHOW RETENTION POLICIES ON "two"')).toContainEqual(['short', '720h0m0s', '24h0m0s', 1, true]);
    expect((await setUp(args)).states.slice(0, 2)).toEqual(['kept', 'kept']);
  });

  it('says what the server has against it', async () => {
    const refused = await setUp(['--url', influxdb.url, '--database', 'three', '--retention', '1h', '--shard', '52w']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^joblens: InfluxDB at \S+ refuses ALTER RETENTION POLICY .*: .*shard.*\n$/);
  });
});

describeWith(['influxd'], 'joblens setup influxdb and InfluxDB 1.x with users', () => {
  let influxdb: Influxdb;
  const ADMIN = { user: 'root', password: 'sesame-of-the-root' };
  beforeAll(async () => {
    influxdb = await startInfluxdb({ auth: ADMIN });
  });
  afterAll(() => influxdb.stop());

  it('makes one that may only read and one that may only write', async () => {
    const folder = newFolder();
    const args = ['--url', influxdb.url, '--database', 'logs', '--to', folder];
    const environment = { INFLUX_USER: ADMIN.user, INFLUX_PASSWORD: ADMIN.password };
    expect(await setUp(args, environment)).toMatchObject({ code: 0, stderr: '' });
    const [reads, writes] = ['read', 'write'].map((name) => readFileSync(join(folder, `${name}-token`), 'utf8').trim());
    expect(statSync(join(folder, 'read-token')).mode & 0o777).toBe(0o600);
    const log = async (user: string, password: string): Promise<[write: number, read: number]> => {
      const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
      const written = await fetch(`${influxdb.url}/write?db=logs`, { method: 'POST', headers, body: 'm v=1' });
      const read = await fetch(`${influxdb.url}/query?db=logs&q=SELECT+v+FROM+m`, { headers });
      return [written.status, (await read.text()).includes('"error"') ? 403 : read.status];
    };
    expect(await log('joblens_writer', writes ?? '')).toEqual([204, 403]);
    expect(await log('joblens_reader', reads ?? '')).toEqual([403, 200]);
    const site = readFileSync(join(folder, 'joblens.yaml'), 'utf8');
    expect(site).toContain(`
user: joblens_writer
password-file: ${join(folder, 'write-token')}
`);
    const again = await setUp(args, environment);
    expect([...new Set(again.states)]).toEqual(['kept']);
    rmSync(join(folder, 'write-token'));
    const lost = await setUp(args, environment);
    expect(lost.code).toBe(1);
    expect(lost.stderr).toMatch(/write-token is missing, .* remove the user joblens_writer and run this again\n$/);
    const denied = await setUp(args, { INFLUX_USER: ADMIN.user, INFLUX_PASSWORD: 'wrong' });
    expect(denied.code).toBe(1);
    expect(denied.stderr).toMatch(/authorization failed; set INFLUX_USER and INFLUX_PASSWORD to an administrator\n$/);
  });
});

describe('joblens setup influxdb and InfluxDB 2.x', () => {
  let server: FakeInfluxdb2;
  beforeEach(async () => {
    server = new FakeInfluxdb2();
    await server.start();
  });
  afterEach(() => server.stop());
  const admin = { INFLUX_TOKEN: 'the operator' };
  const args = (...more: string[]): string[] => [
    '--url',
    server.url,
    '--org',
    'lab (a)',
    '--bucket',
    "jobs-'1'",
    ...more,
  ];

  it('makes all of it, and changes nothing a second time', async () => {
    const folder = newFolder();
    const dry = await setUp(args('--to', folder, '--dry-run'), admin);
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(new Set(dry.states)).toEqual(new Set(['would make']));
    expect(server.requests.filter((line) => !line.startsWith('GET '))).toEqual([]);

    const first = await setUp(args('--to', folder, '--retention', '52w', '--shard', '1d'), admin);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(server.buckets).toEqual([
      expect.objectContaining({
        name: "jobs-'1'",
        retentionRules: [{ type: 'expire', everySeconds: 31_449_600, shardGroupDurationSeconds: 86_400 }],
      }),
    ]);
    const [bucket] = server.buckets;
    expect(server.authorizations.map(({ permissions }) => permissions)).toEqual(
      ['read', 'write'].map((action) => [
        { action, resource: { type: 'buckets', id: bucket?.id, orgID: bucket?.orgID } },
      ])
    );
    const [read, write] = server.authorizations;
    expect(readFileSync(join(folder, 'read-token'), 'utf8')).toBe(`${read?.token}\n`);
    expect(readFileSync(join(folder, 'write-token'), 'utf8')).toBe(`${write?.token}\n`);
    expect(readFileSync(join(folder, 'joblens.yaml'), 'utf8')).toContain('\norg: lab (a)\n');

    const before = server.requests.length;
    const again = await setUp(args('--to', folder), admin);
    expect([...new Set(again.states)]).toEqual(['kept']);
    expect(again.text).toContain('Everything was set up already.\n');
    expect(server.requests.slice(before).filter((line) => !line.startsWith('GET '))).toEqual([]);
    const wider = await setUp(args('--retention', 'forever'), admin);
    expect(wider.states.filter((state) => state !== 'kept')).toEqual(['changed']);
    expect(wider.text).toContain(`With this Grafana reads: ${read?.token}\n`);
    expect(server.buckets[0]?.retentionRules).toEqual([
      { type: 'expire', everySeconds: 0, shardGroupDurationSeconds: 86_400 },
    ]);
  });

  it('keeps what somebody has made, and the other keys of the file', async () => {
    const folder = mkdtempSync(join(joblens.folder, 'kept '));
    writeFileSync(join(folder, 'joblens.yaml'), '# ours\nwatcher: true\n');
    await setUp(args('--to', folder), admin);
    const site = readFileSync(join(folder, 'joblens.yaml'), 'utf8');
    expect(site).toMatch(/^# ours\nwatcher: true\nurl: http/);
    // A newer InfluxDB tells a token once only.
    server.hidesTokens = true;
    expect([...new Set((await setUp(args('--to', folder), admin)).states)]).toEqual(['kept']);
  });

  it('makes the mapping where the server has none of itself, and leaves one to another bucket alone', async () => {
    server.mapsVirtually = false;
    const made = await setUp(args(), admin);
    expect(made.code).toBe(0);
    expect(server.mappings).toEqual([
      expect.objectContaining({
        database: "jobs-'1'",
        retention_policy: 'autogen',
        default: true,
        bucketID: server.buckets[0]?.id,
      }),
    ]);
    expect(new Set((await setUp(args(), admin)).states)).toEqual(new Set(['kept']));
    server.mappings = [
      {
        id: '00000000000000aa',
        orgID: server.buckets[0]?.orgID ?? '',
        bucketID: '00000000000000bb',
        database: "jobs-'1'",
        retention_policy: 'x',
        default: true,
      },
    ];
    const other = await setUp(args(), admin);
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(
      /leads to another bucket, 00000000000000bb; remove it \(influx v1 dbrp delete --id 00000000000000aa\)/
    );
  });

  it.each<[Record<string, string>, RegExp]>([
    [{}, /^joblens: set INFLUX_TOKEN to a token of InfluxDB that may do everything, or give --token\n$/],
    [
      { INFLUX_TOKEN: 'wrong' },
      /^joblens: InfluxDB at \S+ refuses with status 401: unauthorized access; set INFLUX_TOKEN to a token that may do everything\n$/,
    ],
  ])('says what is wrong with %j', async (environment, message) => {
    const { code, stderr } = await setUp(args(), environment);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });

  it('asks for the organisation where there is more than one', async () => {
    server.orgs.push({ id: '00000000000000c1', name: 'a' }, { id: '00000000000000c2', name: 'b' });
    const { code, stderr } = await setUp(['--url', server.url], admin);
    expect([code, stderr]).toEqual([1, 'joblens: set INFLUX_ORG to an organisation, or give --org: there are a, b\n']);
  });
});

describe('joblens setup', () => {
  it.each([
    [['setup', 'influx'], 2, /^joblens: give what to set up: /],
    [
      ['setup', 'influxdb', '--retention', '5'],
      2,
      /^joblens: --retention must be a time such as 52w, 30d or 12h, of at most 100 years; got "5"\n$/,
    ],
    [['setup', 'influxdb'], 1, /^joblens: set INFLUX_HOST to the address of InfluxDB, or give --url\n$/],
    [
      ['setup', 'influxdb', '--url', 'http://127.0.0.1:1'],
      1,
      /^joblens: cannot reach InfluxDB at http:\S+: .*ECONNREFUSED.*; start it, or/,
    ],
  ])('refuses %j', async (words, code, message) => {
    const ended = await joblens.run(words);
    expect(ended.stderr).toMatch(message);
    expect(ended.code).toBe(code);
  });
});
