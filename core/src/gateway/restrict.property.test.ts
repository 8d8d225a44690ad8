import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import type { Condition, SelectStatement, Statement } from '../influxql/nodes.js';
import { parseQuery } from '../influxql/parse.js';
import { printStatements } from '../influxql/print.js';
import { restrict, type Rights } from './restrict.js';

const ANN: Rights = { kind: 'some', users: ['ann'], jobs: [{ user: 'bob', job: 'x' }] };

const SEEDS = [
  'SELECT "line" FROM "job_log" WHERE "job" = \'x\' AND time > now() - 1h ORDER BY time DESC LIMIT 5',
  'SELECT mean("loss") AS "user" FROM "job_metadata" WHERE time >= 0 GROUP BY time(1m, 5s), "job" fill(previous)',
  'SELECT max("v") FROM (SELECT sum("x") AS "v" FROM "gpu load", /job_m.*/ GROUP BY "job") WHERE "user" != \'bob\'',
  'SELECT *::field, "user"::tag FROM "joblens".."job_event" WHERE ("a" =~ /b\\/c/ OR "user" = \'\') SLIMIT 1',
  'SHOW TAG VALUES FROM "job" WITH KEY IN ("job", "user") WHERE "user" !~ /^a$/ LIMIT 3 OFFSET 1',
  'SHOW MEASUREMENTS WITH MEASUREMENT =~ /job/ WHERE "job" = \'x\'; SHOW SERIES; SHOW FIELD KEYS; SHOW TAG KEYS',
  'SELECT percentile("x", 90), top("y", "host", 3) FROM "job_span"; SHOW TAG VALUES CARDINALITY WITH KEY = "job"',
];
const TOKENS = (
  `SELECT FROM WHERE AND OR INTO GROUP BY ORDER LIMIT OFFSET fill ( ) , ; . .. * = != =~ !~ < >= :: ::tag ::field + - / /.*/ /*x*/ -- ' " \\ ` +
  `\\' \\" $x 1 1.5 10s now() time "user" user 'ann' 'bob' job_log "job_metadata" "job_heartbeat" "gpu load" "_series" line SHOW DATABASES ` +
  `TAG KEYS VALUES WITH KEY IN SERIES MEASUREMENTS FIELD ON "other" DROP DELETE mean( count( AS true ␛ 😀 \n`
).split(' ');

const token = fc.constantFrom(...TOKENS);
const soup = fc.array(token, { maxLength: 25, size: 'max' }).map((tokens) => tokens.join(' '));
/** A statement with a few places cut out, doubled or replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(6), fc.oneof(token, fc.string({ maxLength: 3 }))),
      {
        minLength: 1,
        maxLength: 4,
      }
    )
  )
  .map(([seed, edits]) =>
    edits.reduce((text, [place, cut, put]) => {
      const at = Math.floor(place * text.length);
      return `${text.slice(0, at)}${put}${text.slice(at + cut)}`;
    }, seed)
  );
/** Statements as they are, in another order of their words. */
const spliced = fc
  .tuple(fc.constantFrom(...SEEDS), fc.constantFrom(...SEEDS), fc.nat(30), fc.nat(30))
  .map(([a, b, i, k]) => [...a.split(' ').slice(0, i), ...b.split(' ').slice(k)].join(' '));

/** The innermost queries, which read measurements. */
function listReadings(select: SelectStatement): readonly SelectStatement[] {
  return select.from.flatMap((source) => (source.kind === 'subquery' ? listReadings(source.select) : [select]));
}

function whereOf(statement: Statement): ReadonlyArray<Condition | undefined> {
  if (statement.kind === 'select') return listReadings(statement).map(({ where }) => where);
  return 'where' in statement || statement.kind.startsWith('showTag') || statement.kind === 'showSeries'
    ? [(statement as { readonly where?: Condition }).where]
    : [];
}

/** `("user" = 'ann' OR …)`, alone or AND the rest. */
function isRestricted(where: Condition | undefined): boolean {
  const first = where?.kind === 'and' && where.left.kind === 'or' ? where.left : where;
  const own = first?.kind === 'or' ? first.left : undefined;
  const shared = first?.kind === 'or' ? first.right : undefined;
  const isOf = (one: Condition | undefined, user: string): boolean =>
    one?.kind === 'compare' &&
    one.left.name === 'user' &&
    one.left.cast === 'tag' &&
    one.operator === '=' &&
    one.right.value === user;
  return isOf(own, 'ann') && shared?.kind === 'and' && isOf(shared.left, 'bob');
}

describe('whatever text comes', () => {
  it('is refused, or restricted wherever it reads a measurement', () => {
    const rules = new Map<string, number>();
    fc.assert(
      fc.property(fc.oneof(soup, mutated, mutated, spliced), (text) => {
        const restricted = restrict(text, ANN, { database: 'joblens', measurements: ['gpu load'], nowNs: 10n ** 18n });
        const key = restricted.kind === 'refused' ? restricted.rule : 'steps';
        rules.set(key, (rules.get(key) ?? 0) + 1);
        if (restricted.kind === 'refused') return;
        for (const step of restricted.steps) {
          for (const sent of step.kind === 'ask' ? [step.statement] : step.statements) {
            const parsed = parseQuery(sent);
            if (!parsed.ok) throw new Error(`${text} became ${sent}`);
            expect(printStatements(parsed.value)).toBe(sent);
            expect(parsed.value).toHaveLength(1);
            for (const where of parsed.value.flatMap(whereOf))
              expect([sent, isRestricted(where)]).toEqual([sent, true]);
          }
        }
      }),
      { numRuns: randomCases(5_000) }
    );
    if (process.env['JOBLENS_TEST_SIZE'] !== undefined) process.stderr.write(`${JSON.stringify([...rules])}\n`);
    expect(rules.get('steps')).toBeGreaterThan(100);
  });

  it.each([
    ['brackets', (n: number) => `SELECT a FROM job_log WHERE ${'('.repeat(n)}a = 1${')'.repeat(n)}`],
    ['comments', (n: number) => `SELECT a ${'/* x */'.repeat(n)} FROM job_log`],
    ['open comments', (n: number) => `SELECT a ${'/*'.repeat(n)} FROM job_log`],
    ['subqueries', (n: number) => `${'SELECT a FROM ('.repeat(n)}SELECT a FROM job_log${')'.repeat(n)}`],
    ['conditions', (n: number) => `SELECT a FROM job_log WHERE a = 1${' AND (b = 2 OR c = 3)'.repeat(n)}`],
    ['columns', (n: number) => `SELECT a${', a'.repeat(n)} FROM job_log`],
    ['sources', (n: number) => `SELECT a FROM job_log${', job_log'.repeat(n)}`],
    ['statements', (n: number) => 'SELECT a FROM job_log;'.repeat(n)],
    ['arithmetic', (n: number) => `SELECT a${' + a'.repeat(n)} FROM job_log`],
    ['slashes', (n: number) => `SELECT a FROM job_log WHERE a =~ /${'\\/'.repeat(n)}`],
    ['quotes', (n: number) => `SELECT "${'\\"'.repeat(n)}`],
  ])('takes time in proportion to its length: %s', (_name, create) => {
    const seconds = (n: number): number => {
      const text = create(n).slice(0, 1 << 20);
      const before = process.cpuUsage();
      restrict(text, ANN, { database: 'joblens', nowNs: 10n ** 18n });
      return process.cpuUsage(before).user / 1e6;
    };
    seconds(1000);
    // A hundred thousand of anything, within what a quadratic time would need many times over.
    expect(seconds(100_000)).toBeLessThan(5);
  });
});
