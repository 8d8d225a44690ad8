import {
  createAnd,
  createColumn,
  createComparison,
  createMeasurement,
  createRef,
  createSelect,
  createStringLiteral,
  createTagEquals,
  createTimeComparison,
  freezeNode,
} from '@joblens/core/influxql/build';
import { parseQuery } from '@joblens/core/influxql/parse';
import { printStatement, printStatements } from '@joblens/core/influxql/print';
import { quoteRegex } from '@joblens/core/influxql/quote';
import { encodeFieldKey } from '@joblens/core/schema/field-name';
import { encodeTagValue } from '@joblens/core/schema/name-transport';
import { describeWith } from './components.js';
import { createInfluxqlClient, type InfluxqlClient } from './influxql-client.js';
import { startStoreUnderTest, type StoreUnderTest } from './store-under-test.js';

const START_NS = 1_700_000_000_123_456_789n;

/** Names that break a careless quoting. */
const HOSTILE = [
  'plain',
  "it's",
  'say "hi"',
  'back\\slash',
  'ends with \\',
  '\\\\',
  "\\'; DROP MEASUREMENT quoting; --",
  '"; DROP MEASUREMENT quoting; --',
  "' OR 'a' = 'a",
  '/* comment */ -- too',
  'a,b=c d',
  'tab\there',
  'two\nlines',
  '\rreturn',
  'nul\0inside',
  '/slash\\/es/',
  'select',
  'time',
  'user',
  '_private',
  '',
  ' ',
  'µ 😀 ␛',
  'n',
  '\\n',
];

