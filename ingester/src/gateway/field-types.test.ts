import { join } from 'node:path';
import { formatFieldKey } from '@joblens/core/point/line-protocol';
import { STORED_FIELDS } from '@joblens/core/schema/stored-fields';
import { describeWith } from '../../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../../test/influxdb.js';
import { prepareJoblens } from '../testing/joblens.js';
import { type StartedGateway, startGateway } from './testing/started-gateway.js';

const ANN = "ann's (1)";

/** Keys of the rows that the job prints, which are users' own. */
const KEYS = { loss: 'number', "a-b.c (it's)": 'number', word: 'text' } as const;

const WRONG = { number: ['1i', '"x"', 'true'], text: ['1', '1i', 'true'] } as const;

/** Each field of Joblens with each other type, and keys of tables. */
const ATTACKS = Object.entries(STORED_FIELDS).flatMap(([measurement, { named, others }]) =>
  Object.entries({
    ...named,
    ...(others !== undefined && Object.fromEntries(Object.keys(KEYS).map((key) => [key, others]))),
  }).flatMap(([field, type]) => WRONG[type].map((value) => `${measurement},x=y ${formatFieldKey(field)}${value}`))
);

describeWith(['influxd'], 'a gateway whose users write wrong types first', () => {
  const joblens = prepareJoblens();
  const file = join(joblens.folder, 'tokens.json');
  let influxdb: Influxdb;
  let gateway: StartedGateway;
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    influxdb = await startInfluxdb();
    const args = ['token', 'create', '--user', ANN, '--user', 'eve', '--host', 'login1'];
    const made = await joblens.run(args, '', { JOBLENS_GATEWAY_TOKENS: file });
    for (const line of made.stdout.toString().trimEnd().split('\n')) {
      const [, , name = '', token = ''] = line.split('\t');
      tokens.set(name, token);
    }
    gateway = await startGateway(joblens, influxdb.url, ['--tokens', file], { JOBLENS_GATEWAY_WRITE_TOKEN: 'any' });
  });
  afterAll(async () => {
    await gateway.stop();
    joblens.remove();
    await influxdb.stop();
  });

  const write = (name: string, body: string): Promise<Response> =>
    fetch(`${gateway.url}/write?db=joblens`, {
      ...{ method: 'POST', body },
      headers: { authorization: `Token ${tokens.get(name)}` },
    });

  test.each(['eve', 'login1'])('refuses each of them of %s', async (name) => {
    for (const attack of ATTACKS) {
      const answer = await write(name, attack);
      expect([attack, answer.status, await answer.text()]).toEqual([
        attack,
        400,
        expect.stringContaining('field-type'),
      ]);
    }
  });

  test('stores all that the ingester writes after that', async () => {
    const script = `echo start; echo '{"loss": 0.5, "a-b.c (it'"'"'s)": 2, "word": "x"}'; echo '/LOGCOMMAND {"share": ["bob"], "tags": {"a": "b"}}'; exit 3`;
    const { code, stderr } = await joblens.run(
      ['run', '--mode', 'enabled', '--job', 'j-1', '--user', ANN, '--', 'sh', '-c', script],
      '',
      {
        ...{ INFLUX_HOST: gateway.url, INFLUX_TOKEN: tokens.get(ANN) ?? '' },
      }
    );
    expect([code, stderr]).toEqual([3, expect.not.stringContaining('rejected')]);
    const q =
      'SELECT last("state"), last("exit_code") FROM "job"; SELECT * FROM "job_metadata", "job_metadata_text"; SELECT "keys" FROM "job_series"';
    const answer = await fetch(`${influxdb.url}/query?${new URLSearchParams({ db: 'joblens', q }).toString()}`);
    const text = await answer.text();
    for (const part of ['"FAILED",3', '0.5', '"word"', "a-b.c (it's)"]) expect(text).toContain(part);
  });

  test('closes a hole that the store itself has', async () => {
    const direct = (body: string): Promise<Response> =>
      fetch(`${influxdb.url}/write?db=joblens`, { method: 'POST', body });
    expect((await direct('job_share,user=eve shared="x",offered=1i 1')).status).toBe(204);
    const answer = await direct('job_share,user=bob shared=1 1');
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('field type conflict')]);
  });
});
