import type { Statement } from '@joblens/core';
import { createColumn, createMeasurement, createSelect, MEASUREMENT } from '@joblens/core';
import { catchError, firstValueFrom, map, type Observable, of } from 'rxjs';
import type { InfluxdbClient } from './influxdb-client.js';
import { StoreError } from './store-error.js';

interface Health {
  readonly status: 'success' | 'error';
  readonly message: string;
}

/** The list alone is not enough: for a database that does not exist, InfluxDB 1.x answers with an empty list. */
const STATEMENTS: readonly Statement[] = [
  createSelect({ columns: [createColumn('state')], from: [createMeasurement(MEASUREMENT.job)], limit: 1 }),
  { kind: 'showMeasurements' },
];
const OWN_MEASUREMENTS: ReadonlySet<unknown> = new Set(Object.values(MEASUREMENT));

/** Tries to read the database, and says in one sentence what it found. Never rejects. */
export function checkHealth(client: InfluxdbClient, database: string): Promise<Health> {
  const health: Observable<Health> = client.query(STATEMENTS).pipe(
    map(([, listed]): Health => {
      const names = (listed?.series ?? []).flatMap(({ values }) => values.map(([name]) => name));
      return { status: 'success', message: formatFindings(database, names) };
    }),
    catchError((error: unknown) => of<Health>({ status: 'error', message: formatFailure(error) }))
  );
  return firstValueFrom(health);
}

function formatFindings(database: string, names: readonly unknown[]): string {
  if (names.some((name) => OWN_MEASUREMENTS.has(name)))
    return `Connected: the database "${database}" holds logged jobs.`;
  return `Connected: the database "${database}" can be read, but no job was logged to it yet. Run: joblens run -- COMMAND`;
}

function formatFailure(error: unknown): string {
  if (error instanceof StoreError) return error.message;
  return `The test failed: ${error instanceof Error ? error.message : String(error)}`;
}
