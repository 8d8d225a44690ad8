import fc from 'fast-check';
import { describeWith } from '../components.js';
import { randomCases } from '../random-cases.js';
import { normalizeJson } from './normalize.js';
import { randomPoints, randomQueries } from './random-input.js';
import { query, write } from './request.js';
import { type Pair, startPair } from './targets.js';

/** Each run is a new database with some points and about twenty queries. */
const RUNS = {
  numRuns: randomCases(30),
  endOnFailure: process.env['CI'] !== undefined,
};

describeWith(['influxd'], 'random points and queries', () => {
  let pair: Pair;
  let databases = 0;
  beforeAll(async () => {
    pair = await startPair();
  });
  afterAll(() => pair.stop());

  it('get the same answers from the embedded store and InfluxDB 1.6', async () => {
    await fc.assert(
      fc.asyncProperty(randomPoints(), randomQueries(), async (batches, queries) => {
        databases += 1;
        const database = `d${databases}`;
        await pair.both((url) => query(url, `CREATE DATABASE ${database}`));
        for (const batch of batches) {
          const written = await pair.both((url) => write(url, batch, { parameters: { db: database } }));
          expect(written.embedded.status).toBe(written.influxdb.status);
        }
        for (const text of queries) {
          const { influxdb, embedded } = await pair.both((url) =>
            query(url, text, { database, parameters: { epoch: 'ns' } })
          );
          expectSame(text, normalizeJson(embedded), normalizeJson(influxdb));
        }
      }),
      RUNS
    );
  });
});

/** Among forty queries the one that differs has to be named. */
function expectSame(text: string, embedded: unknown, influxdb: unknown): void {
  try {
    expect(embedded).toEqual(influxdb);
  } catch (cause) {
    throw new Error(`${text}\n${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
