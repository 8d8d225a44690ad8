import { describeWith } from '../components.js';
import { normalizeJson, withQuery } from './normalize.js';
import { QUERY_CASES } from './query-cases.js';
import { query, write } from './request.js';
import type { QueryOptions } from './request.js';
import { startPair } from './targets.js';
import type { Pair } from './targets.js';

jest.setTimeout(20_000);

/** Every way to ask for an answer; the cases run in each of them. */
const FORMS: readonly { readonly form: string; readonly options: QueryOptions }[] = [
  { form: 'JSON', options: {} },
  { form: 'JSON by GET', options: { method: 'GET' } },
  { form: 'JSON, nanoseconds', options: { parameters: { epoch: 'ns' } } },
  { form: 'JSON, milliseconds', options: { parameters: { epoch: 'ms' } } },
  { form: 'JSON, hours', options: { parameters: { epoch: 'h' } } },
  { form: 'JSON, pretty', options: { parameters: { pretty: 'true' } } },
  { form: 'chunks of one row', options: { parameters: { chunked: 'true', chunk_size: '1' } } },
  { form: 'chunks of two rows', options: { parameters: { chunked: 'true', chunk_size: '2' } } },
  { form: 'chunks of default size', options: { parameters: { chunked: 'true' } } },
];

describeWith(['influxd'], 'the embedded store answers as InfluxDB 1.6', () => {
  let pair: Pair;
  const databaseOf = (name: string): string => name.replaceAll(' ', '_');

  beforeAll(async () => {
    pair = await startPair();
    for (const { name, lines } of QUERY_CASES) {
      const database = databaseOf(name);
      await pair.both((url) => query(url, `CREATE DATABASE "${database}"`));
      for (const line of lines) {
        const answers = await pair.both((url) => write(url, line, { parameters: { db: database, precision: 'ns' } }));
        expect(withQuery(line, answers.embedded)).toEqual(withQuery(line, answers.influxdb));
      }
    }
  });
  afterAll(() => pair.stop());

  describe.each(FORMS)('$form', ({ options }) => {
    describe.each(QUERY_CASES)('$name', ({ name, queries }) => {
      it.each(queries)('%s', async (text) => {
        const { influxdb, embedded } = await pair.both((url) =>
          query(url, text, { ...options, database: databaseOf(name) })
        );
        expect(normalizeJson(embedded)).toEqual(normalizeJson(influxdb));
      });
    });
  });

  describe.each([{ epoch: undefined }, { epoch: 's' }])('CSV, epoch $epoch', ({ epoch }) => {
    describe.each(QUERY_CASES)('$name', ({ name, queries }) => {
      it.each(queries)('%s', async (text) => {
        const { influxdb, embedded } = await pair.both((url) =>
          query(url, text, {
            database: databaseOf(name),
            accept: 'application/csv',
            ...(epoch !== undefined && { parameters: { epoch } }),
          })
        );
        expect(embedded).toEqual(influxdb);
      });
    });
  });
});
