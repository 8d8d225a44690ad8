import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { noteCollections } from '../large-collections.js';
import { createStore, registerInfluxApi } from '../../standalone/src/store/index.js';

const MANY = 300;
/** What may stay of questions and writes that are over. */
const FEW = 100;

it('keeps nothing of questions, names and refused lines', async () => {
  const noted = noteCollections();
  const folder = await mkdtemp(join(tmpdir(), "joblens store's (1) "));
  const store = await createStore(join(folder, 'store.duckdb'));
  await store.createDatabase('d');
  const server = fastify({ logger: false });
  await registerInfluxApi(server, store, { isAuthorized: () => true, nowNs: () => 1_000_000_000n });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const ask = async (path: string, body?: string): Promise<number> => {
    const answer = await fetch(url + path, body === undefined ? {} : { method: 'POST', body });
    await answer.text();
    return answer.status;
  };
  expect(await ask('/write?db=d', 'cpu,job=7 value=1 1')).toBe(204);
  for (let i = 0; i < MANY; i += 1) {
    const name = `a "b's" (${i})`;
    const q = `SELECT mean("value") AS "${i}" FROM "cpu" WHERE "job" =~ /${i}|7/ AND time < ${i}s GROUP BY time(${i + 1}s)`;
    expect(await ask(`/query?db=d&q=${encodeURIComponent(q)}`)).toBe(200);
    expect(await ask(`/query?db=${encodeURIComponent(name)}&q=${encodeURIComponent('SHOW MEASUREMENTS')}`)).toBe(200);
    expect(await ask(`/write?db=${encodeURIComponent(name)}`, 'cpu value=1')).toBe(404);
    expect(await ask('/write?db=d', `cpu,${name} value`)).toBe(400);
  }
  expect(await noted.listLarge(FEW)).toEqual([]);
  noted.end();
  await server.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
