import { isDeepStrictEqual } from 'node:util';
import { restrict, type Rights } from '@joblens/core/gateway/restrict';
import type { StatementResult } from '@joblens/core/influxql/response';
import { describeWith } from '../components.js';
import { query, write } from '../conformance/request.js';
import { startStoreUnderTest, type StoreUnderTest } from '../store-under-test.js';

const ANN: Rights = { kind: 'some', users: ["ann's (1)"], jobs: [] };
const HIDDEN = "of bob's-a.b";
const NAME = `"${HIDDEN}"`;
const OTHER = 'gpu load';

/** What bob has, in a measurement where ann's points have `own`. */
const STORES = [
  { measurement: 'job_metadata', own: '1.5', hidden: '1' },
  { measurement: 'job_metadata_bucket', own: '1.5', hidden: '1' },
  { measurement: 'job_event', own: '1.5', hidden: '1' },
  { measurement: 'job_metadata_text', own: '"y"', hidden: '"y"' },
  ...['1', '1i', '"y"', 'true'].map((hidden) => ({ measurement: OTHER, own: '1.5', hidden })),
];

const COMPARED = [
  ...["= 'y'", "!= 'y'", "= ''", "!= ''", "> 'a'", '=~ /y/', '!~ /y/', '=~ /^$/', '=~ /.*/'],
  ...['= 1', '!= 1', '< 1', '>= -5', '= true', '!= true', '!= false'],
];
const CASTS = ['', '::field', '::tag', '::float', '::string', '::boolean'];
const CONDITIONS = CASTS.flatMap((cast) => COMPARED.map((compared) => `${NAME}${cast} ${compared}`));

const IN_TIME = 'time >= 0 AND time < 4s GROUP BY time(1s)';
const TAILS = ['', ' GROUP BY "job"', ` GROUP BY ${NAME}`, ' GROUP BY *', ' LIMIT 1', ' ORDER BY time DESC'].map(
  (tail) => ` WHERE time > 0${tail}`
);
const FILLS = ['', ' fill(0)', ' fill(7)', ' fill(none)', ' fill(linear)', ', "job" fill(previous)'].map(
  (fill) => ` WHERE ${IN_TIME}${fill}`
);
const COLUMNS = CASTS.slice(0, 2).flatMap((cast) => {
  const x = `${NAME}${cast}`;
  return [
    ...[x, `"own", ${x}`, `${x} AS "own", "own" AS "b"`, '*', '*::field', '/o.*/'],
    ...[
      'count',
      'first',
      'last',
      'distinct',
      'mode',
      'mean',
      'sum',
      'max',
      'spread',
      'median',
      'derivative',
      'elapsed',
    ].map((call) => `${call}(${x})`),
    ...[`count(${x}), count("own")`, `count(distinct(${x}))`, `max("own"), ${x}`, `top("own", ${x}, 2)`, 'count(*)'],
    ...[`sum("own") + sum(${x})`, `mean("own"), mean(${x})`, `derivative(mean(${x}))`, `percentile(${x}, 50)`],
  ];
});
/** Types of other programs' fields are not known: two that are read at once tell of each other (docs/gateway.md). */
const PAIRS = [`last(${NAME}), last("own")`, `first("own"), last(${NAME}::field)`, `${NAME} + "own"`];
const INNER = [
  `${NAME} AS "a"`,
  `"own", ${NAME} AS "a"`,
  `last(${NAME}) AS "a", last("own") AS "own"`,
  `max(${NAME}) AS "a"`,
];
const OUTER = ['"a"', '"own"', 'count("a")', 'max("own"), "a"', '*', `"a", ${NAME}`];

