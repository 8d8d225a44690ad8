import { type DuckDBConnection, DuckDBListValue, type DuckDBValue } from '@duckdb/node-api';
import { Catalog, type Database, type Measurement, nameTable, type PointsTable } from './catalog.js';
import type { Field, FieldType } from './field.js';

export async function createPointsTable(
  connection: DuckDBConnection,
  table: Pick<PointsTable, 'id'>,
  kind: '' | 'TEMPORARY' = ''
): Promise<void> {
  await connection.run(
    `CREATE ${kind} TABLE IF NOT EXISTS ${nameTable(table)} (series INTEGER, time BIGINT, floats DOUBLE[], texts VARCHAR[], integers BIGINT[])`
  );
}

/** Loads the catalog of the last commit. */
export async function loadCatalog(connection: DuckDBConnection): Promise<Catalog> {
  const catalog = new Catalog();
  const databases = new Map<DuckDBValue, Database>();
  for (const [id, name] of await readRows(connection, 'SELECT id, name FROM databases ORDER BY id')) {
    databases.set(Number(id), catalog.addDatabase(String(name), Number(id)));
  }
  const measurements = new Map<number, Measurement>();
  const stored = await readRows(connection, 'SELECT id, database, name, points_table FROM measurements');
  for (const [id, database, name, tableId] of stored) {
    const owner = databases.get(Number(database));
    if (!owner) continue;
    const ids = { id: Number(id), tableId: Number(tableId) };
    measurements.set(ids.id, catalog.addMeasurement(owner, String(name), ids));
  }
  const fields = new Map<number, Field>();
  for (const [id, owner, name, type] of await readRows(connection, 'SELECT id, measurement, name, type FROM fields')) {
    const measurement = measurements.get(Number(owner));
    if (!measurement) continue;
    fields.set(Number(id), catalog.addField(measurement, String(name), String(type) as FieldType, Number(id)));
  }
  await loadSeries(connection, catalog, measurements, fields);
  return catalog;
}

/** The states that are kept with the points, by the id of their database and their key, each as a list of one. */
export async function loadStates(
  connection: DuckDBConnection
): Promise<ReadonlyMap<number, ReadonlyMap<string, readonly string[]>>> {
  const found = new Map<number, Map<string, readonly string[]>>();
  for (const [database, key, state] of await readRows(connection, 'SELECT database, key, state FROM states')) {
    const states = found.get(Number(database)) ?? new Map<string, readonly string[]>();
    found.set(Number(database), states.set(String(key), [String(state)]));
  }
  return found;
}

async function loadSeries(
  connection: DuckDBConnection,
  catalog: Catalog,
  measurements: ReadonlyMap<number, Measurement>,
  fields: ReadonlyMap<number, Field>
): Promise<void> {
  const result = await connection.stream('SELECT id, measurement, tags, fields FROM series ORDER BY id');
  for await (const rows of result.yieldRows()) {
    for (const [id, owner, tags, fieldIds] of rows) {
      const measurement = measurements.get(Number(owner));
      if (!measurement) continue;
      const series = catalog.addSeries(measurement, readTags(itemsOf(tags)), Number(id));
      const own = itemsOf(fieldIds).flatMap((fieldId) => fields.get(Number(fieldId)) ?? []);
      measurement.layouts.grow(series, own);
    }
  }
}

/** Reads the newest time of each series, which tells a rewrite from a new point. Scans two columns, once per table. */
export async function loadNewestTimes(connection: DuckDBConnection, table: PointsTable): Promise<void> {
  if (table.hasNewest) return;
  const newest = `SELECT series, max(time) FROM ${nameTable(table)} GROUP BY series`;
  for (const [id, time] of await readRows(connection, newest)) {
    const series = table.series.get(Number(id));
    if (series && typeof time === 'bigint') series.newestNs = time;
  }
  table.hasNewest = true;
}

export function itemsOf(value: DuckDBValue | undefined): readonly DuckDBValue[] {
  return value instanceof DuckDBListValue ? value.items : [];
}

export async function readRows(connection: DuckDBConnection, sql: string): Promise<DuckDBValue[][]> {
  return (await connection.runAndReadAll(sql)).getRows();
}

function readTags(flat: readonly DuckDBValue[]): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (let i = 0; i + 1 < flat.length; i += 2) tags.set(String(flat[i]), String(flat[i + 1]));
  return tags;
}
