import type { DuckDBConnection } from '@duckdb/node-api';
import { nameTable, type PointsTable, type Series } from './catalog.js';
import { SqlParameters } from './sql-text.js';

/** A series to remove, and where its points are. */
export interface DroppedSeries {
  readonly table: PointsTable;
  readonly series: Series;
}

/** Removes series and their points in one transaction. The catalog in memory must be loaded again. */
export async function deleteSeries(connection: DuckDBConnection, chosen: readonly DroppedSeries[]): Promise<void> {
  const tables = new Set(chosen.map(({ table }) => table));
  await connection.run('BEGIN TRANSACTION');
  try {
    for (const table of tables) {
      const ofTable = chosen.filter((one) => one.table === table);
      if (table.isStored) await deleteWhere(connection, `${nameTable(table)} WHERE series`, ofTable);
    }
    await deleteWhere(connection, 'series WHERE id', chosen);
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function deleteWhere(
  connection: DuckDBConnection,
  where: string,
  chosen: readonly DroppedSeries[]
): Promise<void> {
  const parameters = new SqlParameters();
  const ids = parameters.integers(chosen.map(({ series }) => series.id));
  const sql = parameters.toSql(`DELETE FROM ${where} IN (SELECT unnest(${ids}))`);
  await connection.run(sql.text, sql.values, sql.types);
}
