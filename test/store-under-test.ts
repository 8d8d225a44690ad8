import { quoteIdentifier } from '@joblens/core/influxql/quote';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { querySeries, startInfluxdb } from './influxdb.js';

/** A server that speaks InfluxDB's HTTP API. */
export interface StoreUnderTest {
  readonly url: string;
  stop(): Promise<void>;
}

/** Where it is set, suites use this server in place of an InfluxDB of their own. */
export const OTHER_SERVER_URL = (process.env['JOBLENS_TEST_INFLUXDB_URL'] ?? '').replace(/\/+$/, '') || undefined;

/** The InfluxDB of a suite, with an empty database `joblens`: one of its own, or the other server, emptied. */
export async function startStoreUnderTest(): Promise<StoreUnderTest> {
  if (OTHER_SERVER_URL === undefined) return startInfluxdb();
  await emptyServer(OTHER_SERVER_URL);
  return { url: OTHER_SERVER_URL, stop: () => Promise.resolve() };
}

/** Shows that all databases of a server are those of tests. */
const MARK = 'joblens_tests';
const DATABASE = 'joblens';

/** Empties a server of tests: it then has the database `joblens` alone. Throws when it has databases of others. */
export async function emptyServer(url: string): Promise<void> {
  const [names] = await querySeries(url, 'SHOW DATABASES');
  const databases = (names?.values ?? []).map(([name]) => String(name)).filter((name) => !name.startsWith('_'));
  if (databases.length > 0 && !databases.includes(MARK)) {
    const found = `${url} has databases that no test made: ${databases.join(', ')}`;
    throw new Error(`${found}; set JOBLENS_TEST_INFLUXDB_URL to an empty server, as tests remove all that is there`);
  }
  await querySeries(url, `CREATE DATABASE ${quoteIdentifier(MARK)}`);
  for (const name of databases) {
    if (name !== MARK) await querySeries(url, `DROP DATABASE ${quoteIdentifier(name)}`);
  }
  // openGemini removes a database for some seconds, and does not make it anew before.
  await until(() =>
    querySeries(url, `CREATE DATABASE ${quoteIdentifier(DATABASE)}`).then(
      () => true,
      (error: unknown) => {
        if (!String(error).includes('is being delete')) throw error;
        return false;
      }
    )
  );
  // Some engines take points a while after they have made the database (docs/engines.md).
  await until(async () => (await fetch(`${url}/write?db=${DATABASE}`, { method: 'POST', body: '\n' })).status !== 404);
}

/** openGemini counts new series at once, and answers with their points up to two seconds later (docs/engines.md). */
const SHOWN_LATE_MS = 3000;

/** Waits until an answer has the series of these points, which some engines show a while after they have taken them. */
export async function untilShown(url: string, points: readonly Point[]): Promise<void> {
  const written = new Map<string, Set<string>>();
  for (const point of points) {
    const series = written.get(point.measurement) ?? new Set();
    written.set(point.measurement, series.add(formatPoint({ ...point, fields: new Map([['x', 1]]), timeNs: 0n })));
  }
  for (const [measurement, { size }] of written) {
    await until(async () => {
      const [series] = await querySeries(url, `SHOW SERIES FROM ${quoteIdentifier(measurement)}`);
      return (series?.values.length ?? 0) >= size;
    });
  }
  await new Promise((resolve) => setTimeout(resolve, SHOWN_LATE_MS));
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 50));
}
