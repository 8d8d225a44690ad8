import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { hashFnv1a64 } from '@joblens/core/schema/fnv-hash';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import { describeWith } from '../../../../test/components.js';
import { type Influxdb, querySeries, startInfluxdb } from '../../../../test/influxdb.js';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { type StartedServe, startServe } from '../serve/testing/started-serve.js';
import { type Cluster, startCluster, type StoryRow } from './testing/cluster.js';

interface Computed {
  readonly keys: readonly string[];
  readonly story: readonly StoryRow[];
}

type Event = readonly [when: number, message: unknown];

/** Topics and messages that users may log. */
const LOGGED: readonly (readonly [string, unknown])[] = [
  ['runtimes', { step: 1, seconds: 2.5, 'a b,c=d': 3, time: 4, _x: 5, note: 'a "quoted" \\ note\nwith lines' }],
  ['runtimes', { step: 2, nested: { big: 1e300 }, none: null, yes: true }],
  ['a topic, with=all "of" it', ['any', 'JSON', 1, { é: '\u{1f600}' }]],
  ['back\\slash\\', 'text'],
  ['', 7],
];

describeWith(['influxd', 'dask'], 'the plugin of a Dask scheduler', () => {
  const joblens = prepareJoblens();
  const folder = mkdtempSync(join(tmpdir(), 'joblens-dask-'));
  const plugin = join(folder, 'joblens_dask.py');
  let store: Influxdb;
  let serve: StartedServe;
  const clusters: Cluster[] = [];
  const servers: Server[] = [];

  beforeAll(async () => {
    writeFileSync(plugin, execFileSync(joblens.command, ['dask-plugin'], { env: { PATH: process.env['PATH'] } }));
    store = await startInfluxdb();
    serve = await startServe(joblens, ['--url', store.url, '--spool', join(folder, 'spool')], {
      JOBLENS_SERVE_TOKEN: 'secret',
    });
  });
  afterEach(async () => {
    for (const cluster of clusters.splice(0)) await cluster.kill();
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  afterAll(async () => {
    await serve.stop();
    await store.stop();
    joblens.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(way: 'preload' | 'register', environment: Readonly<Record<string, string>>): Promise<Cluster> {
    const known = { JOBLENS_URL: serve.httpUrl, JOBLENS_SERVE_TOKEN: 'secret', JOBLENS_USER: "o'hara (é)" };
    const cluster = await startCluster(way, plugin, { ...known, ...environment });
    clusters.push(cluster);
    return cluster;
  }
  /** A port at which nobody answers. */
  async function findClosedPort(): Promise<number> {
    const away = createServer();
    await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
    const { port } = away.address() as AddressInfo;
    await new Promise((resolve) => away.close(resolve));
    return port;
  }
  const post = async (body: Buffer, path = '/write?precision=ns'): Promise<number> => {
    const headers = { authorization: 'Token secret' };
    return (await fetch(`${serve.httpUrl}${path}`, { method: 'POST', headers, body: new Uint8Array(body) })).status;
  };
  /** The server is there now. */
  async function answerAt(port: number): Promise<void> {
    const proxy = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        void post(Buffer.concat(pieces), request.url).then((status) => response.writeHead(status).end());
      });
    });
    servers.push(proxy);
    await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  }
  const readBack = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await joblens.run(args, '', { INFLUX_HOST: store.url, INFLUX_BUCKET: 'joblens' });
    return stdout.toString();
  };
  const query = async (q: string): Promise<readonly (readonly unknown[])[]> =>
    (await querySeries(store.url, q)).flatMap(({ values }) => values);
  /** The data of events of a topic, oldest first, with their times in seconds. */
  async function readTopic(job: string, topic: string): Promise<readonly Event[]> {
    const stored = topic === '' ? '␛0' : topic.replace(/\\$/, '␛/');
    const names = [job, stored].map((name) => `'${name.replace(/[\\']/g, '\\$&')}'`);
    const rows = await query(`SELECT "data" FROM "job_event" WHERE "job" = ${names[0]} AND "topic" = ${names[1]}`);
    return rows.map(([time, data]) => [Number(readNs(time)) / 1e9, JSON.parse(String(data))]);
  }
  const hasState = async (job: string, state: string): Promise<boolean> =>
    (await query(`SELECT last("state") FROM "job" WHERE "job" = '${job.replace(/'/g, "\\'")}'`)).some(
      ([, last]) => last === state
    );
  /** Rows of the scheduler's story that are not stored. */
  async function listMissing(job: string, story: readonly StoryRow[]): Promise<readonly string[]> {
    const rows = new Set((await readTopic(job, 'transitions')).map(([, row]) => JSON.stringify(row)));
    return story.map((row) => JSON.stringify(row)).filter((row) => !rows.has(row));
  }

  it.each([
    ['preload', 'dask-pre (1).x'],
    ['register', 'dask-reg, a=b'],
  ] as const)('%s: stories and topics are those of client.story and client.get_events', async (way, job) => {
    const cluster = await start(way, { JOBLENS_JOB: job });
    const { keys, story } = (await cluster.ask({ do: 'compute', prefix: 'inc', count: 20 })) as Computed;
    await cluster.ask({ do: 'log', events: LOGGED });
    const topics = (await cluster.ask({ do: 'topics' })) as Readonly<Record<string, readonly Event[]>>;
    expect(Object.keys(topics)).toEqual(expect.arrayContaining(LOGGED.map(([topic]) => topic)));
    await cluster.close();
    await until(() => hasState(job, 'COMPLETED'));

    const told = await readBack('story', ...keys, '--job', job, '--json', '--limit', '0');
    const rows = told.trimEnd().split('\n').map(readStoryRow);
    expect(story.length).toBeGreaterThan(60);
    // The scheduler goes on behind the answer of client.story: it forgets the tasks.
    expect(rows.slice(0, story.length)).toEqual(story.map((row) => row.slice(0, 5)));
    const transitions = await readTopic(job, 'transitions');
    const wanted = new Set(story.map((row) => JSON.stringify(row)));
    const found = transitions.filter(([, row]) => wanted.has(JSON.stringify(row)));
    expect(found.map(([, row]) => row)).toEqual(story);
    for (const [when, row] of found) expect(Math.abs(when - (row as StoryRow)[5])).toBeLessThan(1e-5);
    for (const [topic, events] of Object.entries(topics)) {
      const read = await readTopic(job, topic);
      expect([topic, read.slice(0, events.length).map(([, message]) => message)]).toEqual([
        topic,
        events.map(([, message]) => message),
      ]);
      for (const [i, [when]] of events.entries()) expect(Math.abs(when - (read[i]?.[0] ?? 0))).toBeLessThan(5);
    }
    expect(cluster.stderr()).not.toMatch(/joblens: .*(?:refused|dropped)|Plugin failed/);
  });

  it('tells the spans of tasks, who came and went, and the job itself', async () => {
    const job = 'dask-facts-7';
    const cluster = await start('preload', { JOBLENS_JOB: job, JOBLENS_NAME: 'a "name"' });
    await cluster.ask({ do: 'compute', prefix: 'inc', count: 6 });
    await cluster.ask({ do: 'log', events: LOGGED });
    await cluster.ask({ do: 'leave' });
    await cluster.close();
    await until(() => hasState(job, 'COMPLETED'));

    const spans = await query(
      `SELECT "id", "name", "duration_ms", "part", "data", "worker" FROM "job_span" WHERE "job" = '${job}' AND "category" = 'compute'`
    );
    // Dask puts an id of its own between the name and the number.
    const named = spans.map(([, id, name]) => `${String(id).replace(/-[0-9a-f-]{36}-/, '-')} ${String(name)}`);
    const mapped = Array.from({ length: 6 }, (_, i) => `inc-${i} inc`);
    expect(named.sort()).toEqual([...mapped, 'inc-fail inc-fail', `inc-sum (é), 'a=b' inc`]);
    for (const [time, id, , duration, part, , worker] of spans) {
      expect(readNs(time) % 1000n).toBe(findPlace(String(id)) % 1000n);
      expect([part, worker]).toEqual(['whole', expect.stringMatching(/^(tcp|inproc):/)]);
      expect(duration).toBeGreaterThanOrEqual(0);
    }
    expect(spans.map(([, id, , , , data]) => [id, JSON.parse(String(data)) as unknown])).toContainEqual([
      'inc-fail',
      { thread: expect.any(Number) as number, state: 'erred' },
    ]);
    const workers = await query(
      `SELECT "data", "from_state", "to_state" FROM "job_event" WHERE "job" = '${job}' AND "topic" = 'worker'`
    );
    expect(workers.map(([, , ...states]) => states)).toEqual([
      ...Array.from({ length: 2 }, () => [null, 'JOINED']),
      ...Array.from({ length: 2 }, () => ['JOINED', 'LEFT']),
    ]);
    expect(JSON.parse(String(workers[0]?.[1]))).toMatchObject({ name: 'one (1)', nthreads: 2 });
    const events = await query(
      `SELECT "step", "seconds", "a b,c=d", "time_", "x_x" FROM "job_event" WHERE "job" = '${job}' AND "topic" = 'runtimes'`
    );
    expect(events.map(([, ...values]) => values)).toEqual([
      [1, 2.5, 3, 4, 5],
      [2, null, null, null, null],
    ]);

    const listed = await readBack('jobs', '--json');
    const facts = listed.split('\n').find((line) => line.includes(`"${job}"`));
    expect(JSON.parse(facts ?? '{}')).toMatchObject({ job, user: "o'hara (é)", name: 'a "name"', state: 'COMPLETED' });
    const changes = await query(
      `SELECT "job", "from_state", "to_state", "source" FROM "job_transition" WHERE "job" = '${job}'`
    );
    expect(changes.map(([, , ...states]) => states)).toEqual([
      [null, 'RUNNING', 'job'],
      ['RUNNING', 'COMPLETED', 'job'],
    ]);
    // The places of points whose series many jobs share are those that Joblens itself would choose.
    const source = { job, user: '' };
    for (const [time] of changes) {
      const point = createTransitionPoint(source, { origin: 'job', toState: '' }, readNs(time));
      expect(point.timeNs).toBe(readNs(time));
    }
    for (const grid of HEARTBEAT_GRIDS) {
      const beats = await query(
        `SELECT "state", "job" FROM "job_heartbeat" WHERE "grid" = '${grid.grid}' AND "job" = '${job}'`
      );
      const last = beats.at(-1);
      expect(last?.[1]).toBe('COMPLETED');
      const ns = readNs(last?.[0]);
      expect(createHeartbeatPoint(source, grid, findSlotStartMs(Number(ns / 1_000_000n), grid), {}).timeNs).toBe(ns);
    }
  });

  it('folds many spans into levels whose sums are those of the spans', async () => {
    const job = 'dask-levels';
    const cluster = await start('preload', { JOBLENS_WITHIN_JOB: job });
    await cluster.ask({ do: 'compute', prefix: 'inc', count: 2200 });
    await cluster.close();
    const read = async (columns: string, measurement: string, by: string): Promise<ReadonlyMap<string, number[]>> => {
      const series = await querySeries(
        store.url,
        `SELECT ${columns} FROM "${measurement}" WHERE "job" = '${job}' GROUP BY ${by}`
      );
      return new Map(series.map(({ tags, values }) => [JSON.stringify(tags), values.flat().slice(1).map(Number)]));
    };
    const lanes = '"category", "worker"';
    const readStarts = async (): Promise<number[]> =>
      [...(await read('sum("starts")', 'job_span_level', '"span_level"')).values()].flat();
    await until(async () => {
      const [spans, folded] = [await read('count("id")', 'job_span', '"job"'), await readStarts()];
      const [count] = [...spans.values()].flat();
      return count !== undefined && count >= 2200 && folded.length > 0 && folded.every((starts) => starts === count);
    });
    const spans = await query(`SELECT "duration_ms", "category", "worker" FROM "job_span" WHERE "job" = '${job}'`);
    const sums = await read('sum("net"), sum("moment"), sum("busy_net"), sum("busy_moment")', 'job_span_level', lanes);
    const levels = (await readStarts()).length;
    for (const [lane, [net, moment = 0, busyNet, busyMoment = 0]] of sums) {
      expect([net, busyNet]).toEqual([0, 0]);
      const { category, worker } = JSON.parse(lane) as { readonly category: string; readonly worker: string };
      const own = spans.filter(([, , ofCategory, ofWorker]) => ofCategory === category && ofWorker === worker);
      const total = own.reduce((sum, [, duration]) => sum + Number(duration), 0) * levels;
      // Moments count from the last multiple of 4.7 hours.
      const coarsestMs = 64 * 8 ** 6;
      expect(
        Math.abs((((-moment - total) % coarsestMs) + coarsestMs * 1.5) % coarsestMs) - coarsestMs / 2
      ).toBeLessThan(1);
      expect(-busyMoment % coarsestMs).toBeLessThanOrEqual(total + 1);
    }
    // Another Joblens tells the state of the job.
    expect(await query(`SELECT "state" FROM "job" WHERE "job" = '${job}'`)).toEqual([]);
    expect((await readTopic(job, 'transitions')).length).toBeGreaterThan(2200);
  });

  it('has all of a scheduler that is killed but the last moment, says how it ended, and a next run is another job', async () => {
    const jobs: string[] = [];
    const prefixes = [
      { JOBLENS_JOB_PREFIX: 'alpha/' },
      { JOBLENS_JOB_PREFIX: '{cluster}/', SLURM_CLUSTER_NAME: 'alpha' },
    ];
    for (const [run, prefix] of prefixes.entries()) {
      const before = new Set((await query('SELECT distinct("job") FROM "job_heartbeat"')).map(([, job]) => job));
      const cluster = await start('preload', prefix);
      const { story } = (await cluster.ask({ do: 'compute', prefix: 'inc', count: 200 })) as Computed;
      // What was not sent yet may be lost.
      await until(async () => {
        const now = await query('SELECT distinct("job") FROM "job_heartbeat"');
        jobs.push(...now.map(([, job]) => String(job)).filter((job) => !before.has(job) && !jobs.includes(job)));
        return jobs.length === run + 1 && (await listMissing(jobs[run] ?? '', story)).length === 0;
      });
      await cluster.kill();
      await until(() => hasState(jobs[run] ?? '', 'FAILED'));
      expect(await listMissing(jobs[run] ?? '', story)).toEqual([]);
    }
    expect(jobs.map((job) => /^alpha\/dask-.+-\d{8}-\d{6}-\d+$/.test(job))).toEqual([true, true]);
  });

  it('lets the scheduler go on where its own process is killed, and says so', async () => {
    const cluster = await start('preload', { JOBLENS_JOB: 'dask-alone' });
    await cluster.ask({ do: 'compute', prefix: 'inc', count: 5 });
    const [sender = ''] = readFileSync(`/proc/${cluster.pid}/task/${cluster.pid}/children`, 'utf8').trim().split(' ');
    kill(Number(sender), 'SIGKILL');
    await until(async () => {
      await cluster.ask({ do: 'compute', prefix: 'inc', count: 5 });
      return cluster.stderr().includes('nothing more is logged, since the process that sends is gone');
    });
    await cluster.ask({ do: 'compute', prefix: 'inc', count: 5 });
    await cluster.close();
    expect(cluster.stderr()).not.toMatch(/Plugin (?:call )?failed/);
  });

  it('waits for a server that is away, in bounded memory, and says what it dropped', async () => {
    const port = await findClosedPort();
    const job = 'dask-away';
    const cluster = await start('preload', { JOBLENS_JOB: job, JOBLENS_URL: `http://127.0.0.1:${port}` });
    const { story } = (await cluster.ask({ do: 'compute', prefix: 'inc', count: 50 })) as Computed;
    // Longer than an event may be.
    await cluster.ask({ do: 'flood', count: 1, bytes: 2 ** 21 });
    await cluster.ask({ do: 'flood', count: 60, bytes: 2 ** 20 - 100 });
    await until(() => /WARNING - joblens: \d+ notes were dropped/.test(cluster.stderr()));
    await until(() => /does not take points, which wait now/.test(cluster.stderr()));
    await answerAt(port);
    const countKept = async (): Promise<number> => (await readTopic(job, 'flood')).length;
    const countDropped = async (): Promise<number> => {
      const told = (await readTopic(job, 'joblens')).map(([, data]) => (data as { readonly dropped: number }).dropped);
      return told.reduce((sum, each) => sum + each, 0);
    };
    // The end of a scheduler waits some seconds for what is still to be sent, and no longer. Other notes find no room
    // either meanwhile.
    await until(async () => (await countKept()) + (await countDropped()) >= 61);
    await cluster.close();
    await until(() => hasState(job, 'COMPLETED'));
    const rows = (await readTopic(job, 'transitions')).map(([, row]) => JSON.stringify(row));
    expect(story.map((row) => JSON.stringify(row)).filter((row) => !rows.includes(row))).toEqual([]);
    const kept = await countKept();
    expect(kept).toBeGreaterThan(20);
    expect(kept).toBeLessThan(61);
  });

  it.each([
    ['the next start', "dask 'away' (2).x", 20],
    ['hand', 'dask-away-3', 3],
  ] as const)(
    'keeps what no server took before the end of the scheduler, to be sent by %s',
    async (way, job, floods) => {
      const port = await findClosedPort();
      const spool = join(folder, `kept (${way})`);
      const known = { JOBLENS_URL: `http://127.0.0.1:${port}`, JOBLENS_DASK_SPOOL: spool };
      const cluster = await start('preload', { ...known, JOBLENS_JOB: job, JOBLENS_NAME: 'two\nlines' });
      const { story } = (await cluster.ask({ do: 'compute', prefix: 'inc', count: 50 })) as Computed;
      // More than the pipe takes.
      await cluster.ask({ do: 'flood', count: floods, bytes: 2 ** 20 - 100 });
      const [sender = ''] = readFileSync(`/proc/${cluster.pid}/task/${cluster.pid}/children`, 'utf8').trim().split(' ');
      const ended = cluster.close();
      await until(() => /does not take \d+ points, which wait in/.test(cluster.stderr()));
      // As where the job's last processes are killed with it.
      kill(Number(sender), 'SIGKILL');
      await ended;
      expect(cluster.stderr()).not.toMatch(/joblens: .*dropped|File "joblens_dask\.py"/);
      const files = readdirSync(spool).sort();
      expect([statSync(spool).mode & 0o777, ...files.map((name) => statSync(join(spool, name)).mode & 0o777)]).toEqual([
        0o700,
        ...files.map(() => 0o600),
      ]);
      for (const name of files) expect(readFileSync(join(spool, name), 'utf8')).not.toContain('secret');

      if (way === 'hand') {
        for (const name of files) expect(await post(readFileSync(join(spool, name)))).toBe(204);
      } else {
        // It is for another server, and stays.
        writeFileSync(join(spool, '0-1.lp'), '# {"url": "http://127.0.0.1:1"}\nm v=1 1\n');
        await answerAt(port);
        const next = await start('register', { ...known, JOBLENS_JOB: 'dask-next' });
        await until(() => readdirSync(spool).join() === '0-1.lp');
        await next.close();
        expect(await query('SELECT count("v") FROM "m"')).toEqual([]);
      }
      await until(() => hasState(job, 'COMPLETED'));
      const rows = (await readTopic(job, 'transitions')).map(([, row]) => JSON.stringify(row));
      expect(story.map((row) => JSON.stringify(row)).filter((row) => !rows.includes(row))).toEqual([]);
      const flooded = (await readTopic(job, 'flood')).map(([, data]) => (data as { readonly number: number }).number);
      expect(flooded).toEqual(Array.from({ length: floods }, (_, number) => number));
    }
  );

  it('says what is lost where there is no room for what no server took', async () => {
    const spool = join(plugin, 'is a file');
    const known = { JOBLENS_URL: `http://127.0.0.1:${await findClosedPort()}`, JOBLENS_DASK_SPOOL: spool };
    const cluster = await start('preload', { ...known, JOBLENS_JOB: 'dask-lost' });
    await cluster.ask({ do: 'compute', prefix: 'inc', count: 5 });
    await cluster.close();
    expect(cluster.stderr()).toMatch(/\d+ points were dropped, since http:.* does not take them: .*Not a directory/);
    expect(existsSync(spool)).toBe(false);
  });
});

/** The nanoseconds of a time as the store tells it. */
function readNs(time: unknown): bigint {
  const [seconds = '', fraction = ''] = String(time).replace('Z', '').split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** The place among others that is a name's own. */
function findPlace(name: string): bigint {
  const [, stem = '', digits = ''] = /^(.*?)(\d{0,15})$/s.exec(name) ?? [];
  return BigInt(`0x${hashFnv1a64(stem)}`) + BigInt(digits === '' ? 0 : digits);
}

/** A line of `joblens story --json` as Dask's row, without its time. */
function readStoryRow(line: string): unknown {
  const row = JSON.parse(line) as Readonly<Record<string, unknown>>;
  return [row['key'], row['start'], row['finish'], row['recommendations'], row['stimulus_id']];
}
