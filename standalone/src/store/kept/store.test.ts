import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Point } from '@joblens/core/point/point';
import { MAX_OWN_TABLES, nameTable } from './catalog.js';
import { createStore, type Store } from '../index.js';

describe('a store', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'joblens-store-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const reopen = async (store: Store): Promise<Store> => {
    await store.close();
    return createStore(join(folder, 'store.duckdb'));
  };

  it('tells names that begin with U+FEFF from those that do not', async () => {
    const written = await createStore(join(folder, 'store.duckdb'));
    await written.createDatabase('d');
    const points = ['', '\ufeff'].map((mark): Point => ({
      measurement: `${mark}m`,
      tags: new Map([[`${mark}t`, `${mark}v`]]),
      fields: new Map([[`${mark}f`, 1]]),
      timeNs: 1n,
    }));
    await written.write('d', points);
    const store = await reopen(written);
    const measurements = store.catalog.databases.get('d')?.measurements;
    for (const { measurement, tags, fields } of points) {
      const found = measurements?.get(measurement);
      expect([...(found?.fields.keys() ?? [])]).toEqual([...fields.keys()]);
      expect([...(found?.series.values() ?? [])].map((series) => series.tags)).toEqual([tags]);
    }
    await store.close();
  });

  it('holds ten thousand measurements, and goes on', async () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `m${i}`);
    const written = await createStore(join(folder, 'store.duckdb'), { memoryLimit: '256MB' });
    await written.createDatabase('d');
    await written.write('d', names.map(createPoint(1n)));
    await written.write('d', names.map(createPoint(2n)));
    const store = await reopen(written);
    expect(await store.write('d', names.map(createPoint(2n)))).toEqual({ kind: 'written' });
    const measurements = [...(store.catalog.databases.get('d')?.measurements.values() ?? [])];
    expect(measurements.map(({ name }) => name).sort()).toEqual([...names].sort());
    const tables = [...new Set(measurements.map(({ table }) => nameTable(table)))];
    expect(tables).toHaveLength(MAX_OWN_TABLES + 1);
    const counts = tables.map((table) => `SELECT count(*) AS n FROM ${table}`).join(' UNION ALL ');
    expect(await readNumber(store, `SELECT sum(n) FROM (${counts})`)).toBe(20_000);
    await store.close();
  });

  it('puts the points of a file of format 1, with its table for every measurement, into few tables', async () => {
    const path = join(folder, 'store.duckdb');
    const count = MAX_OWN_TABLES + 120;
    await writeFormat1(path, count);
    const store = await createStore(path);
    const measurements = [...(store.catalog.databases.get('d')?.measurements.values() ?? [])];
    expect(new Set(measurements.map(({ table }) => table)).size).toBe(MAX_OWN_TABLES + 1);
    for (const { name, table, series } of measurements) {
      const ids = [...series.values()].map(({ id }) => id).join(', ');
      const value = await readNumber(store, `SELECT floats[1] FROM ${nameTable(table)} WHERE series IN (${ids})`);
      expect(`m${value}`).toBe(name);
    }
    await store.close();
    const again = await createStore(path);
    expect(again.catalog.databases.get('d')?.measurements.size).toBe(count);
    await again.close();
  });

  it('drops the points of new series beyond the limit, and takes those of known ones', async () => {
    const store = await createStore(join(folder, 'store.duckdb'), { maxSeries: 2 });
    await store.createDatabase('d');
    const points = ['a', 'b', 'c', 'a'].map((name, i) => createPoint(BigInt(i))(name));
    expect(await store.write('d', points)).toEqual({
      kind: 'written',
      dropped: { count: 1, reason: 'max-series-per-database limit exceeded: (2)' },
    });
    await store.close();
  });

  it('needs memory for a wide series as for its fields, not for their square', async () => {
    const store = await createStore(join(folder, 'store.duckdb'));
    await store.createDatabase('d');
    const before = measureHeapBytes();
    for (let job = 0; job < 12; job += 1) {
      const fields = new Map(Array.from({ length: 4000 }, (_, i) => [`f${job}_${i}`, i]));
      const tags = new Map([['job', `${job}`]]);
      await store.write('d', [{ measurement: 'm', tags, fields, timeNs: 1n }]);
    }
    // 48,000 columns, of which less than 4 KiB each stays in memory.
    expect(measureHeapBytes() - before).toBeLessThan(48_000 * 4096);
    await store.close();
  });
});

/** Memory in use, without garbage. */
function measureHeapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

const createPoint =
  (timeNs: bigint) =>
  (measurement: string): Point => ({ measurement, tags: new Map(), fields: new Map([['x', 1]]), timeNs });

async function readNumber(store: Store, sql: string): Promise<number> {
  const result = await store.read((connection) => connection.runAndReadAll(sql));
  return Number(result.getRows()[0]?.[0]);
}

/** A store as the first version left it; the measurement `m7` has one point with the value 7. */
async function writeFormat1(path: string, count: number): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(`
    CREATE TABLE store (format VARCHAR);
    CREATE TABLE databases (id INTEGER, name VARCHAR);
    CREATE TABLE measurements (id INTEGER, database INTEGER, name VARCHAR);
    CREATE TABLE fields (id INTEGER, measurement INTEGER, name VARCHAR, type VARCHAR);
    CREATE TABLE series (id INTEGER, measurement INTEGER, tags VARCHAR[], fields INTEGER[]);
    INSERT INTO store VALUES ('1');
    INSERT INTO databases VALUES (1, 'd');
  `);
  for (let i = 0; i < count; i += 1) {
    const [id, field, series] = [10 + 3 * i, 11 + 3 * i, 12 + 3 * i];
    await connection.run(`
      CREATE TABLE points_${id} (series INTEGER, time BIGINT, floats DOUBLE[], texts VARCHAR[], integers BIGINT[]);
      INSERT INTO points_${id} VALUES (${series}, 1, [${i}], NULL, NULL);
      INSERT INTO measurements VALUES (${id}, 1, 'm${i}');
      INSERT INTO fields VALUES (${field}, ${id}, 'x', 'float');
      INSERT INTO series VALUES (${series}, ${id}, [], [${field}]);
    `);
  }
  connection.closeSync();
  instance.closeSync();
}
