import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from '../components.js';
import { LISTS, OF_JOBS } from '../engines/reading-commands.js';
import { writeStoredJobs } from '../engines/stored-jobs.js';
import { type Influxdb, querySeries, startInfluxdb } from '../influxdb.js';
import { BINARY, type Ended, joblens } from '../joblens-command.js';

const USERS = ['ann', 'bob'] as const;
type User = (typeof USERS)[number];

/** A database that has only what this user wrote. */
const ownOf = (user: User): string => `own-${user}`;

/** Copies the points of a user, with their tags and times. */
async function copyOwn(url: string, user: User): Promise<void> {
  await querySeries(url, `CREATE DATABASE "${ownOf(user)}"`);
  for (const { values } of await querySeries(url, 'SHOW MEASUREMENTS'))
    for (const [name] of values) {
      const into = `"${ownOf(user)}"."autogen"."${String(name)}"`;
      await querySeries(url, `SELECT * INTO ${into} FROM "${String(name)}" WHERE "user" = '${user}' GROUP BY *`);
    }
}

interface Gateway {
  readonly url: string;
  readonly process: ChildProcess;
}

/** Starts one that knows these tokens, and waits until it says where it answers. */
function startGateway(storeUrl: string, tokensPath: string): Promise<Gateway> {
  const args = ['gateway', '--url', storeUrl, '--database', 'joblens', '--listen', '0', '--tokens', tokensPath];
  const env = { PATH: process.env['PATH'], HOME: tmpdir() };
  const started = spawn(BINARY, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  return new Promise((resolve, reject) => {
    started.once('close', () => reject(new Error(`joblens gateway ended: ${said}`)));
    started.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, url] = /answering (http:\S+)\/query/.exec(said) ?? [];
      if (url !== undefined) resolve({ url, process: started });
    });
  });
}

async function createToken(user: User, tokensPath: string): Promise<string> {
  const { stdout } = await joblens(['token', 'create', '--user', user, '--tokens', tokensPath]);
  return stdout.trim().split(/\s+/).at(-1) ?? '';
}

describeWith(['influxd'], 'the reading commands through joblens gateway', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-gateway-commands-'));
  const tokens = new Map<User, string>();
  let influxdb: Influxdb;
  let gateway: Gateway;
  let writtenAt = '';
  beforeAll(async () => {
    influxdb = await startInfluxdb();
    await writeStoredJobs(influxdb.url, influxdb.url);
    writtenAt = new Date().toISOString();
    const tokensPath = join(folder, 'tokens.json');
    for (const user of USERS) {
      await copyOwn(influxdb.url, user);
      tokens.set(user, await createToken(user, tokensPath));
    }
    gateway = await startGateway(influxdb.url, tokensPath);
  });
  afterAll(async () => {
    const closed = new Promise((resolve) => gateway.process.once('close', resolve));
    gateway.process.kill('SIGTERM');
    await closed;
    await influxdb.stop();
    rmSync(folder, { recursive: true });
  });

  /** What a command prints of what a user sees, and of a store that has nothing else. */
  async function askBoth(command: string, user: User): Promise<readonly [Ended, Ended]> {
    const args = command.replace('WRITTEN', writtenAt).split(' ');
    const seen = await joblens(args, gateway.url, { JOBLENS_TOKEN: tokens.get(user) ?? '' });
    const own = await joblens([...args, '--bucket', ownOf(user)], influxdb.url);
    const stderr = own.stderr.replaceAll(influxdb.url, gateway.url).replaceAll(ownOf(user), 'joblens');
    return [seen, { ...own, stderr }];
  }

  it.each(USERS.flatMap((user) => [...LISTS, ...OF_JOBS].map((command) => ({ user, command }))))(
    'give $user what a store of theirs alone gives: joblens $command',
    async ({ user, command }) => {
      const [seen, own] = await askBoth(command, user);
      expect(seen).toEqual(own);
    }
  );

  it('show the one what they do not show the other, and as little as where nobody has it', async () => {
    const [seen] = await askBoth('log train -n 5', 'ann');
    expect(seen).toMatchObject({ code: 0, stdout: expect.stringContaining('step 19999') as unknown });
    const [hidden] = await askBoth('log train -n 5', 'bob');
    const [missing] = await askBoth('log nobody-s -n 5', 'bob');
    expect(hidden).toEqual({ ...missing, stderr: missing.stderr.replaceAll('nobody-s', 'train') });
  });
});
