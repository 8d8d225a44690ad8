import { restrict, type Step } from '@joblens/core/gateway/restrict';
import type { QueryResponse, ResultSeries, StatementResult } from '@joblens/core/influxql/response';
import fc from 'fast-check';
import { describeWith } from '../components.js';
import { normalizeJson } from '../conformance/normalize.js';
import { randomQueries } from '../conformance/random-input.js';
import { query, write } from '../conformance/request.js';
import { startEmbeddedStore } from '../conformance/targets.js';
import { randomCases } from '../random-cases.js';
import { startStoreUnderTest, type StoreUnderTest } from '../store-under-test.js';
import {
  formatPoints,
  isNamed,
  isVisible,
  OTHERS,
  ownField,
  randomMeasurements,
  randomPoints,
  randomRights,
  renameQuery,
  USERS,
} from './random-store.js';

const STORES = [
  { name: 'InfluxDB 1.6', start: startStoreUnderTest, usualRuns: 20 },
  { name: 'the embedded store', start: startEmbeddedStore, usualRuns: 10 },
];

/** Each field of these has a name that a user gave. */
const WITH_OWN_FIELDS: ReadonlySet<string> = new Set(['job_metadata', 'job_metadata_text', 'job_event', ...OTHERS]);

describeWith(['influxd'], 'what somebody sees of a store of many', () => {
  describe.each(STORES)('$name', ({ start, usualRuns }) => {
    let store: StoreUnderTest;
    let databases = 0;
    beforeAll(async () => {
      store = await start();
    });
    afterAll(() => store.stop());

    async function fill(points: string): Promise<string> {
      databases += 1;
      const database = `d${databases}`;
      await query(store.url, `CREATE DATABASE ${database}`);
      if (points !== '') expect((await write(store.url, points, { parameters: { db: database } })).status).toBe(204);
      return database;
    }

    async function ask(text: string, database: string): Promise<readonly StatementResult[]> {
      const { body } = normalizeJson(await query(store.url, text, { database, parameters: { epoch: 'ns' } })) as {
        readonly body: readonly QueryResponse[];
      };
      const [{ results, error } = {}] = body;
      return results ?? [{ statement_id: 0, ...(error !== undefined && { error }) }];
    }

    async function take(step: Step, database: string): Promise<Partial<StatementResult>> {
      if (step.kind === 'ask') return (await ask(step.statement, database))[0] ?? {};
      return step.answer(step.statements.length === 0 ? [] : await ask(step.statements.join('; '), database));
    }

    it('is what a store of their points alone answers', async () => {
      const counts = { same: 0, refused: 0, filled: 0 };
      await fc.assert(
        fc.asyncProperty(
          ...[randomPoints(), randomRights(), randomQueries(), fc.array(randomMeasurements, { minLength: 40 })],
          async (points, rights, texts, measurements) => {
            const whole = await fill(formatPoints(points));
            const own = await fill(formatPoints(points.filter((one) => isVisible(one, rights))));
            const named = await fill(formatPoints(points.filter((one) => isNamed(one, rights))));
            const hidden = USERS.filter(
              (user) => ![...rights.users, ...rights.jobs.map((one) => one.user)].includes(user)
            );
            for (const [at, template] of texts.entries()) {
              const text = renameQuery(template, measurements[at] ?? ['job_metadata', 'job_log']);
              const restricted = restrict(text, rights, {
                database: whole,
                measurements: OTHERS,
                nowNs: BigInt(Date.now()) * 1_000_000n,
              });
              if (restricted.kind === 'refused') {
                expect([text, restricted.rule]).toEqual([
                  text,
                  expect.stringMatching(/^(?:buckets|wildcard|measurement-regex|mixed-sources|tag-or-field)$/),
                ]);
                counts.refused += 1;
                continue;
              }
              const [step] = restricted.steps as [Step];
              const seen = describeResult(text, await take(step, whole));
              // The embedded store refuses a field there, and only the whole store may have one of that name.
              if (JSON.stringify(seen).includes('invalid tag comparison operator')) continue;
              const alone = describeResult(
                text,
                (await ask(castFields(text), text.startsWith('SHOW') ? named : own))[0] ?? {}
              );
              expectSame(`${text}\n${JSON.stringify(step)}`, seen, alone);
              for (const user of hidden) expect(JSON.stringify(seen)).not.toContain(ownField(user));
              counts.same += 1;
              if (JSON.stringify(alone).includes('values')) counts.filled += 1;
            }
            for (const database of [whole, own, named]) await query(store.url, `DROP DATABASE ${database}`);
          }
        ),
        { numRuns: randomCases(usualRuns), endOnFailure: true }
      );
      // Most are answered, and some have something to answer.
      expect(counts.refused).toBeLessThan(counts.same / 2);
      expect(counts.filled).toBeGreaterThan(0);
      if (process.env['JOBLENS_TEST_SIZE'] !== undefined) process.stderr.write(`${JSON.stringify(counts)}\n`);
    }, 600_000);
  });
});

/**
 * A result without what a store of one's own points cannot know: that others have a column or tag, which then has no
 * value, and the fields that Joblens gives to a measurement.
 */
function describeResult(text: string, result: Partial<StatementResult>): unknown {
  const { series = [], error } = result;
  // What computes with texts fails where there are any; the gateway knows where there are texts alone.
  if (/^(?:unsupported \w+ iterator type|type error): /.test(error ?? '')) return { series: [] };
  if (error !== undefined) return { error };
  const isFields = text.startsWith('SHOW FIELD KEYS');
  return { series: series.filter(({ name }) => !isFields || WITH_OWN_FIELDS.has(name)).map(leaveOutEmpty) };
}

function leaveOutEmpty({ columns, values, tags, ...rest }: ResultSeries): unknown {
  const used = columns.flatMap((_, at) => (values.some((row) => row[at] !== null) ? [at] : []));
  return {
    ...rest,
    tags: Object.fromEntries(Object.entries(tags ?? {}).filter(([, value]) => value !== '')),
    columns: used.map((at) => columns[at]),
    values: values.map((row) => used.map((at) => row[at])),
  };
}

/**
 * The question to a store of one's own points. A name that is a field of nobody there would be an empty tag; the
 * gateway knows the tags of Joblens's measurements, and takes the rest for fields, of the type that is compared; for
 * tags in SHOW. What others write has each field.
 */
function castFields(text: string): string {
  if (text.startsWith('SHOW')) return text.replace(/(\bjob|"user"|\bnope) (?=[=!]~? )/g, '$1::tag ');
  if (OTHERS.some((name) => text.includes(name))) return text;
  return text.replace(/\b([fgisb]|nope) (?=[=!<>~]+ (.))/g, (_, name: string, first: string) => {
    const type = /['/]/.test(first) ? 'string' : /[tf]/.test(first) ? 'boolean' : 'float';
    return `${name}::${type} `;
  });
}

function expectSame(text: string, seen: unknown, alone: unknown): void {
  try {
    expect(seen).toEqual(alone);
  } catch (cause) {
    throw new Error(`${text}\n${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
