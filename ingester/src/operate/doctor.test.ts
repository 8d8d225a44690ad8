import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTableStats } from '@joblens/core/table/table-stats';
import type { Point } from '@joblens/core/point/point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { describeWith } from '../../../test/components.js';
import { type Influxdb, startInfluxdb } from '../../../test/influxdb.js';
import { prepareJoblens } from '../testing/joblens.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

interface Findings {
  readonly code: number | null;
  /** `state message` of each check, by its subject. */
  readonly found: Readonly<Record<string, string>>;
  readonly text: string;
}

async function askDoctor(args: readonly string[], environment: Record<string, string> = {}): Promise<Findings> {
  const { code, stdout, stderr } = await joblens.run(['doctor', ...args], '', environment);
  const text = stdout.toString();
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => /^(ok|warn|fail) +(\S+) +(.+)$/.exec(line));
  const found = rows.map((row) => [row?.[2] ?? 'not a finding', `${row?.[1] ?? ''} ${row?.[3] ?? ''}`] as const);
  expect(stderr).toBe('');
  expect(new Set(found.map(([name]) => name)).size).toBe(rows.length);
  return { code, found: Object.fromEntries(found), text };
}

const script = (name: string, body: string): string => {
  const folder = join(joblens.folder, `bin-${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'scontrol'), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, 'scontrol'), 0o755);
  return folder;
};
const NO_SERVER = ['--url', 'http://127.0.0.1:1'];

describe('joblens doctor', () => {
  it('says what to do where there is nothing yet', async () => {
    const { code, found } = await askDoctor([]);
    expect(code).toBe(1);
    expect(found['opt-in']).toBe(
      `warn there is no ${joblens.folder}/.logoptin, so nothing is logged; make it (empty is enough), or give --mode enabled`
    );
    expect(found['spool']).toMatch(/^(ok|warn) .*\/\.local\/state\/joblens\/spool: \d+ MiB free/);
    expect(found['connection']).toBe('fail nothing says where to write; set INFLUX_HOST, or give --url URL');
  });

  it.each([
    ['mode: metadata\n', /^ok .*: mode metadata, nonfinite log, metadata json$/],
    [
      'later: 1\n',
      /^warn .*: mode enabled, .*; this version does not know, and ignores, options of .*: at 1:1 "later"$/,
    ],
    ['mode: some\n', /^fail nothing is logged: the opt-in file is not valid: .*:1:1: /],
  ])('reads an opt-in file of %j', async (text, message) => {
    const path = join(joblens.folder, 'optin');
    writeFileSync(path, text);
    expect((await askDoctor(['--optin', path, ...NO_SERVER])).found['opt-in']).toMatch(message);
  });

  it('says which spool cannot be used, and why', async () => {
    const [file, open] = [join(joblens.folder, 'a-file'), join(joblens.folder, 'open')];
    writeFileSync(file, '');
    mkdirSync(open);
    chmodSync(open, 0o777);
    const ask = async (root: string): Promise<string | undefined> =>
      (await askDoctor(['--spool', root, ...NO_SERVER])).found['spool'];
    expect(await ask(file)).toBe(`fail the spool folder ${file} is not a folder: choose another one with --spool`);
    expect(await ask(open)).toMatch(/^fail .* can be written by other users: choose another one with --spool$/);
  });

  it('says how much room is missing', async () => {
    const { found } = await askDoctor(['--spool-size', '1e12', ...NO_SERVER]);
    expect(found['spool']).toMatch(/^warn .* MiB free, less than --spool-size allows \(1000000000000\); make room, or/);
  });

  it('counts what waits in the spool', async () => {
    const spool = ['--spool', join(joblens.folder, 'left')];
    const args = ['pipe', '--mode', 'enabled', '--drain-timeout', '0', ...spool, ...NO_SERVER];
    await joblens.run(args, 'a\nb\n');
    const { found } = await askDoctor([...spool, ...NO_SERVER]);
    // Two lines, and a heartbeat on each of the three grids.
    expect(found['spool']).toMatch(/^warn .*; 5 points wait there to be sent; `joblens drain` sends them$/);
  });

  it('says that nobody answers', async () => {
    const { code, found } = await askDoctor(NO_SERVER);
    expect(code).toBe(1);
    expect(found['connection']).toBe(
      'fail cannot reach InfluxDB at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; start it, or set INFLUX_HOST to its address'
    );
    expect(found).not.toHaveProperty('clock');
  });

  it.each<[string, Record<string, string>, Record<string, RegExp>]>([
    [
      'a clock that goes wrong',
      { date: new Date(Date.now() - 3_600_000).toUTCString(), 'x-influxdb-version': '2.7.11' },
      {
        connection: /^ok InfluxDB 2\.7\.11 answers at /,
        clock: /^warn 3[56]\d\d s ahead of the server's: rows get this machine's time; synchronise both \(NTP\)$/,
      },
    ],
    [
      'openGemini',
      { 'x-geminidb-version': '' },
      { connection: /^ok openGemini answers at /, engine: /^ok joblens delete cannot delete there, and a new job/ },
    ],
    [
      'a cluster',
      { 'x-influxdb-version': '1.8.11-c1.2.0' },
      { connection: /^ok InfluxDB 1\.8\.11-c1\.2\.0 \(a cluster\) answers at /, engine: /^ok with the consistency/ },
    ],
    [
      'an InfluxDB 3, which may keep either of two versions of a point',
      { 'x-influxdb-version': '3.8.0', 'x-influxdb-build': 'Core' },
      {
        connection: /^ok InfluxDB 3\.8\.0 answers at /,
        rewrites: /^ok either of two .* only what is final is written/,
      },
    ],
    [
      'an InfluxDB 2, which rewrites',
      { 'x-influxdb-version': '2.7.11' },
      { rewrites: /^ok a point that is written again replaces the one before$/ },
    ],
    [
      'something that is no InfluxDB',
      {},
      {
        connection: /^warn what answers at .* does not say that it is an InfluxDB; check INFLUX_HOST$/,
        access: /^fail what answers at .* says 204 No Content, but nothing shows that it is a store .* set JOBLENS_UNN/,
        rewrites: /^ok as far as is known, a point that is written again replaces the one before$/,
      },
    ],
    [
      'a login page',
      { 'content-type': 'text/html' },
      {
        connection: /^warn what answers at .* does not say that it is an InfluxDB; check INFLUX_HOST$/,
        access:
          /^fail what answers at .* has not stored the points: 200 a page: Please log in; they wait; check that INFLUX_HOST/,
      },
    ],
  ])('finds %s', async (_name, headers, expected) => {
    const isPage = 'content-type' in headers;
    const server = createServer((_request, response) => {
      response.writeHead(isPage ? 200 : 204, headers).end(isPage ? '<html>Please log in</html>' : undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { found } = await askDoctor(['--mode', 'enabled', '--url', url]);
      for (const [name, message] of Object.entries(expected)) expect(found[name]).toMatch(message);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  const SHARD = (id: number, database: string, indexType: string): string =>
    `"shard:/data/${id}:${id}": {"name":"shard","tags":{"database":"${database}","id":"${id}","indexType":"${indexType}"},"values":{}},`;
  const LIMITED =
    /^warn inmem, which refuses new jobs beyond 50000 \(it holds 12\) or 1000000 series; set index-version = "tsi1" under \[data\]/;
  it.each([
    [
      'the index that takes any number of jobs',
      [SHARD(7, 'joblens', 'tsi1'), SHARD(9, 'other', 'inmem')],
      /^ok tsi1, for any number of jobs$/,
    ],
    ['the default index', [SHARD(7, 'joblens', 'tsi1'), SHARD(10, 'joblens', 'inmem')], LIMITED],
    ['the index of other databases, as the own has no shard yet', [SHARD(7, '_internal', 'inmem')], LIMITED],
  ])('finds, of InfluxDB 1.8, %s', async (_name, shards, message) => {
    const answers: Readonly<Record<string, unknown>> = {
      'SHOW DIAGNOSTICS': { name: 'config-data', columns: ['dir', 'max-values-per-tag'], values: [['/data', 50_000]] },
      'SHOW TAG VALUES CARDINALITY WITH KEY = "job"': { name: 'job', columns: ['count'], values: [[12]] },
    };
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      response.setHeader('x-influxdb-version', '1.8.10');
      if (pathname === '/debug/vars') response.end(`{\n${shards.join('\n')}\n"cmdline": []\n}`);
      else if (pathname === '/query')
        response.end(JSON.stringify({ results: [{ series: [answers[searchParams.get('q') ?? '']] }] }));
      else response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      expect((await askDoctor(['--mode', 'enabled', '--url', url])).found['index']).toMatch(message);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('names a store by what shows that it is one, where it does not say its name', async () => {
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/query') === true && isStore) return void response.end('{"results":[]}');
      response.writeHead(204).end();
    });
    let isStore = true;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const args = ['--mode', 'enabled', '--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
      const { found } = await askDoctor(args);
      expect(found).toMatchObject({
        connection: expect.stringMatching(/^ok a store that does not say its name answers at http\S+$/) as unknown,
        access: expect.stringMatching(/^ok anyone, without a token, may write to joblens$/) as unknown,
      });
      isStore = false;
      const trusting = await askDoctor([...args, '--unnamed-store', 'trust']);
      expect(trusting.found['connection']).toMatch(/^ok a store .*, as JOBLENS_UNNAMED_STORE says$/);
      const told = await askDoctor(args, { JOBLENS_UNNAMED_STORE: 'ask' });
      expect(told.found['access']).toMatch(/^fail what answers/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('says how the settings take a store to rewrite', async () => {
    const server = createServer((_request, response) =>
      response.writeHead(204, { 'x-influxdb-version': '2.7.1' }).end()
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const args = ['--mode', 'enabled', '--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
      const { found } = await askDoctor(args, { JOBLENS_REWRITES: 'no' });
      expect(found['rewrites']).toMatch(/^ok as JOBLENS_REWRITES says, either of two versions/);
      expect((await askDoctor([...args, '--rewrites', 'yes'])).found['rewrites']).toMatch(/^ok a point/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it.each([
    ['up', 'echo "Slurmctld(primary) at node1 is UP"', /^ok Slurmctld\(primary\) at node1 is UP$/],
    [
      'down',
      'echo "Slurmctld(primary) at node1 is DOWN"; exit 1',
      /^warn Slurmctld\(primary\) at node1 is DOWN; for watch --slurm check SLURM_CONF and that slurmctld runs$/,
    ],
    [
      'not configured',
      'echo "scontrol: error: no conf" >&2; echo "scontrol: fatal: no" >&2; exit 1',
      /^warn scontrol: error: no conf; scontrol: fatal: no; for watch --slurm check SLURM_CONF/,
    ],
  ])('says that Slurm is %s', async (name, body, message) => {
    const { found } = await askDoctor(NO_SERVER, { PATH: `${script(name.replace(' ', '-'), body)}:/bin:/usr/bin` });
    expect(found['Slurm']).toMatch(message);
  });

  it('says that there is no Slurm', async () => {
    const { found } = await askDoctor(NO_SERVER, { PATH: joblens.folder });
    expect(found['Slurm']).toBe('ok not on this machine (no scontrol); only watch --slurm needs it');
  });
});

describeWith(['influxd'], 'joblens doctor and a real InfluxDB 1.x with many jobs', () => {
  it('sees by them that its index takes any number', async () => {
    const influxdb = await startInfluxdb();
    try {
      const lines = Array.from({ length: 100_001 }, (_, i) => `job,job=${i},user=ann state="RUNNING" 1\n`).join('');
      const write = { method: 'POST', body: lines };
      expect((await fetch(`${influxdb.url}/write?db=joblens`, write)).status).toBe(204);
      const { found } = await askDoctor(['--mode', 'enabled', '--url', influxdb.url]);
      expect(found['index']).toBe('ok it holds 100001 jobs, more than the default index would take');
    } finally {
      await influxdb.stop();
    }
  });
});

describeWith(['influxd'], 'joblens doctor and the jobs with the most series', () => {
  let influxdb: Influxdb;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });
  afterAll(() => influxdb.stop());

  const write = async (points: readonly Point[]): Promise<void> => {
    const answer = await fetch(`${influxdb.url}/write?db=joblens`, {
      method: 'POST',
      body: points.map(formatPoint).join('\n'),
    });
    expect(answer.status).toBe(204);
  };
  const askSeries = async (): Promise<string | undefined> =>
    (await askDoctor(['--mode', 'enabled', '--url', influxdb.url])).found['series'];

  /** The summaries of so many tables of a job. */
  function createTables(source: JobSource, count: number, agoDays = 1): Point[] {
    const timeNs = BigInt(Date.now() - agoDays * 86_400_000) * 1_000_000n;
    return Array.from({ length: count }, (_, at) => {
      const keys = [`key ${at}`];
      const series = createSeriesName(keys);
      return createSeriesPoint(source, { series, keys, stats: createTableStats(), x: undefined, rows: 1, timeNs });
    });
  }

  it('names those of the last days, whatever their names', async () => {
    expect(await askSeries()).toBe('ok no job of the last 7 days has a table');
    await write([
      ...createTables({ job: '123_4', user: 'ann' }, 2),
      ...createTables({ job: `\x1b[2J"it's",\n=a/7\\`, user: 'o=b,c d' }, 12),
      ...createTables({ job: '長'.repeat(500), user: 'ann' }, 5),
      ...createTables({ job: 'of one table', user: 'ann' }, 1),
      ...createTables({ job: 'long ago', user: 'ann' }, 50, 9),
    ]);
    expect(await askSeries()).toBe(
      `ok of the last 7 days, the jobs with the most tables are \ufffd[2J"it's", =a/7\\ of o=b,c d (12), ${'長'.repeat(29)}… of ann (5), 123_4 of ann (2)`
    );
  });

  it('warns of those that have very many', async () => {
    await write(createTables({ job: 'keys at random', user: 'bob' }, 1000));
    expect(await askSeries()).toMatch(
      /^warn of the last 7 days, .* are keys at random of bob \(1000\), .*; each set of keys/
    );
  });
});

describeWith(['influxd'], 'joblens doctor and a real InfluxDB 1.x with users', () => {
  let influxdb: Influxdb;
  beforeAll(async () => {
    influxdb = await startInfluxdb({ auth: { user: 'w', password: 'secret' } });
    const authorization = `Basic ${Buffer.from('w:secret').toString('base64')}`;
    for (const q of [`CREATE USER r WITH PASSWORD 'secret'`, 'GRANT READ ON joblens TO r']) {
      await fetch(`${influxdb.url}/query`, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ q }),
      });
    }
  });
  afterAll(() => influxdb.stop());

  const RIGHT = { INFLUX_USER: 'w', INFLUX_PASSWORD: 'secret' };
  it.each<[string, readonly string[], Record<string, string>, number, RegExp]>([
    ['all is well', [], RIGHT, 0, /^ok user w may write to joblens$/],
    [
      'the password is wrong',
      [],
      { ...RIGHT, INFLUX_PASSWORD: 'sesame' },
      1,
      /^fail .* answers 401 .*; check INFLUX_USER and INFLUX_PASSWORD/,
    ],
    [
      'the user may only read',
      [],
      { ...RIGHT, INFLUX_USER: 'r' },
      1,
      /^fail .* answers 403 "r" user is not authorized to write/,
    ],
    ['no user is given', [], {}, 1, /^fail .* answers 401 .*; set INFLUX_TOKEN, or for InfluxDB 1\.x INFLUX_USER/],
    [
      'the database is missing',
      ['--database', 'none'],
      RIGHT,
      1,
      /^fail .* answers 404 database not found: "none"; .* create the database none/,
    ],
    [
      'a token is given to version 1',
      [],
      { INFLUX_TOKEN: 'sesame' },
      1,
      /^fail .* answers 404 .*; for InfluxDB 1\.x use --api v1$/,
    ],
  ])('finds that %s, and prints no secret', async (_name, args, environment, code, access) => {
    const answer = await askDoctor(['--mode', 'enabled', ...args, '--url', influxdb.url], environment);
    expect(answer.found['access']).toMatch(access);
    expect(answer.found['connection']).toMatch(/^ok InfluxDB 1\.6\.\S+ answers at http:/);
    expect(answer.found['index']).toMatch(
      /^warn not known; the default one, inmem, refuses new jobs beyond 100000 \(it holds 0\) or 1000000 series; unless it is tsi1 already/
    );
    expect(answer.found['clock']).toMatch(/^ok differs from the server's by at most \d+ s$/);
    expect(answer.code).toBe(code);
    expect(answer.text).not.toMatch(/secret|sesame/);
  });
});
