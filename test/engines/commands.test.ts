import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from '../components.js';
import { type Influxdb, querySeries, startInfluxdb } from '../influxdb.js';
import { BINARY, type Ended, joblens } from '../joblens-command.js';
import { startMcpClient } from '../mcp/mcp-client.js';
import { LISTS, OF_JOBS, OF_OTHERS } from './reading-commands.js';
import { checkStatements } from './statement-list.js';
import { DATABASE, type DatabaseName, writeStoredJobs } from './stored-jobs.js';
import { startStrictStore, type StrictStore } from './strict-store.js';

/** The first of each subcommand, and each report. */
const OF_EACH = [...LISTS, ...OF_JOBS].filter((command, at, all) => {
  const form = /^report \S+|\S+/.exec(command)?.[0] ?? '';
  return all.findIndex((other) => other.startsWith(form)) === at;
});

/** Where `serve` listens, as it says. */
function readAddress(serve: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve) => {
    serve.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [address] = /http:\/\/127\.0\.0\.1:\d+(?=,)/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describeWith(['influxd'], 'an engine that refuses what openGemini refuses', () => {
  let influxdb: Influxdb;
  let store: StrictStore;
  /** To another store than that. */
  const sent: string[] = [];
  let writtenAt = '';
  beforeAll(async () => {
    influxdb = await startInfluxdb();
    store = await startStrictStore(influxdb.url);
    await writeStoredJobs(influxdb.url, store.url);
    writtenAt = new Date().toISOString();
  });
  afterAll(async () => {
    await store.stop();
    await influxdb.stop();
  });

  /** What a command prints of each store; the address is the only difference between them. */
  async function askBoth(command: string, database: DatabaseName): Promise<readonly [Ended, Ended]> {
    const args = [...command.replace('WRITTEN', writtenAt).split(' '), '--bucket', database];
    const [before, behind] = await Promise.all([joblens(args, store.url), joblens(args, influxdb.url)]);
    return [{ ...before, stderr: before.stderr.replaceAll(store.url, influxdb.url) }, behind];
  }

  it.each([...LISTS, ...OF_JOBS])('gives the same: joblens %s', async (command) => {
    const [before, behind] = await askBoth(command, DATABASE.full);
    expect(before).toEqual(behind);
    expect(behind).toMatchObject({ code: 0 });
  });

  it.each([...LISTS, ...OF_OTHERS])('gives the same of what other programs wrote: joblens %s', async (command) => {
    const [before, behind] = await askBoth(command, DATABASE.others);
    expect(before).toEqual(behind);
  });

  it.each(OF_EACH)('gives the same where nobody has written: joblens %s', async (command) => {
    const [before, behind] = await askBoth(command, DATABASE.fresh);
    expect(before).toEqual(behind);
  });

  it('says what is different, and deletes nothing', async () => {
    const doctor = await joblens(['doctor', '--mode', 'enabled'], store.url);
    expect(doctor.stdout).toMatch(/connection +openGemini 1\.5\.0 answers at .*\n.*engine +joblens delete cannot/);
    const args = ['delete', 'mpi', '--user', 'ann', '--yes', '--confirm', 'mpi'];
    expect(await joblens(args, store.url)).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringContaining('nothing is deleted') as unknown,
    });
    const [log] = await askBoth('log mpi', DATABASE.full);
    expect(log.stdout).toBe('0: rank 0\n1: rank 1\n');
  });

  it('deletes jobs where series can be dropped, those of one measurement at a time', async () => {
    const unnamed = await startStrictStore(influxdb.url, { isNamed: false });
    try {
      const args = ['delete', 'mpi', '--user', 'ann', '--yes', '--confirm', 'mpi'];
      const doctor = await joblens(['doctor', '--mode', 'enabled'], unnamed.url);
      expect(doctor.stdout).toMatch(/connection +InfluxDB 1\..* answers at /);
      expect(await joblens(args, unnamed.url)).toMatchObject({ code: 0, stderr: 'joblens: deleted job mpi of ann\n' });
      expect((await joblens(['log', 'mpi'], influxdb.url)).code).toBe(1);
      sent.push(...unnamed.asked);
    } finally {
      await unnamed.stop();
    }
  });

  it('takes what watch and serve write, and answers what they ask', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'joblens-engines-'));
    const env = { PATH: process.env['PATH'], HOME: folder, INFLUX_HOST: store.url, INFLUX_BUCKET: 'joblens' };
    const start = (...args: readonly string[]): ChildProcess =>
      spawn(BINARY, [...args, '--spool', join(folder, 'spool'), '--health', 'off'], { env });
    writeFileSync(join(folder, 'watched.log'), 'a line\n');
    const watch = start('watch', '--mode', 'enabled', folder);
    const serve = start('serve', '--http', '0', '--udp', 'off', '--tcp', 'off');
    const ended = Promise.all([watch, serve].map((child) => new Promise((resolve) => child.once('close', resolve))));
    try {
      await fetch(`${await readAddress(serve)}/write`, { method: 'POST', body: 'served f=1 1' });
      for (const query of ['SELECT f FROM served', `SELECT "line" FROM "job_log" WHERE "job" = 'watched'`])
        await until(async () => (await querySeries(influxdb.url, query)).length > 0);
    } finally {
      for (const child of [watch, serve]) child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    }
    expect(store.asked.join()).toContain('"writer"');
  });

  it.each([
    ['get_job', { job: 'train' }],
    ['read_log', { job: 'train', from_line: 3, lines: 2 }],
    ['search_log', { job: 'train', pattern: '[0-9]{2}', from_line: 2 }],
    ['list_tables', { job: 'bare' }],
    ['read_table', { job: 'train', limit: 2 }],
  ])('gives agents the same: %s of %j', async (name, given) => {
    const clients = await Promise.all(
      [store.url, influxdb.url].map((url) => startMcpClient(url, ['--bucket', DATABASE.full]))
    );
    const [before, behind] = await Promise.all(clients.map((client) => client.call(name, given)));
    for (const client of clients) await client.close();
    expect(before).toEqual(behind);
    expect(behind).toMatchObject({ isError: false });
    expect(behind?.lines).not.toEqual([]);
  });

  it('answers those who follow events', async () => {
    const env = { PATH: process.env['PATH'], HOME: '/nonexistent', INFLUX_HOST: store.url, INFLUX_BUCKET: 'joblens' };
    const child = spawn(BINARY, ['events', '--follow'], { env });
    const before = store.asked.length;
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await until(() => Promise.resolve(printed.includes('\n') && store.asked.length > before + 6));
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('close', resolve));
    const lines = printed.split('\n');
    expect(lines).toHaveLength(new Set(lines).size);
  });

  it('is never asked what is not on the list of statements', async () => {
    await joblens(['completion', 'words', '--', 'log', ''], store.url);
    expect(store.killedBy).toBeUndefined();
    checkStatements('commands', [...store.asked, ...sent]);
  });
});
