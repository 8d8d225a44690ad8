import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { describeWith } from '../../../test/components.js';
import { type Influxdb, querySeries, startInfluxdb } from '../../../test/influxdb.js';
import { prepareJoblens, until } from '../testing/joblens.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const FOLDERS = 60;
const AWAY = 'http://127.0.0.1:1';
const newSpool = (): string => mkdtempSync(join(joblens.folder, 'spool-'));
const on = (spool: string, url: string): string[] => ['--spool', spool, '--url', url];
const PIPE = ['pipe', '--mode', 'enabled', '--user', 'ann', '--drain-timeout', '0'];

/** Two lines, and a heartbeat on each grid. */
const LEFT = 2 + HEARTBEAT_GRIDS.length;

/** Leaves the points of two lines in the spool. */
async function leavePoints(spool: string, url = AWAY): Promise<void> {
  await joblens.run([...PIPE, '--job', 'left', ...on(spool, url)], 'a\nb\n');
}

/** Whether a point with this text waits in the spool. */
function holds(spool: string, text: string): boolean {
  return readdirSync(spool, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.segment'))
    .some((name) => readFileSync(join(spool, name)).includes(text));
}

describe('joblens drain', () => {
  it('says that nothing waits', async () => {
    const spool = join(newSpool(), 'none');
    expect(await joblens.run(['drain', ...on(spool, AWAY)])).toMatchObject({
      code: 0,
      stdout: Buffer.from(`nothing waits in ${spool} for InfluxDB at ${AWAY}, bucket joblens\n`),
      stderr: '',
    });
    expect(existsSync(spool)).toBe(false);
  });

  it('says that it does not know where to', async () => {
    const { code, stderr } = await joblens.run(['drain']);
    expect([code, stderr]).toEqual([
      1,
      'joblens: nothing was sent: nothing says where to; set INFLUX_HOST or give --url URL\n',
    ]);
  });

  it('says that the spool cannot be used', async () => {
    const file = join(joblens.folder, 'file');
    writeFileSync(file, '');
    const { code, stdout, stderr } = await joblens.run(['drain', ...on(file, AWAY)]);
    expect([code, stdout.length]).toEqual([1, 0]);
    expect(stderr).toMatch(/^joblens: the spool folder .*file is not a folder: choose another one with --spool\n$/);
  });

  it('gives up after the time while the server is away, and keeps everything', async () => {
    const spool = newSpool();
    await leavePoints(spool);
    for (let round = 0; round < 2; round += 1) {
      const ended = await joblens.run(['drain', '--drain-timeout', '0.3', ...on(spool, AWAY)]);
      expect([ended.code, ended.stdout.toString()]).toEqual([
        1,
        `sent 0 points to InfluxDB at ${AWAY}; ${LEFT} are left\n`,
      ]);
      expect(ended.stderr).toMatch(/^joblens: cannot reach InfluxDB at [^\n]*\n$/);
    }
  });

  it('says what it cannot read, keeps it aside, and exits with 1', async () => {
    const spool = newSpool();
    await leavePoints(spool);
    const [folder = ''] = readdirSync(spool);
    const name = readdirSync(join(spool, folder)).find((file) => file.endsWith('.segment')) ?? '';
    const bytes = readFileSync(join(spool, folder, name));
    for (let at = 8; at !== -1; at = bytes.indexOf('JLR1', at)) bytes.write('JLR9', at);
    writeFileSync(join(spool, folder, name), bytes);
    const ended = await joblens.run(['drain', ...on(spool, AWAY)]);
    const [kept = ''] = readdirSync(join(spool, 'damaged'));
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(`are damaged: their points are lost; `)]);
    expect(ended.stderr).toContain(join(spool, 'damaged', kept));
    expect(readFileSync(join(spool, 'damaged', kept))).toEqual(bytes);
    expect(readdirSync(spool)).toEqual(['damaged']);
    expect((await joblens.run(['drain', ...on(spool, AWAY)])).code).toBe(0);
  });

  it('finds what was logged after the spool was removed, and what was lost with it was told', async () => {
    const spool = newSpool();
    const child = joblens.start([...PIPE, '--job', 'gone', ...on(spool, AWAY)]);
    child.write('a\n');
    await until(() => child.stderr().includes('cannot reach') && holds(spool, 'line="a"'));
    // It writes a file there meanwhile.
    rmSync(spool, { recursive: true, maxRetries: 10 });
    child.write('b\n');
    child.endInput();
    expect((await child.ended).code).toBe(1);
    expect(child.stderr().toString()).toMatch(
      /was removed, or taken over by another process: nothing that waited there/
    );
    const ended = await joblens.run(['drain', '--drain-timeout', '3', ...on(spool, AWAY)]);
    expect(ended.stdout.toString()).toContain(`; ${LEFT} are left`);
  });

  it('stops at Ctrl+C, and keeps everything', async () => {
    const spool = newSpool();
    await leavePoints(spool);
    const child = joblens.start(['drain', '--drain-timeout', '600', ...on(spool, AWAY)]);
    await until(() => child.stderr().includes('cannot reach'));
    child.kill('SIGINT');
    expect(await child.ended).toEqual({ code: 1, signal: null });
    expect(child.stdout().toString()).toContain(`; ${LEFT} are left`);
  });
});

