import { DuckDBListValue } from '@duckdb/node-api';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { Catalog, pointsTableOf } from './catalog.js';
import type { Database, Field, FieldType, Measurement } from './catalog.js';

/** Version of the tables below; a file of another one is refused. */
const FORMAT = '1';

const CATALOG_TABLES = `
CREATE TABLE IF NOT EXISTS store (format VARCHAR);
CREATE TABLE IF NOT EXISTS databases (id INTEGER, name VARCHAR);
CREATE TABLE IF NOT EXISTS measurements (id INTEGER, database INTEGER, name VARCHAR);
CREATE TABLE IF NOT EXISTS fields (id INTEGER, measurement INTEGER, name VARCHAR, type VARCHAR);
CREATE TABLE IF NOT EXISTS series (id INTEGER, measurement INTEGER, tags VARCHAR[], fields INTEGER[]);
`;

/** Creates what is missing. Throws when the file was written by another version. */
export async function createTables(connection: DuckDBConnection): Promise<void> {
  await connection.run(CATALOG_TABLES);
  const formats = (await readRows(connection, 'SELECT format FROM store')).map(([format]) => format);
  if (formats.length === 0) await connection.run('INSERT INTO store VALUES ($1)', [FORMAT]);
  else if (formats[0] !== FORMAT) {
    throw new Error(`Cannot use the store: its format is ${String(formats[0])}, this program knows ${FORMAT}`);
  }
}

export async function createPointsTable(connection: DuckDBConnection, measurement: Measurement): Promise<void> {
  await connection.run(
    `CREATE TABLE ${pointsTableOf(measurement)} (series INTEGER, time BIGINT, floats DOUBLE[], texts VARCHAR[], integers BIGINT[])`
  );
}

/** The catalog as it was committed last. */
export async function loadCatalog(connection: DuckDBConnection): Promise<Catalog> {
  const catalog = new Catalog();
  const databases = new Map<DuckDBValue, Database>();
  for (const [id, name] of await readRows(connection, 'SELECT id, name FROM databases ORDER BY id')) {
    databases.set(Number(id), catalog.addDatabase(String(name), Number(id)));
  }
  const measurements = new Map<number, Measurement>();
  for (const [id, database, name] of await readRows(connection, 'SELECT id, database, name FROM measurements')) {
    const owner = databases.get(Number(database));
    if (owner) measurements.set(Number(id), catalog.addMeasurement(owner, String(name), Number(id), true));
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
      for (const fieldId of itemsOf(fieldIds)) {
        const field = fields.get(Number(fieldId));
        if (field) series.layout = series.layout.with(field);
      }
    }
  }
}

/** Reads each series' newest time, which tells a rewrite from a new point. Costs one scan of two columns, once a measurement. */
export async function loadNewestTimes(connection: DuckDBConnection, measurement: Measurement): Promise<void> {
  if (measurement.hasNewest) return;
  const table = pointsTableOf(measurement);
  for (const [id, time] of await readRows(connection, `SELECT series, max(time) FROM ${table} GROUP BY series`)) {
    const series = measurement.seriesById.get(Number(id));
    if (series && typeof time === 'bigint') series.newestNs = time;
  }
  measurement.hasNewest = true;
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
