import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describeWith } from '../../../test/components.js';
import type { Influxdb } from '../../../test/influxdb.js';
import { startInfluxdb } from '../../../test/influxdb.js';
import { buildJoblens } from '../testing/joblens.js';

jest.setTimeout(60_000);
const joblens = buildJoblens();
afterAll(() => joblens.remove());

interface Findings {
  readonly code: number | null;
  /** `state message` by what was looked at. */
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
    ['mode: metadata\n', /^ok .*: mode metadata, nonfinite log$/],
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
    expect(found['spool']).toMatch(/^warn .*; 2 points wait there to be sent; `joblens drain` sends them$/);
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
      'something that is no InfluxDB',
      {},
      { connection: /^warn what answers at .* does not say that it is an InfluxDB; check INFLUX_HOST$/ },
    ],
  ])('finds %s', async (_name, headers, expected) => {
    const server = createServer((_request, response) => void response.writeHead(204, headers).end());
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
    expect(answer.found['clock']).toMatch(/^ok differs from the server's by at most [12] s$/);
    expect(answer.code).toBe(code);
    expect(answer.text).not.toMatch(/secret|sesame/);
  });
});
