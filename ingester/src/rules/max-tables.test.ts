import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { parseJobState } from '../pipeline/job-state.js';
import {
  createPipelineUnderTest,
  type PipelineOptions,
  type PipelineUnderTest,
} from '../testing/pipeline-under-test.js';
import { readLog } from '../testing/stored-points.js';

const limits = { bytesPerSecond: 1e12, linesPerSecond: 1e12, maxTables: 10 };
const options: PipelineOptions = { limits, isResumable: true };

const rows = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `{"step": ${i}, "key-${from + i}.(": 9007199254740993}\n`).join('');

function listSeries(test: PipelineUnderTest): Set<string | undefined> {
  return new Set(test.stored().flatMap(({ tags }) => tags.get('series') ?? []));
}

const listRows = (test: PipelineUnderTest): unknown[] =>
  test
    .stored()
    .flatMap(({ measurement, fields }) => (measurement === 'job_metadata_text' ? (fields.get('row') ?? []) : []));

const countNotices = (test: PipelineUnderTest): number =>
  readLog(test.stored()).filter((line) => line.includes('different sets of keys')).length;

it('keeps the rows beyond the tables of a job whole, as text, in one table', async () => {
  const test = createPipelineUnderTest(options);
  await test.write('stdout', `${rows(0, 10)}${rows(0, 10)}`);
  expect([listSeries(test).size, countNotices(test)]).toEqual([10, 0]);
  await test.write(
    'stdout',
    `{"a": {"b": [1, null], "é \\"": "x"}, "c": 1e999}\n{"d": 1, "e": "f g"}\n${rows(10, 300).repeat(3)}`
  );
  await test.write('stdout', rows(0, 10));
  test.pipeline.commit();
  const [first, second] = listRows(test);
  expect(first).toBe('{"a":{"b":[1,null],"é \\"":"x"},"c":1e999}');
  expect(second).toBe('{"d":1,"e":"f g"}');
  expect(listRows(test)).toHaveLength(902);
  expect(listRows(test)).toContain('{"step":299,"key-309.(":9007199254740993}');
  expect([listSeries(test).size, countNotices(test)]).toEqual([11, 1]);
  test.end();
});

it('counts the tables after a restart, and says it once', async () => {
  const test = createPipelineUnderTest(options);
  await test.write('stdout', rows(0, 12));
  test.pipeline.commit();
  const values = test.records.flatMap(({ states }) => states.map(({ value }) => value));
  const next = createPipelineUnderTest({ ...options, state: parseJobState(values), clock: test.clock });
  await next.write('stdout', rows(5, 10));
  next.end();
  expect(listRows(next)).toHaveLength(5);
  expect([countNotices(test), countNotices(next)]).toEqual([1, 0]);
});

it('has no limit where none is asked for', async () => {
  const test = createPipelineUnderTest({ ...options, limits: { ...limits, maxTables: Infinity } });
  await test.write('stdout', rows(0, 1200));
  test.end();
  expect([listSeries(test).size, countNotices(test)]).toEqual([1200, 0]);
});

/** What the rows became, in their order: the table of each, and its values. */
function listStoredRows(test: PipelineUnderTest): string[] {
  const rowsOnly = test.stored().filter(({ measurement }) => /^job_metadata(_text)?$/.test(measurement));
  return rowsOnly.map(({ tags, fields }) => `${tags.get('series') ?? ''}: ${JSON.stringify([...fields])}`);
}

it('finds room for the same tables, however the output is cut', async () => {
  const line = fc
    .tuple(
      fc.subarray(['a', 'b-.(', 'é "', 'd'], { minLength: 1 }),
      fc.constantFrom('1', '-2.5', '"x y"', '1e999', 'null')
    )
    .map(([keys, value]) => `{${keys.map((key) => `${JSON.stringify(key)}: ${value}`).join(', ')}}\n`);
  const output = fc
    .array(fc.tuple(line, fc.integer({ min: 1, max: 40 })))
    .map((runs) => runs.map(([text, times]) => text.repeat(times)).join(''));
  const store = async (pieces: readonly string[], maxTables: number): Promise<string[]> => {
    const test = createPipelineUnderTest({ ...options, limits: { ...limits, maxTables } });
    for (const piece of pieces) await test.write('stdout', piece);
    test.end();
    return listStoredRows(test);
  };
  await fc.assert(
    fc.asyncProperty(output, fc.integer({ min: 1, max: 6 }), async (text, maxTables) => {
      const lines = text.split(/(?<=\n)/);
      expect(await store([text], maxTables)).toEqual(await store(lines, maxTables));
    }),
    { numRuns: randomCases(30) }
  );
});
