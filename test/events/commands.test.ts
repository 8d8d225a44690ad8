import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createEventPoint } from '@joblens/core/schema/job-point';
import { describeWith } from '../components.js';
import { type Pair, startFilledPair } from '../conformance/targets.js';
import { querySeries } from '../influxdb.js';
import { createInfluxqlClient } from '../influxql-client.js';
import { joblens } from '../joblens-command.js';
import { BALSAM_CALLS, DASK_CALLS, type KnownCall } from './known-calls.js';
import { EVENT_POINTS } from './stored-events.js';

const ROOT = join(__dirname, '..', '..');
const BINARY = join(ROOT, 'ingester', 'bin', 'joblens');
const CALLS: readonly KnownCall[] = [...BALSAM_CALLS, ...DASK_CALLS];

const environmentOf = (url: string): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env['PATH'], HOME: '/nonexistent', TZ: 'UTC', INFLUX_HOST: url, INFLUX_BUCKET: 'joblens' },
});

/** Runs a command line as a shell would split it. */
async function runCommand(command: string, url: string): Promise<string> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const { stdout, stderr } = await promisify(execFile)(BINARY, words.slice(1), {
    env: environmentOf(url),
  });
  expect(stderr).toBe('');
  return stdout;
}

/** The cells of each line but its time and user, without the data of a list of events. */
function readLines(command: string, stdout: string): string[] {
  const lines = stdout.split('\n').slice(0, -1);
  return lines.map((line) => {
    const cells = line.split('\t').map((cell) => (cell === '' ? '-' : cell));
    if (command.includes('--topics')) return cells.join(' ');
    const [, job, , ...rest] = cells;
    if (cells.length === 2) return String(job);
    return command.includes('story') ? cells.slice(1).join(' ') : [job, ...rest.slice(0, -1)].join(' ');
  });
}

describe('docs/events.md', () => {
  it.each(CALLS)('has a row for $call', ({ call, command, query }) => {
    const rows = readFileSync(join(ROOT, 'docs', 'events.md'), 'utf8').replace(/ +\|/g, ' |');
    expect(rows).toContain(`| \`${call}\` | \`${command}\` | \`${query}\` |`);
  });
});

