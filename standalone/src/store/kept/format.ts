import type { DuckDBConnection } from '@duckdb/node-api';
import { MAX_OWN_TABLES, SHARED_TABLE_ID, nameTable } from './catalog.js';
import { createPointsTable, readRows } from './schema.js';

/** Version of the tables below. A file of another version is refused. */
const FORMAT = '2';

/** How many tables one transaction moves: each costs DuckDB memory until it is gone. */
const TABLES_A_STEP = 50;

const CATALOG_TABLES = `
CREATE TABLE IF NOT EXISTS store (format VARCHAR);
CREATE TABLE IF NOT EXISTS databases (id INTEGER, name VARCHAR);
CREATE TABLE IF NOT EXISTS measurements (id INTEGER, database INTEGER, name VARCHAR, points_table INTEGER);
CREATE TABLE IF NOT EXISTS fields (id INTEGER, measurement INTEGER, name VARCHAR, type VARCHAR);
CREATE TABLE IF NOT EXISTS series (id INTEGER, measurement INTEGER, tags VARCHAR[], fields INTEGER[]);
CREATE TABLE IF NOT EXISTS states (database INTEGER, key VARCHAR, state VARCHAR);
`;

/** Creates missing tables, and updates a file of format 1. Throws if a later version has written the file. */
export async function openTables(connection: DuckDBConnection): Promise<void> {
  await connection.run(CATALOG_TABLES);
  const formats = (await readRows(connection, 'SELECT format FROM store')).map(([format]) => format);
  if (formats.length === 0) await connection.run('INSERT INTO store VALUES ($1)', [FORMAT]);
  else if (formats[0] === '1') await migrateFrom1(connection);
  else if (formats[0] !== FORMAT) {
    throw new Error(`Cannot use the store: its format is ${String(formats[0])}, this program knows ${FORMAT}`);
  }
  await shareTables(connection);
}

/** Format 1 had a table for every measurement; a store with thousands of them could no longer write. */
async function migrateFrom1(connection: DuckDBConnection): Promise<void> {
  await inTransaction(connection, async () => {
    await connection.run('ALTER TABLE measurements ADD COLUMN points_table INTEGER');
    await connection.run('UPDATE measurements SET points_table = id');
    await connection.run(`UPDATE store SET format = '2'`);
  });
}

/**
 * Moves the points of surplus tables into the shared one. If the store stops meanwhile, the next start moves the rest.
 */
async function shareTables(connection: DuckDBConnection): Promise<void> {
  const own = await readRows(
    connection,
    `SELECT DISTINCT points_table FROM measurements WHERE points_table <> ${SHARED_TABLE_ID} ORDER BY 1`
  );
  const surplus = own.slice(MAX_OWN_TABLES).map(([id]) => Number(id));
  for (let start = 0; start < surplus.length; start += TABLES_A_STEP) {
    await inTransaction(connection, () => moveToShared(connection, surplus.slice(start, start + TABLES_A_STEP)));
    await connection.run('CHECKPOINT');
  }
}

async function moveToShared(connection: DuckDBConnection, ids: readonly number[]): Promise<void> {
  const shared = { id: SHARED_TABLE_ID };
  await createPointsTable(connection, shared);
  for (const id of ids) {
    await connection.run(`INSERT INTO ${nameTable(shared)} SELECT * FROM ${nameTable({ id })}`);
    await connection.run(`DROP TABLE ${nameTable({ id })}`);
  }
  await connection.run(
    `UPDATE measurements SET points_table = ${SHARED_TABLE_ID} WHERE points_table IN (${ids.join(', ')})`
  );
}

async function inTransaction(connection: DuckDBConnection, change: () => Promise<void>): Promise<void> {
  await connection.run('BEGIN TRANSACTION');
  try {
    await change();
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