describeWith(['influxd'], 'InfluxQL on a real InfluxDB', () => {
  let influxdb: StoreUnderTest;
  let client: InfluxqlClient;

  beforeAll(async () => {
    influxdb = await startStoreUnderTest();
    client = createInfluxqlClient(influxdb.url);
  });
  afterAll(async () => {
    await influxdb.stop();
  });

  describe('quoting', () => {
    beforeAll(async () => {
      await client.write(
        HOSTILE.map((name, at) => ({
          measurement: 'quoting',
          tags: new Map([['name', encodeTagValue(name)]]),
          fields: new Map<string, string | number>([
            [`f${encodeFieldKey(name)}`, at],
            ['text', name],
            ['at', at],
          ]),
          timeNs: START_NS + BigInt(at),
        }))
      );
    });

    it.each(HOSTILE.map((name, at) => ({ name, at })))('finds the row of tag $name', async ({ name, at }) => {
      const [result] = await client.ask(
        createSelect({
          columns: [createColumn('at')],
          from: [createMeasurement('quoting')],
          where: createTagEquals('name', encodeTagValue(name)),
        })
      );
      expect(result?.series?.[0]?.values.map((row) => row[1])).toEqual([at]);
    });

    it.each(HOSTILE.map((name, at) => ({ name, at })))('finds the value of field $name', async ({ name, at }) => {
      const field = `f${encodeFieldKey(name)}`;
      const [result] = await client.ask(
        createSelect({ columns: [createColumn(field)], from: [createMeasurement('quoting')] })
      );
      expect(result?.series?.[0]?.columns).toEqual(['time', field]);
      expect(result?.series?.[0]?.values.map((row) => row[1])).toEqual([at]);
    });

    // InfluxQL has no way to write a carriage return or NUL in a string.
    it.each(HOSTILE.map((name, at) => ({ name, at })).filter(({ name }) => !/[\r\0]/.test(name)))(
      'finds the row of text $name',
      async ({ name, at }) => {
        const [result] = await client.ask(
          createSelect({
            columns: [createColumn('at')],
            from: [createMeasurement('quoting')],
            where: createComparison(createRef('text'), '=', createStringLiteral(name)),
          })
        );
        expect(result?.series?.[0]?.values.map((row) => row[1])).toEqual([at]);
      }
    );

    it.each(['\r', '\0', "a\r' OR 'a' = 'a"])('refuses the whole query for text %j', async (text) => {
      const where = createComparison(createRef('text'), '=', createStringLiteral(text));
      const query = createSelect({ columns: [createColumn('at')], from: [createMeasurement('quoting')], where });
      expect((await client.post(printStatement(query))).error).toMatch(/^error parsing query: /);
    });

    it.each([
      ['^plain$', [0]],
      ["it's", [1]],
      ['/slash', [15]],
      ['^/\\* comment', [9]],
      ['say "hi"', [2]],
      ['^ends with ␛/$', [4]],
      ['\\\\', [3, 6, 15, 24]],
      ['^\\\\n$', [24]],
      ['back\\', [3]],
      ['back\\\\', [3]],
    ])('finds the rows whose tag matches /%s/', async (source, expected) => {
      const where = freezeNode({ kind: 'match', left: createRef('name'), operator: '=~', source });
      const [result] = await client.ask(
        createSelect({ columns: [createColumn('at')], from: [createMeasurement('quoting')], where })
      );
      expect([quoteRegex(source), result?.series?.[0]?.values.map((row) => row[1])]).toEqual([
        quoteRegex(source),
        expected,
      ]);
    });

    it('finds a row by its exact nanosecond', async () => {
      const where = createAnd([createTimeComparison('>=', START_NS + 3n), createTimeComparison('<', START_NS + 4n)]);
      const [result] = await client.ask(
        createSelect({ columns: [createColumn('at')], from: [createMeasurement('quoting')], ...(where && { where }) })
      );
      expect(result?.series?.[0]?.values).toEqual([['2023-11-14T22:13:20.123456792Z', 3]]);
    });

    it('still has every row', async () => {
      const { results } = await client.post('SELECT count("at") FROM "quoting"');
      expect(results?.[0]?.series?.[0]?.values[0]?.[1]).toBe(HOSTILE.length);
    });
  });

  it.each([
    'SELECT * FROM "quoting" WHERE time > now() - 90m AND ("at" = 1 OR "name" = \'x\') ORDER BY time DESC LIMIT 5',
    'SELECT mean("at") FROM "quoting" WHERE time >= \'2023-11-14T22:13:20Z\' AND time < \'2023-11-14T22:14:20Z\' GROUP BY time(10s, -5s), "name" fill(0.0)',
    'SELECT *::field, "name"::tag FROM "joblens".."quoting" WHERE "at" > -1.5 SLIMIT 1 SOFFSET 1',
    'SELECT distinct("at") FROM (SELECT "at" FROM "quoting") LIMIT 3 OFFSET 1',
    'SELECT last(/at/) FROM /quot.*/ GROUP BY *',
    'SELECT count(*) FROM "quoting" GROUP BY /na/',
    'SHOW MEASUREMENTS ON "joblens" WITH MEASUREMENT =~ /quo/ LIMIT 1',
    'SHOW TAG VALUES FROM "quoting" WITH KEY IN ("name", "x") WHERE "name" != \'plain\' LIMIT 2 OFFSET 1',
    'SHOW FIELD KEYS FROM "quoting" LIMIT 1',
    'SHOW SERIES FROM "quoting" WHERE "name" = \'plain\'',
    'SHOW TAG KEYS ON "joblens" FROM "quoting"',
    'SHOW RETENTION POLICIES ON "joblens"',
    'SHOW DATABASES',
    'CREATE DATABASE "another one"',
  ])('takes what is printed: %s', async (text) => {
    const parsed = parseQuery(text);
    expect(parsed.ok && printStatements(parsed.value)).toBe(text);
    const { results, error } = await client.post(text);
    expect([error, results?.[0]?.error]).toEqual([undefined, undefined]);
  });

  it.each([
    'SELECT user FROM job',
    'foo',
    'SELECT a FROM m SELECT b FROM m',
    'SELECT a FROM m\nWHERE\n  b =~ 5',
    'SELECT a FROM m LIMIT x',
    'SELECT a FROM m LIMIT -1',
    'SELECT a FROM m WHERE (b = 1',
    'SELECT a FROM m WHERE b = 99999999999999999999',
    'SELECT 😀',
    'SHOW FIELD KEYS WHERE a=1',
    'SHOW FOO',
    'SELECT a FROM m WHERE AND',
    'SELECT a FROM m GROUP time',
  ])('refuses %j in the same words', async (text) => {
    const parsed = parseQuery(text);
    expect((await client.post(text)).error).toBe(parsed.ok ? undefined : parsed.error.message);
  });
});
