import { statSync } from 'node:fs';
import { join } from 'node:path';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { describeWith } from '../../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../../test/influxdb.js';
import { prepareJoblens, until } from '../testing/joblens.js';
import { type StartedGateway, startGateway } from './testing/started-gateway.js';

const ANN = "ann's (1)";

function createJob(job: string, user: string): readonly Point[] {
  const [startedMs, state] = [Date.now(), 'COMPLETED'] as const;
  const beats = HEARTBEAT_GRIDS.map((grid) =>
    createHeartbeatPoint({ job, user }, grid, findSlotStartMs(startedMs, grid), { state, startedMs })
  );
  return [createJobPoint({ job, user }, { state, startedMs }, BigInt(startedMs) * 1_000_000n), ...beats];
}

describeWith(['influxd'], 'joblens gateway and tokens', () => {
  const joblens = prepareJoblens();
  const file = join(joblens.folder, 'new folder', 'tokens.json');
  let influxdb: Influxdb;
  let gateway: StartedGateway;
  let tokens: ReadonlyMap<string, { readonly id: string; readonly token: string }>;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
    const made = await command([
      'token',
      'create',
      '--user',
      ANN,
      '--user',
      'bob',
      '--user',
      'eve',
      '--host',
      'login1',
    ]);
    const rows = made.stdout
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    tokens = new Map(rows.map(([id = '', , name = '', token = '']) => [name, { id, token }]));
    gateway = await startGateway(joblens, influxdb.url, ['--tokens', file], { JOBLENS_GATEWAY_WRITE_TOKEN: 'any' });
    const jobs = [createJob('of ann', ANN), createJob('b-1', 'bob')].flat();
    expect((await write('login1', jobs.map(formatPoint).join('\n'))).status).toBe(204);
  });
  afterAll(async () => {
    await gateway.stop();
    joblens.remove();
    await influxdb.stop();
  });

  const command = (args: readonly string[], environment: Record<string, string> = {}) =>
    joblens.run(args, '', { JOBLENS_GATEWAY_TOKENS: file, ...environment });
  const as = (name: string): Record<string, string> => ({
    INFLUX_HOST: gateway.url,
    INFLUX_TOKEN: tokens.get(name)?.token ?? '',
    JOBLENS_LOG_LEVEL: 'info',
  });
  const write = (name: string, body: string, path = '/write?db=joblens'): Promise<Response> =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      body,
      headers: { authorization: `Token ${tokens.get(name)?.token}` },
    });
  const listJobs = async (name: string): Promise<readonly string[]> => {
    const { code, stdout, stderr } = await command(['jobs', '--json'], as(name));
    if (code !== 0) throw new Error(stderr);
    const rows = stdout
      .toString()
      .split('\n')
      .filter((line) => line !== '');
    return rows.map((line) => (JSON.parse(line) as { job: string }).job).toSorted();
  };

  test('keeps hashes of tokens alone, in a file of its owner', async () => {
    const { mode } = statSync(file);
    expect(mode & 0o777).toBe(0o600);
    const listed = (await command(['token', 'list'])).stdout.toString();
    expect(listed).toContain(`user\t${ANN}\tsince `);
    for (const { id, token } of tokens.values()) expect(listed).not.toContain(token.slice(`joblens_${id}_`.length));
  });

  test('takes points of a user as theirs alone, and reads them back as theirs', async () => {
    expect((await write('bob', 'job_log,job=b-1,task=0,stream=stdout kind="output",line="mine"')).status).toBe(204);
    const stolen = await write(
      'bob',
      `job_log,job=b-1 line="x"\njob_log,job=1,user=ann line="forged"`,
      '/api/v2/write?bucket=joblens'
    );
    expect([stolen.status, await stolen.text()]).toEqual([
      400,
      expect.stringContaining('line 2: it says user \\"ann\\"'),
    ]);
    const log = await command(['log', 'b-1'], as('bob'));
    expect([log.stderr, log.stdout.toString()]).toEqual(['', '0: mine\n']);
    expect((await command(['log', 'b-1'], as(ANN))).code).toBe(1);
  });

  test('shows what is shared while it is shared', async () => {
    expect(await listJobs(ANN)).toEqual(['of ann']);
    // Fields in place of tags, by somebody who reaches the store itself.
    const forged = `job_share,job=x,user=bob,whom=bob user="${ANN}",job="of ann",shared=1`;
    expect((await write('bob', forged)).status).toBe(400);
    await fetch(`${influxdb.url}/write?db=joblens`, { method: 'POST', body: forged });
    const shared = await command(['share', 'b-1', '--user', 'bob', ANN, 'group:x'], as('bob'));
    expect([shared.stderr, shared.code]).toEqual([`joblens: job b-1 is shared with ${ANN}, group:x\n`, 0]);
    await until(async () => (await listJobs(ANN)).length === 2);
    expect(await listJobs('bob')).toEqual(['b-1']);
    expect((await command(['unshare', 'b-1', '--user', 'bob', ANN], as('bob'))).code).toBe(0);
    await until(async () => (await listJobs(ANN)).length === 1);
    // A later process of the job offers it again, by the opt-in: that does not undo it.
    const offer = `job_share,job=b-1,user=bob,whom=${ANN.replaceAll(' ', '\\ ')} offered=1`;
    expect((await write('bob', `${offer}\njob_share,job=b-1,user=bob,whom=eve offered=1`)).status).toBe(204);
    await until(async () => (await listJobs('eve')).length === 1);
    expect(await listJobs(ANN)).toEqual(['of ann']);
    // A job of others cannot be shared, nor can they be named as its owner.
    expect((await command(['share', 'of ann', '--user', ANN, 'bob'], as('bob'))).code).toBe(1);
  });

  test('lets a host write and not read, and nobody with a revoked token', async () => {
    const asked = await fetch(`${gateway.url}/query?q=SHOW+MEASUREMENTS`, {
      headers: { authorization: `Bearer ${tokens.get('login1')?.token}` },
    });
    expect([asked.status, await asked.text()]).toEqual([403, expect.stringContaining('(rule write-only)')]);
    expect((await command(['token', 'revoke', tokens.get('login1')?.id ?? ''])).code).toBe(0);
    await until(async () => (await write('login1', 'job,job=1,user=ann state="FAILED"')).status === 401);
    expect((await command(['token', 'revoke', 'nothing'])).code).toBe(1);
    expect((await command(['token', 'create'])).code).toBe(2);
  });
});
