import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import { prepareJoblens } from '../../testing/joblens.js';
import { FakeGrafana } from '../testing/fake-grafana.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const ROOT = join(__dirname, '..', '..', '..', '..');
/** What is installed: the command, and below its prefix the files for Grafana. */
const PREFIX = join(joblens.folder, "pre fix (a)-'");
const COMMAND = join(PREFIX, 'lib', 'joblens', 'bin', 'joblens');

beforeAll(() => {
  cpSync(dirname(dirname(joblens.command)), join(PREFIX, 'lib', 'joblens'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const grafana = join(PREFIX, 'share', 'joblens', 'grafana');
  mkdirSync(join(grafana, 'plugins', 'joblens-app'), { recursive: true });
  for (const name of ['dashboards', 'provisioning']) symlinkSync(join(ROOT, name), join(grafana, name));
});

describe('joblens setup grafana', () => {
  let grafana: FakeGrafana;
  beforeEach(async () => {
    grafana = new FakeGrafana();
    await grafana.start();
  });
  afterEach(() => grafana.stop());

  async function setUp(
    args: readonly string[],
    environment: Record<string, string> = { GRAFANA_TOKEN: FakeGrafana.TOKEN, JOBLENS_READ_TOKEN: 'reads-only' }
  ): Promise<{
    readonly code: number | null;
    readonly text: string;
    readonly states: string[];
    readonly stderr: string;
  }> {
    const store = { INFLUX_HOST: 'http://influxdb.example:8086', INFLUX_BUCKET: "jobs-'1'", JOBLENS_SITE_FILE: 'off' };
    const words = ['setup', 'grafana', '--page', grafana.url, ...args];
    const env = { PATH: process.env['PATH'], HOME: joblens.folder, ...store, ...environment };
    const child = spawn(COMMAND, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => void (printed[name] += text));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    const lines = printed.stdout.matchAll(/^(would make|would change|made|changed|kept) +(?=\S)/gm);
    return { code, text: printed.stdout, states: [...lines].map(([, state]) => String(state)), stderr: printed.stderr };
  }
  const written = (): string[] => grafana.requests.filter((line) => !line.startsWith('GET '));

  it('makes all of it, and changes nothing a second time', async () => {
    const dry = await setUp(['--dry-run']);
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(new Set(dry.states)).toEqual(new Set(['would change', 'would make']));
    expect(written()).toEqual([]);

    const first = await setUp([]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(grafana.plugin).toMatchObject({ enabled: true });
    expect(grafana.sources.get('joblens')).toMatchObject({
      ...{ type: 'joblens-datasource', access: 'proxy', url: 'http://influxdb.example:8086' },
      jsonData: { database: "jobs-'1'", auth: 'token', url: 'http://influxdb.example:8086' },
    });
    expect(grafana.secrets.get('joblens')).toEqual({ token: 'reads-only' });
    expect(grafana.secrets.get('joblens-influxdb')).toEqual({ httpHeaderValue1: 'Token reads-only' });
    expect(grafana.folders).toEqual([{ id: 1, uid: 'joblens', title: 'Joblens' }]);
    expect(grafana.dashboards.size).toBe(readdirSync(join(ROOT, 'dashboards')).length);
    expect(first.text).not.toContain('reads-only');

    grafana.requests.length = 0;
    const again = await setUp([]);
    expect(new Set(again.states)).toEqual(new Set(['kept']));
    expect(again.text).toContain('Everything was set up already.\n');
    expect(written()).toEqual([]);
  });

  it('changes what differs alone, and writes the token again when it is told to', async () => {
    await setUp([]);
    const saved = grafana.dashboards.get('joblens-jobs');
    if (saved !== undefined) saved.dashboard['title'] = 'Other';
    grafana.sources.set('joblens', { ...grafana.sources.get('joblens'), url: 'http://old.example' });
    const mended = await setUp([]);
    expect(mended.states.filter((state) => state !== 'kept')).toEqual(['changed', 'changed']);
    expect(grafana.dashboards.get('joblens-jobs')?.dashboard).toMatchObject({ title: 'Jobs', version: 2 });
    await setUp(['--renew'], { GRAFANA_TOKEN: FakeGrafana.TOKEN, JOBLENS_READ_TOKEN: 'the new one' });
    expect(grafana.secrets.get('joblens')).toEqual({ token: 'the new one' });
  });

  it('leaves alone what files of provisioning have made', async () => {
    await setUp([]);
    for (const source of grafana.sources.values())
      Object.assign(source, { readOnly: true, url: 'http://theirs.example' });
    for (const { meta, dashboard } of grafana.dashboards.values()) {
      meta['provisioned'] = true;
      dashboard['title'] = 'Theirs';
    }
    expect(new Set((await setUp([])).states)).toEqual(new Set(['kept']));
  });

  it('lets Grafana log in as a user of InfluxDB 1.x', async () => {
    const environment = { GRAFANA_TOKEN: FakeGrafana.TOKEN, JOBLENS_READ_TOKEN: 'sesame' };
    expect((await setUp(['--read-user', 'joblens_reader'], environment)).code).toBe(0);
    expect(grafana.sources.get('joblens')).toMatchObject({
      ...{ basicAuth: true, basicAuthUser: 'joblens_reader' },
      jsonData: { auth: 'basic' },
    });
    expect(grafana.secrets.get('joblens')).toEqual({ basicAuthPassword: 'sesame' });
    expect(grafana.sources.get('joblens-influxdb')).toMatchObject({ user: 'joblens_reader' });
    expect(new Set((await setUp(['--read-user', 'joblens_reader'], environment)).states)).toEqual(new Set(['kept']));
  });

  it('lets Grafana ask a gateway, with its secret and no token', async () => {
    const [GRAFANA_TOKEN, secret] = [FakeGrafana.TOKEN, 'sesame-(of "tests")'];
    const gateway = ['--gateway', 'http://gateway.example:8087'];
    const environment = { GRAFANA_TOKEN, JOBLENS_READ_TOKEN: 'reads-only', JOBLENS_GATEWAY_SECRET: secret };
    const first = await setUp(gateway, environment);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect([...grafana.sources.keys()]).toEqual(['joblens']);
    expect(grafana.sources.get('joblens')).toMatchObject({
      ...{ url: 'http://gateway.example:8087' },
      jsonData: { database: "jobs-'1'", auth: 'none', httpHeaderName1: 'X-Joblens-Secret' },
    });
    expect(grafana.secrets.get('joblens')).toEqual({ httpHeaderValue1: secret });
    expect(first.text).not.toContain(secret);

    const file = join(joblens.folder, 'the "secret" (1)');
    writeFileSync(file, `${secret}, another\n`);
    const renewed = await setUp([...gateway, '--renew', '--secret-file', file], { GRAFANA_TOKEN });
    expect(renewed.states.filter((state) => state !== 'kept')).toEqual(['changed']);
    expect(grafana.secrets.get('joblens')).toEqual({ httpHeaderValue1: `${secret}, another` });

    grafana.sources.set('joblens-influxdb', { uid: 'joblens-influxdb' });
    expect((await setUp(gateway, environment)).stderr).toContain('joblens-influxdb leads past the gateway: remove it');
    expect(await setUp(gateway, { GRAFANA_TOKEN })).toMatchObject({
      code: 1,
      stderr: 'joblens: set JOBLENS_GATEWAY_SECRET, or give --secret-file\n',
    });
  });

  it.each([
    [
      { GRAFANA_TOKEN: 'wrong' },
      /refuses GET \/api\/plugins\S+: 401 Invalid API key; set GRAFANA_TOKEN to a token of a/,
    ],
    [{}, /^joblens: set GRAFANA_TOKEN to a token of a service account that is an admin, or give --grafana-token\n$/],
  ])('says what is wrong with %j', async (environment, message) => {
    const { code, stderr } = await setUp([], environment);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  it('says where the files of the plugin are, where Grafana has none', async () => {
    grafana.plugin = undefined;
    const { code, stderr } = await setUp([]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `copy ${join(PREFIX, 'share/joblens/grafana/plugins/joblens-app')} to its folder of plugins`
    );
    expect(written()).toEqual([]);
  });
});
