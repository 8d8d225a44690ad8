import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandalone, type Standalone, type StartOptions } from './start.js';
import { createStore, registerInfluxApi, type Store } from './store/index.js';

const REPOSITORY = join(__dirname, '..', '..');
const PROXY = '/api/datasources/proxy/uid/joblens';

let folder: string;
let running: Standalone | undefined;
const notices: string[] = [];

beforeEach(async () => {
  notices.length = 0;
  folder = await mkdtemp(join(tmpdir(), 'joblens-start-'));
  await mkdir(join(folder, 'root', 'standalone', 'dist', 'page'), { recursive: true });
  await mkdir(join(folder, 'root', 'plugin', 'dist', 'datasource'), { recursive: true });
  await writeFile(join(folder, 'root', 'standalone', 'dist', 'page', 'index.html'), '<html>the page</html>');
  await writeFile(join(folder, 'root', 'plugin', 'dist', 'datasource', 'module.js'), '');
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function start(change: Partial<StartOptions<Store>> = {}): Promise<Standalone> {
  running = await startStandalone({
    statePath: join(folder, 'state'),
    port: 0,
    isDemoWanted: false,
    places: {
      pageFolder: join(folder, 'root', 'standalone', 'dist', 'page'),
      pluginFolder: join(folder, 'root', 'plugin', 'dist'),
      dashboardsFolder: join(folder, 'root', 'dashboards'),
      demoFolder: join(folder, 'root', 'standalone', 'demo'),
      commandFolder: join(folder, 'root', 'ingester', 'bin'),
      advice: 'build it with `npm run build`',
    },
    nodePath: process.execPath,
    environment: process.env,
    randomBytes,
    nowMs: Date.now,
    openStore: async (path) => {
      const store = await createStore(path);
      await store.createDatabase('joblens');
      return store;
    },
    registerInfluxApi,
    onNotice: (message) => notices.push(message),
    ...change,
  });
  return running;
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

const base = (standalone: Standalone): string => `http://127.0.0.1:${standalone.port}`;
const token = (standalone: Standalone): string => new URL(standalone.address).searchParams.get('token') ?? '';

async function write(standalone: Standalone, line: string): Promise<number> {
  const headers = { authorization: `Token ${token(standalone)}` };
  const response = await fetch(`${base(standalone)}/write?db=joblens`, { method: 'POST', headers, body: line });
  return response.status;
}

async function login(standalone: Standalone): Promise<string> {
  const response = await fetch(standalone.address, { redirect: 'manual' });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function query(standalone: Standalone, path: string, headers: Record<string, string>): Promise<string> {
  const search = new URLSearchParams({ db: 'joblens', q: 'SELECT "v" FROM "m"' });
  return (await fetch(`${base(standalone)}${path}?${search.toString()}`, { headers })).text();
}

describe('startStandalone', () => {
  it('serves the page to the printed address', async () => {
    const standalone = await start();
    const response = await fetch(standalone.address, { redirect: 'manual' });
    expect(response.status).toBe(302);
    const cookie = await login(standalone);
    expect(await (await fetch(base(standalone), { headers: { cookie } })).text()).toContain('the page');
  });

  it('keeps token and data over a restart', async () => {
    const first = await start();
    expect(await write(first, 'm v=1 1000000000')).toBe(204);
    await stop();
    const second = await start();
    expect(token(second)).toBe(token(first));
    const found = await query(second, '/query', { authorization: `Token ${token(second)}` });
    expect(found).toContain('["1970-01-01T00:00:01Z",1]');
  });

  it.each(['/query', '/token/query'])('gives the page its data under %s, as Grafana does', async (path) => {
    const standalone = await start();
    await write(standalone, 'm v=1 1000000000');
    expect(await query(standalone, PROXY + path, {})).not.toContain('"values"');
    expect(await query(standalone, PROXY + path, { cookie: await login(standalone) })).toContain('"values"');
  });

  it('prints a command that reads the token from its file and goes to this port', async () => {
    const { info, port } = await start();
    expect(info.logCommand).toContain(`INFLUX_HOST=http://127.0.0.1:${port}`);
    expect(info.logCommand).toContain(`$(cat ${join(folder, 'state', 'token')})`);
    expect(info.logCommand).toMatch(/^export PATH=\S*\/ingester\/bin:"\$PATH"$/m);
    expect(info.logCommand).toMatch(/^joblens run --mode enabled -- python train\.py$/m);
  });
});

describe('a start that cannot go on', () => {
  it('names the file that is not built and how to build it', async () => {
    await rm(join(folder, 'root', 'standalone'), { recursive: true });
    await expect(start()).rejects.toThrow(/^Cannot serve the page: .*index\.html is not there; build it with/);
  });

  it('names the process that has the store open', async () => {
    await mkdir(join(folder, 'state'));
    const holder = spawn(
      process.execPath,
      [
        '-e',
        "require('@duckdb/node-api').DuckDBInstance.create(process.argv[1]).then(() => { console.log('open'); setInterval(() => 0, 1000); })",
        join(folder, 'state', 'store.duckdb'),
      ],
      { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'inherit'] }
    );
    try {
      await new Promise((resolve) => holder.stdout.once('data', resolve));
      await expect(start()).rejects.toThrow(
        `process ${holder.pid ?? 0} has it open, most likely another Joblens; stop that one`
      );
    } finally {
      const ended = new Promise((resolve) => holder.once('close', resolve));
      holder.kill('SIGKILL');
      await ended;
    }
  });

  it('gives the address of the one that is running', async () => {
    const first = await start();
    const openStore = (path: string): Promise<Store> =>
      Promise.reject(
        new Error(`IO Error: Could not set lock on file "${path}": Conflicting lock is held in node (PID 7)`)
      );
    await expect(start({ openStore })).rejects.toMatchObject({
      message: expect.stringMatching(
        /^Joblens is running already: process 7 has .* open; stop that one, or /
      ) as string,
      address: first.address,
    });
    running = first;
  });

  it('says that a file is no store', async () => {
    await mkdir(join(folder, 'state'));
    await writeFile(join(folder, 'state', 'store.duckdb'), 'no database'.repeat(1000));
    await expect(start()).rejects.toThrow(/^Cannot open the store .*store\.duckdb: .*; move the file away, or choose/);
  });

  it('leaves nothing open: the same store and port serve the next start', async () => {
    const first = await start();
    const taken = first.port;
    await expect(start({ statePath: join(folder, 'other'), port: taken })).rejects.toThrow(/is in use/);
    running = first;
    await stop();
    expect((await start({ statePath: join(folder, 'other'), port: taken })).port).toBe(taken);
  });

  it('names a state folder that may not be written', async () => {
    // Not even root can make a folder there.
    await expect(start({ statePath: '/proc/joblens' })).rejects.toThrow(
      /^Cannot use the state folder \/proc\/joblens: .*; choose one that you may write with --state DIR\.$/
    );
  });
});

describe('the demo jobs', () => {
  /** A command in place of `joblens` that tells how it was called, and runs until it is stopped. */
  const RECORDER = `
    const { writeFileSync } = require('node:fs');
    const { INFLUX_HOST, INFLUX_TOKEN, INFLUX_BUCKET, SLURM_JOB_ID } = process.env;
    const record = process.env.RECORD + process.argv[process.argv.indexOf('--job') + 1];
    writeFileSync(record + '.part', JSON.stringify({ args: process.argv.slice(2), env: { INFLUX_HOST, INFLUX_TOKEN, INFLUX_BUCKET, SLURM_JOB_ID } }));
    require('node:fs').renameSync(record + '.part', record);
    process.on('SIGTERM', () => { writeFileSync(record + '.stopped', ''); process.exit(0); });
    setInterval(() => 0, 1000);
  `;

  async function readWhenThere(path: string): Promise<string> {
    const { readFile } = await import('node:fs/promises');
    for (let tries = 0; tries < 200; tries += 1) {
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text !== undefined) return text;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`${path} was not written`);
  }

  async function installCommand(source: string): Promise<void> {
    await mkdir(join(folder, 'root', 'ingester', 'bin'), { recursive: true });
    const command = join(folder, 'root', 'ingester', 'bin', 'joblens');
    await writeFile(command, `#!/usr/bin/env node\n${source}`, { mode: 0o755 });
    await symlink(join(REPOSITORY, 'standalone', 'demo'), join(folder, 'root', 'standalone', 'demo'));
  }

  it('goes through `joblens run` to this store, and ends before the store does', async () => {
    await installCommand(RECORDER);
    const record = join(folder, 'record-');
    const environment = { ...process.env, RECORD: record, SLURM_JOB_ID: '7', INFLUX_HOST: 'http://elsewhere' };
    const standalone = await start({ isDemoWanted: true, environment });
    expect(standalone.demoName).toBe('demo-1');
    const optIn = join(folder, 'state', 'demo.logoptin');
    const started = [
      ['demo-1', /^run --mode enabled --job demo-1 .*--config config\.json -- .* train\.mjs config\.json 1$/],
      ['demo-1-boost', new RegExp(`^run --optin ${optIn} --job demo-1-boost .*-- .* boost\\.mjs 1$`)],
      ['demo-1-evaluate', /^run --mode enabled --job demo-1-evaluate .*-- .* crash\.mjs 1$/],
      ['demo-1-prepare', /^run --mode enabled --job demo-1-prepare .*-- .* prepare\.mjs 1$/],
      ['demo-1-tasks', /^run --mode enabled --job demo-1-tasks .*-- .* tasks\.mjs 1$/],
    ] as const;
    for (const [name, command] of started) {
      const recorded = await readWhenThere(record + name);
      const { args, env } = JSON.parse(recorded) as { args: string[]; env: Record<string, string> };
      expect(args.join(' ')).toMatch(command);
      expect(env).toEqual({ INFLUX_HOST: base(standalone), INFLUX_TOKEN: token(standalone), INFLUX_BUCKET: 'joblens' });
    }
    await stop();
    for (const [name] of started) expect(await readWhenThere(`${record}${name}.stopped`)).toBe('');
    expect(notices).toEqual([]);
  });

  it('that fails by mistake is told in one line, and one that is to fail is not', async () => {
    await installCommand(
      "const code = /crash/.test(process.argv) ? 1 : 2; console.error('first line\\nno such mode'); process.exit(code)"
    );
    await start({ isDemoWanted: true });
    for (let tries = 0; notices.length < 4 && tries < 200; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await stop();
    expect(notices.sort()).toEqual(
      ['demo-1', 'demo-1-boost', 'demo-1-prepare', 'demo-1-tasks'].map(
        (name) => `The demo job ${name} ended with exit code 2: no such mode`
      )
    );
  });
});
