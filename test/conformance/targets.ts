import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Point } from '@joblens/core/point/point';
import fastify from 'fastify';
import { createStore, type InfluxApiOptions, registerInfluxApi } from '../../standalone/src/store/index.js';
import { createInfluxqlClient } from '../influxql-client.js';
import { startStoreUnderTest, type StoreUnderTest } from '../store-under-test.js';

/** `rows`: points that name a job are rows of that job, as in the store of `npm start`. */
export async function startEmbeddedStore(rows?: InfluxApiOptions['rows']): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'joblens-store-'));
  const store = await createStore(join(folder, 'store.duckdb'), { memoryLimit: '512MB' });
  const server = fastify({ logger: false });
  await registerInfluxApi(server, store, { isAuthorized: () => true, ...(rows && { rows }) });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    async stop() {
      await server.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Pair {
  readonly influxdb: StoreUnderTest;
  readonly embedded: StoreUnderTest;
  /** Runs the same on both, one after the other, and gives both outcomes. */
  both<T>(action: (url: string) => Promise<T>): Promise<{ readonly influxdb: T; readonly embedded: T }>;
  stop(): Promise<void>;
}

/** A pair whose database `joblens` holds these points. */
export async function startFilledPair(points: readonly Point[]): Promise<Pair> {
  const pair = await startPair();
  await pair.both(async (url) => {
    const client = createInfluxqlClient(url);
    await client.post('CREATE DATABASE "joblens"');
    await client.write(points);
  });
  return pair;
}

export async function startPair(): Promise<Pair> {
  const influxdb = await startStoreUnderTest();
  const embedded = await startEmbeddedStore();
  return {
    influxdb,
    embedded,
    both: async (action) => ({ influxdb: await action(influxdb.url), embedded: await action(embedded.url) }),
    async stop() {
      await embedded.stop();
      await influxdb.stop();
    },
  };
}