describeWith(['influxd'], 'joblens events and joblens story on InfluxDB and the embedded store', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startFilledPair(EVENT_POINTS);
  });
  afterAll(() => pair.stop());

  it.each(CALLS)('answer $call', async ({ command, query, printed, rows }) => {
    const stdout = await pair.both((url) => runCommand(command, url));
    expect(readLines(command, stdout.influxdb)).toEqual(printed);
    expect(stdout.embedded).toBe(stdout.influxdb);
    const found = await pair.both((url) => querySeries(url, query));
    expect(found.influxdb.flatMap(({ values }) => values.map(([, value]) => value))).toEqual(rows);
    expect(found.embedded).toEqual(found.influxdb);
  });

  it('take states in small letters', async () => {
    const command = 'joblens events --from-state running --to-state failed --after 2023-11-14';
    const stdout = await pair.both((url) => runCommand(command, url));
    expect(readLines(command, stdout.influxdb)).toEqual(['102_1 state RUNNING FAILED']);
    expect(stdout.embedded).toBe(stdout.influxdb);
  });

  it('name the topic that may be meant', async () => {
    const args = ['events', '--topic', 'runtmies', '--after', '2023-11-14'];
    const { stderr } = await joblens(args, pair.influxdb.url);
    expect(stderr).toBe('joblens: no event has the topic runtmies; did you mean runtimes?\n');
  });

  it('print JSON and CSV with all columns', async () => {
    const json = await runCommand('joblens events --job 102_1 --to-state FAILED --json', pair.influxdb.url);
    expect(JSON.parse(json)).toEqual({
      ...{ time: '2023-11-14T22:15:20.000000001Z', job: '102_1', user: 'ann', topic: 'state' },
      ...{ from_state: 'RUNNING', to_state: 'FAILED', data: { exit_code: 1, reason: 'out of "memory"' } },
    });
    const csv = await runCommand(
      'joblens events --topic runtimes --after 2023-11-14 --limit 1 --csv',
      pair.influxdb.url
    );
    expect(csv.split('\n').slice(0, 2)).toEqual([
      'time,job,user,topic,from_state,to_state,data',
      '2023-11-14T22:16:42Z,dask-1,bob,runtimes,,,"[""any"",""JSON"",1]"',
    ]);
  });

  it('show what joblens run wrote of a job, and what the job logged itself', async () => {
    const lines = [
      '/LOGCOMMAND {"event": {"topic": "runtimes", "data": {"step": 7, "seconds": 2.5}}}',
      '/LOGCOMMAND {"tags": {"experiment": "real"}}',
    ];
    const run = ['run', '--mode', 'enabled', '--job', 'real', '--tag', 'team=a', '--', 'printf', '%s\\n', ...lines];
    await pair.both(async (url) => {
      const env = { ...environmentOf(url), JOBLENS_LOG_LEVEL: 'error' };
      await promisify(execFile)(BINARY, run, { env });
      const own = await runCommand('joblens events --topic runtimes --tag team=a --tag experiment=real', url);
      expect(own).toMatch(/^\S+\t\{"step":7,"seconds":2.5\}\n$/);
      const states = await runCommand('joblens events --tag experiment=real --topic state --order oldest', url);
      const changes = states.split('\n').map((line) => line.split('\t').slice(4));
      expect(changes).toEqual([['', 'RUNNING', '{}'], ['RUNNING', 'COMPLETED', '{"exit_code":0}'], []]);
      const [series] = await querySeries(
        url,
        `SELECT "runtime_s", "started", "user", "source" FROM "job_transition" WHERE "to_state" = 'COMPLETED' AND "source" = 'job'`
      );
      expect(series?.values).toHaveLength(1);
      expect(series?.values[0]?.slice(1)).toEqual([expect.any(Number), expect.any(Number), expect.any(String), 'job']);
    });
  });

  it('follow what comes, and not what the limit has left out', async () => {
    const { url } = pair.influxdb;
    const client = createInfluxqlClient(url);
    const write = (data: number, agoMs: number): Promise<void> =>
      client.write([
        createEventPoint({ job: 'cut', user: 'ann' }, { topic: 'cut', data }, BigInt(Date.now() - agoMs) * 1_000_000n),
      ]);
    for (const [data, agoMs] of [5000, 4000, 3000, 2000].entries()) await write(data, agoMs);
    const child = spawn(BINARY, ['events', '--topic', 'cut', '--follow', '--limit', '2'], { env: environmentOf(url) });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const until = (text: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (printed.includes(text)) resolve();
        };
        child.stdout.on('data', look);
        look();
      });
    await until('\t3\n');
    await write(4, 0);
    await until('\t4\n');
    await write(5, 60_000);
    await until('\t5\n');
    child.kill('SIGTERM');
    expect(printed.split('\n').map((line) => line.split('\t')[1])).toEqual(['2', '3', '4', '5', undefined]);
  });

  it('follow what comes, also what comes late', async () => {
    const { url } = pair.influxdb;
    const client = createInfluxqlClient(url);
    const source = { job: 'live', user: 'ann' };
    const write = (data: number, agoMs: number): Promise<void> =>
      client.write([createEventPoint(source, { topic: 'live', data }, BigInt(Date.now() - agoMs) * 1_000_000n)]);
    await write(1, 1000);
    // A clock that is ahead must not end the list.
    await write(0, -3_600_000);
    const child = spawn(BINARY, ['events', '--topic', 'live', '--follow'], {
      env: environmentOf(url),
    });
    let printed = '';
    const until = (text: string): Promise<void> =>
      new Promise((resolve) => {
        child.stdout.on('data', () => printed.includes(text) && resolve());
      });
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await until('\t0\n');
    await write(2, 0);
    await until('\t2\n');
    await write(3, 60_000);
    await until('\t3\n');
    child.kill('SIGTERM');
    expect(printed.split('\n').map((line) => line.split('\t')[1])).toEqual(['1', '0', '2', '3', undefined]);
  });
});
