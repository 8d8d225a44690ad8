import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { startServe } from './testing/started-serve.js';
import { describeWith } from '../../../../test/components.js';
import { type Influxdb, querySeries, startInfluxdb } from '../../../../test/influxdb.js';
import { pythonPath } from '../../../../test/python.js';

interface TelegrafConf {
  readonly agent: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  readonly outputs: { readonly influxdb: readonly Output[] };
}

interface Output {
  readonly urls: readonly string[];
  readonly database: string;
  readonly skip_database_creation: boolean;
  readonly tagexclude?: readonly string[];
  readonly tagdrop?: Readonly<Record<string, readonly string[]>>;
  readonly tagpass?: Readonly<Record<string, readonly string[]>>;
}

const PAGE = readFileSync(join(__dirname, '../../../../docs/serve.md'), 'utf8');
const blockOf = (language: string): string =>
  PAGE.split(`\`\`\`${language}\n`)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf('```')))
    .at(-1) ?? '';

type Tags = Readonly<Record<string, string>>;

/** Telegraf's filters, as far as the page uses them: selectors first, then what a metric loses. */
function passes({ tagdrop = {}, tagpass }: Output, tags: Tags): boolean {
  const fits = (rule: Readonly<Record<string, readonly string[]>>): boolean =>
    Object.entries(rule).some(([name, values]) =>
      values.some((one) => tags[name] === one || (one === '*' && name in tags))
    );
  return !fits(tagdrop) && (tagpass === undefined || fits(tagpass));
}

function formatMetric({ tagexclude = [] }: Output, measurement: string, tags: Tags, fields: string): string {
  const left = Object.entries(tags).filter(([name]) => !tagexclude.includes(name));
  return `${[measurement, ...left.map(([name, value]) => `${name}=${value}`).sort()].join(',')} ${fields} 1700000000000000000\n`;
}

describeWith(['pytelegraf', 'influxd'], 'the telegraf.conf of the page about serve', () => {
  const joblens = prepareJoblens();
  let influxdb: Influxdb;
  let conf: TelegrafConf;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
    const script = 'import json, sys, tomllib; print(json.dumps(tomllib.load(sys.stdin.buffer)))';
    const json = execFileSync(pythonPath(), ['-c', script], { input: blockOf('toml') });
    conf = JSON.parse(json.toString()) as TelegrafConf;
  });
  afterAll(async () => {
    joblens.remove();
    await influxdb.stop();
  });

  it('measures its machine, and listens for what jobs send', () => {
    expect(Object.keys(conf.inputs).sort()).toEqual(['cpu', 'disk', 'mem', 'socket_listener']);
    expect(conf.inputs['socket_listener']?.[0]).toMatchObject({
      ...{ service_address: 'udp://127.0.0.1:8092', data_format: 'influx' },
    });
    expect(conf.outputs.influxdb.map(({ database }) => database)).toEqual(['telegraf', 'training']);
    // Nothing answers CREATE DATABASE.
    expect(conf.outputs.influxdb.every((output) => output.skip_database_creation)).toBe(true);
    expect(conf.outputs.influxdb.flatMap(({ urls }) => urls)).toEqual(Array(2).fill('http://127.0.0.1:8186'));
  });

  it('has its two outputs taken by the command beside it, and makes rows of what jobs send alone', async () => {
    const shown = PAGE.match(/^joblens serve --udp off (.*)$/m)?.[1]?.split(' ') ?? [];
    const spool = ['--spool', join(joblens.folder, 'spool'), '--url', influxdb.url];
    const serve = await startServe(joblens, [...spool, ...shown]);
    const metrics: readonly (readonly [string, Tags, string])[] = [
      ['cpu', { host: 'n1', cpu: 'cpu-total' }, 'usage_user=3.5'],
      [
        'training_loss',
        { host: 'n1', job_id: '7', user: 'ann', influxdb_database: 'training' },
        'value=0.45,iteration=1i',
      ],
    ];
    for (const output of conf.outputs.influxdb) {
      const lines = metrics.filter(([, tags]) => passes(output, tags)).map((metric) => formatMetric(output, ...metric));
      expect(lines).toHaveLength(1);
      const headers = { 'content-encoding': 'gzip', 'user-agent': 'Telegraf/1.40' };
      const answer = await serve.post(`/write?db=${output.database}`, gzipSync(lines.join('')), headers);
      expect(answer.status).toBe(204);
    }
    const select = async (q: string): Promise<unknown> =>
      (await querySeries(influxdb.url, q)).flatMap(({ values }) => values.map(([, ...row]) => row));
    await until(async () => ((await select('SELECT "rows" FROM "job_series"')) as unknown[]).length === 1);
    expect(await serve.stop()).toBe(0);
    expect(await select('SELECT "usage_user", "host" FROM "cpu"')).toEqual([[3.5, 'n1']]);
    expect(await select('SELECT "iteration", "training_loss", "job", "user" FROM "job_metadata"')).toEqual([
      [1, 0.45, '7', 'ann'],
    ]);
    expect(await select('SELECT * FROM "job_metadata_text"')).toEqual([]);
  });

  it('is told what to set where that is missing', async () => {
    const out = join(joblens.folder, 'spool-2');
    const serve = await startServe(joblens, ['--spool', out, '--url', influxdb.url]);
    const answer = await serve.post('/write?db=training', 'm x=1');
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('--databases')]);
    expect(await serve.stop()).toBe(0);
  });
});