describeWith(['influxd'], 'joblens drain and a real InfluxDB 1.x', () => {
  let influxdb: Influxdb;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });
  afterEach(() => influxdb.restart());
  afterAll(() => influxdb.stop());

  async function logOf(job: string): Promise<unknown[]> {
    const [series] = await querySeries(influxdb.url, `SELECT "line" FROM "job_log" WHERE "job" = '${job}'`);
    return series?.values.map(([, line]) => line) ?? [];
  }

  it('sends what a killed run has left, removes its spool, and lists the spools of other destinations', async () => {
    const spool = newSpool();
    await influxdb.kill();
    const program = ['sh', '-c', 'echo one; echo two; sleep 600'];
    const args = ['run', '--mode', 'enabled', '--job', 'killed', '--user', 'ann', ...on(spool, influxdb.url)];
    const child = joblens.start([...args, '--', ...program]);
    await until(() => child.stderr().includes('cannot reach InfluxDB'));
    await until(() => holds(spool, 'line="two"'));
    const killedMs = Date.now();
    process.kill(-child.pid, 'SIGKILL');
    await child.ended;
    await leavePoints(spool);
    await influxdb.restart();

    const ended = await joblens.run(['drain', ...on(spool, influxdb.url)]);
    expect(ended.stdout.toString().split('\n')).toEqual([
      expect.stringMatching(/^sent ([4-9]|1\d) points to InfluxDB at .*; 0 are left$/),
      `${LEFT} points wait for InfluxDB at ${AWAY}, bucket joblens: give that address and bucket to send them`,
      '',
    ]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(await logOf('killed')).toEqual(['one', 'two']);
    const [states] = await querySeries(influxdb.url, `SELECT "state", "ended" FROM "job" WHERE "job" = 'killed'`);
    expect(states?.values.map(([, state]) => state)).toEqual(['RUNNING', 'LOST']);
    const [, , endedMs] = states?.values[1] ?? [];
    expect(Math.abs(killedMs - Number(endedMs))).toBeLessThan(15_000);
    expect(readdirSync(spool)).toHaveLength(1);
  });

  it('sends what many processes have left without a wait for each', async () => {
    const spool = newSpool();
    await influxdb.kill();
    await leavePoints(spool, influxdb.url);
    await influxdb.restart();
    const [folder = ''] = readdirSync(spool);
    for (let i = 1; i < FOLDERS; i += 1) {
      cpSync(join(spool, folder), join(spool, folder.replace(/_closed$/, `${i}_closed`)), { recursive: true });
    }
    const startedMs = Date.now();
    const ended = await joblens.run(['drain', ...on(spool, influxdb.url)]);
    const tookMs = Date.now() - startedMs;
    expect([ended.code, ended.stdout.toString()]).toEqual([
      0,
      expect.stringContaining(`sent ${LEFT * FOLDERS} points`),
    ]);
    expect(readdirSync(spool)).toEqual([]);
    // Requests that wait for more take 200 ms each.
    expect(tookMs).toBeLessThan(FOLDERS * 200);
  });

  it('sends what a dead watch has left, and keeps what it knew', async () => {
    const spool = newSpool();
    const logs = mkdtempSync(join(joblens.folder, 'logs-'));
    mkdirSync(logs, { recursive: true });
    writeFileSync(join(logs, 'w.out'), 'first\n');
    await influxdb.kill();
    const watch = ['watch', '--mode', 'enabled', '--drain-timeout', '5', ...on(spool, influxdb.url), logs];
    const dead = joblens.start(watch);
    await until(() => dead.stderr().includes('cannot reach InfluxDB') && holds(spool, 'line="first"'));
    dead.kill('SIGKILL');
    await dead.ended;
    await influxdb.restart();

    const ended = await joblens.run(['drain', ...on(spool, influxdb.url)]);
    expect(ended.code).toBe(0);
    expect(await logOf('w')).toEqual(['first']);
    expect(readdirSync(spool)).toHaveLength(1);
    writeFileSync(join(logs, 'w.out'), 'first\nsecond\n');
    const next = joblens.start(watch);
    await until(async () => (await logOf('w')).length > 1);
    next.kill('SIGTERM');
    expect((await next.ended).code).toBe(0);
    expect(await logOf('w')).toEqual(['first', 'second']);
  });

  it('counts a point that is rejected not as sent', async () => {
    const spool = newSpool();
    const write = `${influxdb.url}/write?db=joblens`;
    await fetch(write, { method: 'POST', body: 'job_metadata,job=wrong,user=ann,series=loss loss="text"' });
    await influxdb.kill();
    const piped = await joblens.run([...PIPE, '--job', 'wrong', ...on(spool, influxdb.url)], '{"loss": 1}\n');
    const left = Number(/could not send (\d+) points/.exec(piped.stderr)?.[1]);
    await influxdb.restart();
    const { code, stdout, stderr } = await joblens.run(['drain', ...on(spool, influxdb.url)]);
    expect(code).toBe(0);
    expect(stdout.toString()).toBe(`sent ${left - 1} points to InfluxDB at ${influxdb.url}; 0 are left\n`);
    expect(stderr).toMatch(/joblens: the store rejected 1 point: see /);
  });
});
