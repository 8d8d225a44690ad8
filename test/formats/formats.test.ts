import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { createStore, registerInfluxApi } from '../../standalone/src/store/index.js';
import { joblens } from '../joblens-command.js';

jest.setTimeout(300_000);

const { version: VERSION } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
  version: string;
};
const RELEASES = readdirSync(__dirname).filter((name) => /^\d/.test(name));
const USER = "ann o'neil";
const JOB = 'odd (1).a-b "c"';

const folder = mkdtempSync(join(tmpdir(), 'joblens-formats-'));
afterAll(() => rmSync(folder, { recursive: true }));
const newStorePath = (): string => join(mkdtempSync(join(folder, 'store-')), 'store.duckdb');

it('has what this version writes: node scripts/keep-formats.mjs makes it at a release', () => {
  expect(RELEASES).toContain(VERSION);
});

// ingester/src/kept-formats.test.ts has the spools and settings.
describe.each(RELEASES)('what version %s has stored', (release) => {
  it('in a store: the job, its log, rows, events and spans are read', async () => {
    const path = newStorePath();
    writeFileSync(path, gunzipSync(readFileSync(join(__dirname, release, 'store.duckdb.gz'))));
    await readBack(path);
  });

  it('as line protocol: a new store takes it, and it is read alike', async () => {
    const path = newStorePath();
    await readBack(path, readFileSync(join(__dirname, release, 'points.lp'), 'utf8'));
  });
});

/** Reads the job by the commands, from a store in this file that has taken these points as well. */
async function readBack(path: string, points?: string): Promise<void> {
  const store = await createStore(path);
  const api = fastify({ logger: false });
  try {
    await store.createDatabase('joblens');
    await registerInfluxApi(api, store, { isAuthorized: () => true });
    const url = await api.listen({ host: '127.0.0.1', port: 0 });
    if (points !== undefined) {
      const answer = await fetch(`${url}/write?db=joblens`, { method: 'POST', body: points });
      expect([answer.status, await answer.text()]).toEqual([204, '']);
    }
    const read = async (...args: readonly string[]): Promise<unknown[]> => {
      const { code, stdout, stderr } = await joblens(args, url, { JOBLENS_SITE_FILE: 'off' });
      expect([code, stderr]).toEqual([0, '']);
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
    };
    const job = [JOB, '--user', USER, '--json'];
    expect(await read('jobs', JOB, '--json')).toMatchObject([
      { job: JOB, user: USER, name: 'train (a).b', state: 'FAILED', exit_code: 3 },
    ]);
    expect(await read('jobs', '--tag', 'experiment=warm-up', '--json')).toHaveLength(1);
    expect(await read('log', ...job, '--both')).toEqual(
      expect.arrayContaining([expect.objectContaining({ line: 'last' })])
    );
    const rows = await read('metadata', ...job);
    // JSON.parse cannot hold the other number.
    expect(rows).toMatchObject([
      { epoch: 1, 'loss (a.b)': 0.5, note: 'first, "quoted"' },
      { epoch: 2, 'loss (a.b)': 0.25 },
    ]);
    expect(await read('events', '--job', JOB, '--topic', 'phase', '--json')).toMatchObject([{ data: { n: 1 } }]);
    expect(await read('report', 'spans', JOB, '--json')).toMatchObject([{ name: 'load (1)', spans: 1, sum_s: 0.5 }]);
  } finally {
    await api.close();
    await store.close();
  }
}
