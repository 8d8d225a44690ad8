import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { registerInfluxApi } from './http-api.js';
import { createStore, type Store } from '../kept/store.js';

interface Answer {
  readonly results: readonly { readonly series?: readonly { readonly values: readonly (readonly unknown[])[] }[] }[];
}

describe('rows of points that name a job, in the embedded store', () => {
  let folder: string;
  let store: Store;
  let servers: FastifyInstance[];
  let url: string;

  async function open(): Promise<void> {
    store = await createStore(join(folder, 'store.duckdb'));
    await store.createDatabase("d (o'hara)");
    const server = fastify({ logger: false, forceCloseConnections: true });
    servers.push(server);
    const rows = { user: 'ann b.', warn: () => undefined };
    await registerInfluxApi(server, store, { isAuthorized: () => true, rows });
    url = await server.listen({ host: '127.0.0.1', port: 0 });
  }
  beforeEach(async () => {
    servers = [];
    folder = await mkdtemp(join(tmpdir(), 'joblens-store-'));
    await open();
  });
  afterEach(async () => {
    for (const server of servers) await server.close().catch(() => undefined);
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const DB = encodeURIComponent("d (o'hara)");
  async function post(body: string, headers: Record<string, string> = {}): Promise<void> {
    const answer = await fetch(`${url}/write?db=${DB}`, { method: 'POST', body, headers });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  }
  async function query(q: string): Promise<readonly (readonly unknown[])[]> {
    const answer = await fetch(`${url}/query?db=${DB}&epoch=ns&q=${encodeURIComponent(q)}`);
    return (((await answer.json()) as Answer).results[0]?.series ?? []).flatMap(({ values }) => values);
  }
  const format = (from: number, to: number): string =>
    Array.from(
      { length: to - from },
      (_, i) =>
        `loss,job_id=7 iteration=${from + i}i,value=${Math.sin(from + i)} ${1700000000000000000n + BigInt(from + i)}`
    ).join('\n');

  it('are stored beside the points', async () => {
    await post('m,job=-7\\ (x),user=o\'hara,rank=0 value=1i,ok=t,note="a, b" 1700000000000000000');
    expect(await query('SELECT "m", "ok", "job", "user" FROM "job_metadata"')).toEqual([
      [1_700_000_000_000_000_000, 1, 1, '-7 (x)', "o'hara"],
    ]);
    expect(await query('SELECT "note", "rank" FROM "job_metadata_text"')).toEqual([
      [1_700_000_000_000_000_000, 'a, b', '0'],
    ]);
    expect(await query('SELECT "value", "note", "rank" FROM "m"')).toEqual([
      [1_700_000_000_000_000_000, 1, 'a, b', '0'],
    ]);
    expect(await query(`SELECT "job" FROM "job_heartbeat" WHERE "grid" = '10m'`)).toHaveLength(1);
  });

  it('are counted once where a batch is sent again, after a crash too', async () => {
    for (let batch = 0; batch < 6; batch += 1) {
      await post(format(batch * 500, batch * 500 + 500));
      if (batch % 2 === 1) {
        // Nothing is written at the end, as after a kill.
        await store.close();
        await open();
      }
      await post(format(batch * 500, batch * 500 + 500));
    }
    await servers.at(-1)?.close();
    await store.close();
    await open();
    expect(await query('SELECT count("loss") FROM "job_metadata"')).toEqual([[0, 3000]]);
    expect(await query('SELECT "rows", "user" FROM "job_series"')).toEqual([
      [1_700_000_000_000_000_000, 3000, 'ann b.'],
    ]);
    const buckets = await query(
      `SELECT "iteration" FROM "job_metadata_bucket" WHERE "bucket_level" = '2' AND "bucket_stat" = 'min'`
    );
    expect(buckets.map(([, first]) => first)).toEqual([0, 1024]);
  });

  it('are not made of what another joblens has made rows of', async () => {
    await post('m,job=7 value=1 1700000000000000000', { 'x-joblens-rows': 'made' });
    await post('job,job=7,user=ann state="RUNNING" 1700000000000000000');
    expect(await query('SHOW MEASUREMENTS')).toEqual([['job'], ['m']]);
  });
});
