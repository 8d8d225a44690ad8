import { describeWith } from '../components.js';
import { normalizeJson, withQuery } from './normalize.js';
import { QUERY_CASES, type QueryCase } from './query-cases.js';
import { query, type QueryOptions, write } from './request.js';
import { type Pair, startPair } from './targets.js';
import { WRITE_CASES } from './write-cases.js';

const SOME_CASES = QUERY_CASES.filter(({ name }) => ['raw selection', 'difficult texts'].includes(name));

/** The ways to ask for an answer. All cases run in those that shape it, some in those that only spell it otherwise. */
const FORMS: readonly {
  readonly form: string;
  readonly options: QueryOptions;
  readonly cases: readonly QueryCase[];
}[] = [
  { form: 'JSON', options: {}, cases: QUERY_CASES },
  { form: 'JSON by GET', options: { method: 'GET' }, cases: SOME_CASES },
  { form: 'JSON, nanoseconds', options: { parameters: { epoch: 'ns' } }, cases: SOME_CASES },
  { form: 'JSON, microseconds', options: { parameters: { epoch: 'u' } }, cases: SOME_CASES },
  { form: 'JSON, unknown epoch', options: { parameters: { epoch: 'us' } }, cases: SOME_CASES },
  { form: 'JSON, milliseconds', options: { parameters: { epoch: 'ms' } }, cases: SOME_CASES },
  { form: 'JSON, hours', options: { parameters: { epoch: 'h' } }, cases: SOME_CASES },
  { form: 'JSON, pretty', options: { parameters: { pretty: 'true' } }, cases: SOME_CASES },
  { form: 'chunks of one row', options: { parameters: { chunked: 'true', chunk_size: '1' } }, cases: QUERY_CASES },
  { form: 'chunks of two rows', options: { parameters: { chunked: 'true', chunk_size: '2' } }, cases: SOME_CASES },
  { form: 'chunks of default size', options: { parameters: { chunked: 'true' } }, cases: SOME_CASES },
];

/** InfluxDB 1.6 prints the column's name in place of this answer's number. */
const CSV_FAULTS = ['SHOW RETENTION POLICIES'];

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

  describe.each(FORMS)('$form', ({ options, cases }) => {
    describe.each(cases)('$name', ({ name, queries }) => {
      it.each(queries)('%s', async (text) => {
        const { influxdb, embedded } = await pair.both((url) =>
          query(url, text, { ...options, database: databaseOf(name) })
        );
        expect(normalizeJson(embedded)).toEqual(normalizeJson(influxdb));
      });
    });
  });

  describe.each([
    { epoch: undefined, cases: QUERY_CASES },
    { epoch: 's', cases: SOME_CASES },
  ])('CSV, epoch $epoch', ({ epoch, cases }) => {
    describe.each(cases)('$name', ({ name, queries }) => {
      it.each(queries.filter((text) => !CSV_FAULTS.includes(text)))('%s', async (text) => {
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

  describe('writes', () => {
    const database = 'writes';
    beforeAll(async () => {
      await pair.both((url) => query(url, `CREATE DATABASE "${database}"`));
    });

    it.each(WRITE_CASES)('$name', async ({ body, parameters, isGzip }) => {
      const options = { parameters: { db: database, precision: 'ns', ...parameters }, ...(isGzip && { isGzip }) };
      const written = await pair.both((url) => write(url, body, options));
      expect(written.embedded).toEqual(written.influxdb);
      const stored = await pair.both((url) => query(url, 'SELECT * FROM /.*/; SHOW FIELD KEYS', { database }));
      expect(normalizeJson(stored.embedded)).toEqual(normalizeJson(stored.influxdb));
    });
  });

  it.each(['/ping', '/query', '/query?q=SHOW+MEASUREMENTS', '/query?db=nodb&q=SELECT+x+FROM+m'])(
    'GET %s',
    async (path) => {
      const answers = await pair.both(async (url) => {
        const answer = await fetch(url + path);
        return { status: answer.status, body: await answer.text() };
      });
      expect(answers.embedded).toEqual(answers.influxdb);
    }
  );
});