function listStatements(measurement: string): readonly string[] {
  const from = `FROM "${measurement}"`;
  const shown = [
    'TAG VALUES ^ WITH KEY = "job"',
    'SERIES ^',
    'TAG KEYS ^',
    'MEASUREMENTS',
    'TAG VALUES CARDINALITY ^ WITH KEY = "job"',
  ];
  const others = measurement === OTHER ? [] : PAIRS;
  const inner = measurement === OTHER ? INNER.slice(0, 1) : INNER;
  return [
    ...CONDITIONS.map((condition) => `SELECT "own" ${from} WHERE ${condition}`),
    ...CONDITIONS.map((condition) => `SELECT "own" ${from} WHERE "own" > 100 OR ${condition}`),
    ...CONDITIONS.map((condition) => `SELECT mean("a") FROM (SELECT "own" AS "a" ${from} WHERE ${condition})`),
    ...CONDITIONS.flatMap((condition) =>
      shown.flatMap((what) => [
        `SHOW ${what.replace('^', from)} WHERE ${condition}`,
        `SHOW ${what.replace('^', from)} WHERE "job" = 'of ann' OR ${condition}`,
      ])
    ),
    ...[...COLUMNS, ...others].flatMap((columns) => TAILS.map((tail) => `SELECT ${columns} ${from}${tail}`)),
    ...[...COLUMNS, ...others].flatMap((columns) => FILLS.map((tail) => `SELECT ${columns} ${from}${tail}`)),
    ...OUTER.flatMap((outer) =>
      inner.flatMap((columns) => {
        const source = `SELECT ${columns} ${from} WHERE time < 4s`;
        return ['', ` WHERE "a" != 'y'`, ` WHERE "a" = ''`, ` WHERE "a" !~ /y/`, ' WHERE "a" != 1'].map(
          (tail) => `SELECT ${outer} FROM (${source})${tail}`
        );
      })
    ),
    'SHOW FIELD KEYS',
    `SHOW FIELD KEYS ${from}`,
  ];
}

describeWith(['influxd'], 'the name of a field that only others have', () => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await startStoreUnderTest();
  });
  afterAll(() => store.stop());

  /** Many statements at once; InfluxDB executes none behind one that fails. */
  async function ask(statements: readonly string[], database: string): Promise<readonly StatementResult[]> {
    const found: StatementResult[] = [];
    while (found.length < statements.length) {
      const text = statements.slice(found.length, found.length + 100).join('; ');
      const { body } = await query(store.url, text, { database, parameters: { epoch: 'ns' } });
      const { results = [] } = JSON.parse(body) as { readonly results?: readonly StatementResult[] };
      if (results.length === 0) throw new Error(`${text} gave ${body}`);
      const failed = results.findIndex(({ error }) => error !== undefined);
      found.push(...results.slice(0, failed === -1 ? undefined : failed + 1));
    }
    return found.map((one) => ({ ...one, statement_id: 0 }));
  }

  /** What a gateway answers to each, or the rule of its refusal. */
  async function askAs(texts: readonly string[], database: string): Promise<readonly unknown[]> {
    const options = { database, measurements: [OTHER], nowNs: 10_000_000_000n };
    const asked = texts.map((text) => restrict(text, ANN, options));
    const steps = asked.map((one) => (one.kind === 'refused' ? undefined : one.steps[0]));
    const lists = steps.map((step) =>
      step === undefined ? [] : step.kind === 'ask' ? [step.statement] : step.statements
    );
    const results = await ask(lists.flat(), database);
    let next = 0;
    return asked.map((one, at) => {
      const own = results.slice(next, (next += lists[at]?.length ?? 0));
      const step = steps[at];
      return one.kind === 'refused' ? one.rule : step?.kind === 'answer' ? step.answer(own) : own[0];
    });
  }

  test.each(STORES)('is as one that nobody has: $hidden in $measurement', async ({ measurement, own, hidden }) => {
    const of = (user: string, fields: string, s: number): string =>
      `${measurement.replace(' ', '\\ ')},job=of\\ ${user.slice(0, 3)},user=${user} ${fields} ${s}000000000`;
    const ann = [of("ann's\\ (1)", `own=${own}`, 1), of("ann's\\ (1)", `own=${own}`, 2)];
    const bob = of('bob', `own=${own},${HIDDEN.replaceAll(' ', '\\ ')}=${hidden}`, 1);
    const stores = { own: ann, whole: [...ann, bob] };
    for (const [database, lines] of Object.entries(stores)) {
      await query(store.url, `DROP DATABASE "${database}"`);
      await query(store.url, `CREATE DATABASE "${database}"`);
      expect((await write(store.url, lines.join('\n'), { parameters: { db: database } })).status).toBe(204);
    }
    const texts = listStatements(measurement);
    const [alone, seen] = [await askAs(texts, 'own'), await askAs(texts, 'whole')];
    const differing = texts.flatMap((text, at) =>
      isDeepStrictEqual(seen[at], alone[at]) ? [] : [[text, alone[at], seen[at]]]
    );
    expect(differing).toEqual([]);
    const rules = new Set(seen.filter((one) => typeof one === 'string'));
    // Only what cannot be told apart otherwise is refused.
    expect([...rules].filter((rule) => !['tag-or-field', 'wildcard', 'buckets'].includes(rule))).toEqual([]);
  });
});
