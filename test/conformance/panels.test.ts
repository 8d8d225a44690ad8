import { describeWith } from '../components.js';
import { normalizeJson } from './normalize.js';
import { PANEL_CASES, REFUSED_BY_BOTH, REFUSED_HERE } from './panel-cases.js';
import { type Answer, query, write } from './request.js';
import { type Pair, startPair } from './targets.js';

const DATABASE = 'panels of (1)';

/** `$name` in a query, and what `params` says of it. */
const BOUND: readonly (readonly [text: string, values: Readonly<Record<string, unknown>>])[] = [
  ['SELECT load FROM cpu WHERE host = $h', { h: 'a' }],
  ['SELECT load FROM cpu WHERE host = $h', { h: { string: 'a' } }],
  ['SELECT load FROM cpu WHERE host = $h', { h: "a' OR 'x' = 'x" }],
  ['SELECT load FROM cpu WHERE host = $"h (1)"', { 'h (1)': 'a' }],
  ['SELECT load FROM cpu WHERE load > $n AND jobs < $i AND up = $b', { n: 1.25, i: 5, b: true }],
  ['SELECT load FROM cpu WHERE load > $n', { n: -3 }],
  ['SELECT load FROM cpu WHERE load > $n', { n: { number: 2 } }],
  ['SELECT load FROM cpu WHERE load > $n', { n: { float: 2.5 } }],
  ['SELECT load FROM cpu LIMIT $n', { n: 2 }],
  ['SELECT load FROM cpu LIMIT $n', { n: { integer: 2 } }],
  ['SELECT percentile(load, $p) FROM cpu', { p: 50 }],
  ['SELECT load FROM cpu WHERE time > $t', { t: '1970-01-01T00:00:03Z' }],
  ['SELECT load FROM cpu WHERE time > $t', { t: 3_000_000_000 }],
  ['SELECT load FROM cpu WHERE time > $t', { t: { duration: '3s' } }],
  ['SELECT load FROM cpu WHERE time > $t', { t: { duration: 3_000_000_000 } }],
  ['SELECT mean(load) FROM cpu WHERE time > 0 AND time < 20s GROUP BY time($d)', { d: { duration: '5s' } }],
  ['SELECT derivative(load, $d) FROM cpu', { d: { duration: '1m' } }],
  ['SELECT load FROM cpu WHERE host =~ $re', { re: { regex: '^a$' } }],
  ['SELECT load FROM cpu WHERE host !~ $re', { re: { regex: 'a/b|^$' } }],
  ['SHOW TAG VALUES FROM cpu WITH KEY =~ $re', { re: { regex: '^ho' } }],
  ['SELECT load FROM $m', { m: { regex: '^cpu$' } }],
  ['SELECT load FROM $m', { m: { identifier: 'cpu' } }],
  ['SELECT $f, $g FROM cpu', { f: { identifier: 'load' }, g: { ident: 'jobs' } }],
  ['SELECT mean($f) FROM cpu GROUP BY $t', { f: { identifier: 'load' }, t: { identifier: 'host' } }],
];

const MISBOUND: readonly (readonly [text: string, values: unknown])[] = [
  ['SELECT load FROM cpu WHERE host = $h', {}],
  ['SELECT load FROM cpu WHERE host = $h', { h: null }],
  ['SELECT load FROM cpu WHERE host = $h', { h: ['a'] }],
  ['SELECT load FROM cpu WHERE host = $h', { h: {} }],
  ['SELECT load FROM cpu WHERE host = $h', { h: { odd: 'a' } }],
  ['SELECT load FROM cpu WHERE host = $h', { h: { string: 'a', integer: 4 } }],
  ['SELECT load FROM cpu WHERE host =~ $h', { h: '^a$' }],
  ['SELECT $f() FROM cpu', { f: { identifier: 'now' } }],
  ['SELECT load FROM cpu WHERE time > $t', { t: { duration: 'soon' } }],
  ['SELECT load FROM cpu WHERE host = $h', [1]],
];

const FORMS: readonly (readonly [form: string, parameters: Readonly<Record<string, string>>, accept: string])[] = [
  ['text/csv', {}, 'text/csv'],
  ['text/csv in milliseconds', { epoch: 'ms' }, 'text/csv'],
  ['text/csv in chunks', { chunked: 'true', chunk_size: '2' }, 'text/csv'],
  ['microseconds', { epoch: 'u' }, '*/*'],
  ['minutes', { epoch: 'm' }, 'text/plain'],
  ['chunks of a size that is none', { chunked: 'true', chunk_size: '0' }, '*/*'],
  ['chunks of a size that is a word', { chunked: 'true', chunk_size: 'x' }, '*/*'],
];

function hasError({ body }: Answer): boolean {
  return body.includes('"error"');
}

describeWith(['influxd'], 'what builders of panels ask the embedded store and InfluxDB 1.6 for', () => {
  let pair: Pair;
  const ask = (text: string, options = {}): Promise<{ influxdb: Answer; embedded: Answer }> =>
    pair.both((url) => query(url, text, { ...options, database: DATABASE }));

  beforeAll(async () => {
    pair = await startPair();
    await pair.both((url) => query(url, `CREATE DATABASE "${DATABASE}"`));
    const body = PANEL_CASES.find(({ name }) => name === 'arithmetic of panels')?.lines.join('\n') ?? '';
    await pair.both((url) => write(url, body, { parameters: { db: DATABASE } }));
  });
  afterAll(() => pair.stop());

  it.each(BOUND)('%s with %j', async (text, values) => {
    const { influxdb, embedded } = await ask(text, { parameters: { params: JSON.stringify(values) } });
    expect(normalizeJson(embedded)).toEqual(normalizeJson(influxdb));
    expect(hasError(embedded)).toBe(false);
  });

  it.each(MISBOUND)('%s with %j, which no engine can bind', async (text, values) => {
    const { influxdb, embedded } = await ask(text, { parameters: { params: JSON.stringify(values) } });
    expect([hasError(influxdb), hasError(embedded)]).toEqual([true, true]);
  });

  it.each(FORMS)('%s', async (_form, parameters, accept) => {
    const { influxdb, embedded } = await ask('SELECT load, note FROM cpu; SELECT used FROM mem', {
      parameters,
      accept,
    });
    expect(embedded).toEqual(influxdb);
  });

  it.each(REFUSED_BY_BOTH)('refuses %s, as InfluxDB does', async (text) => {
    const { influxdb, embedded } = await ask(text);
    expect([hasError(influxdb), hasError(embedded)]).toEqual([true, true]);
  });

  it.each(REFUSED_HERE)('refuses %s by name', async (text, words) => {
    const { influxdb, embedded } = await ask(text);
    expect(hasError(influxdb)).toBe(false);
    expect(embedded).toMatchObject({ status: 400, error: expect.stringMatching(words) as string });
  });

  it('answers statements beside one that fails as it runs', async () => {
    const { embedded } = await ask('SELECT load FROM cpu LIMIT 1; SELECT mean(note) FROM cpu; SELECT used FROM mem');
    const { results } = JSON.parse(embedded.body) as { readonly results: readonly Record<string, unknown>[] };
    expect(results.map((result) => ['series', 'error'].filter((key) => key in result))).toEqual([
      ['series'],
      ['error'],
      ['series'],
    ]);
  });

  it('sends JSON where msgpack is asked for', async () => {
    const { embedded } = await ask('SELECT load FROM cpu LIMIT 1', { accept: 'application/x-msgpack' });
    expect(embedded).toMatchObject({ status: 200, type: 'application/json' });
  });
});
