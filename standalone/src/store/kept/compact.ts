import type { DuckDBConnection } from '@duckdb/node-api';
import { nameTable, type PointsTable } from './catalog.js';
import { readRows } from './schema.js';

/** A smaller table is not worth rewriting. */
const MIN_DEAD_ROWS = 2000;

/**
 * Rewrites tables with more replaced rows than live ones (the summary of a job's table is replaced every second).
 * DuckDB frees replaced rows only with their whole row group of 122,880. The cost is proportional to the replaced rows,
 * so amortised O(1).
 */
export async function rewriteWornTables(connection: DuckDBConnection, tables: readonly PointsTable[]): Promise<void> {
  for (const table of tables) {
    if (table.deadRows < MIN_DEAD_ROWS) continue;
    const name = nameTable(table);
    const [counts] = await readRows(connection, `SELECT count(*) FROM ${name}`);
    if (table.deadRows < Number(counts?.[0] ?? 0)) continue;
    await rewriteTable(connection, name);
    table.deadRows = 0;
  }
}

async function rewriteTable(connection: DuckDBConnection, table: string): Promise<void> {
  await connection.run('BEGIN TRANSACTION');
  try {
    await connection.run(`CREATE TABLE ${table}_new AS SELECT * FROM ${table} ORDER BY series, time`);
    await connection.run(`DROP TABLE ${table}`);
    await connection.run(`ALTER TABLE ${table}_new RENAME TO ${table}`);
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
