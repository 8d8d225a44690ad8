import { describeWith } from '../components.js';
import { type Influxdb, startInfluxdb } from '../influxdb.js';
import { createInfluxqlClient } from '../influxql-client.js';
import { startStrictStore, type StrictStore } from './strict-store.js';

const LINES = `\
m,g=a x=1 1
m,g=a x=2 2
m,g=b,late=yes x=3 1
m,g=b x=4 2
m,g=b x=5 3
n,g=a x=6 1
`;

describeWith(['influxd'], 'the store that stands for openGemini', () => {
  let influxdb: Influxdb;
  let store: StrictStore;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
    store = await startStrictStore(influxdb.url);
    const answer = await fetch(`${store.url}/write?db=joblens`, { method: 'POST', body: LINES });
    expect([answer.status, answer.headers.get('x-influxdb-version')]).toEqual([204, null]);
  });
  afterAll(async () => {
    await store.stop();
    await influxdb.stop();
  });

  /** The numbers of each series, or the error of the statement. */
  async function ask(text: string): Promise<unknown> {
    const { results = [] } = await createInfluxqlClient(store.url).post(text);
    return results.map(({ series = [], error }) => error ?? series.map(({ values }) => values.map((row) => row[1])));
  }

  it.each([
    ['an unwritten measurement is an error, of its statement alone', 'SELECT x FROM none; SELECT x FROM n'],
    ['also in a subquery', 'SELECT max("x") FROM (SELECT x FROM none); SELECT x FROM n'],
  ])('%s', async (_name, text) => {
    expect(await ask(text)).toEqual(['measurement not found', [[6]]]);
  });

  it.each([
    ['SELECT x FROM m GROUP BY g LIMIT 2', [[1, 2]]],
    ['SELECT x FROM m GROUP BY g LIMIT 3', [[1, 2], [3]]],
    ['SELECT x FROM m GROUP BY * LIMIT 2 OFFSET 1 SLIMIT 1', [[2], [4]]],
    ['SELECT x FROM m LIMIT 2', [[1, 3]]],
  ])('LIMIT counts the rows of all series: %s', async (text, values) => {
    expect(await ask(text)).toEqual([values]);
  });

  it.each([
    [`SELECT x FROM n WHERE late = ''`, []],
    [`SELECT x FROM n WHERE late != 'x' OR x > 6`, []],
    [`SELECT x FROM n WHERE late !~ /./`, []],
    [`SELECT x FROM n WHERE late = '' OR g = 'a'`, [[6]]],
    [`SELECT x FROM m WHERE late = '' AND g = 'b'`, [[4, 5]]],
  ])('a tag that no point of a measurement has matches nothing: %s', async (text, values) => {
    expect(await ask(text)).toEqual([values]);
  });

  it('drops series of one measurement alone', async () => {
    expect(await ask(`DROP SERIES FROM m, n WHERE g = 'none'`)).toEqual(['there must be and can only be one table']);
    expect(await ask(`DROP SERIES FROM m WHERE g = 'none'`)).toEqual([[]]);
  });

  it.each([
    [`SELECT x FROM m WHERE g !~ /^a-[0-9a-f]{10}$/`, true],
    [String.raw`SELECT x FROM m WHERE g =~ /^(x|(\d)){3,}$/`, true],
    [`SELECT x FROM m WHERE g !~ /^a-[0-9a-f]+$/`, false],
    [`SELECT x FROM m WHERE g !~ /(?:)^[0-9a-f]{10}$/`, false],
    [`SELECT x FROM m WHERE g =~ /^[ab]{1}/`, false],
  ])('ends with an expression that it would write out: %s: %s', async (text, isEnd) => {
    const mortal = await startStrictStore(influxdb.url);
    try {
      const client = createInfluxqlClient(mortal.url);
      const answered = await client.post(text).then(
        () => true,
        () => false
      );
      const isAlive = await client.post('SHOW DATABASES').then(
        () => true,
        () => false
      );
      expect([answered, isAlive, mortal.killedBy === undefined]).toEqual([!isEnd, !isEnd, !isEnd]);
    } finally {
      await mortal.stop();
    }
  });
});
