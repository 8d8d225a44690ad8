import type { Statement } from '@joblens/core/influxql/nodes';
import { printStatement } from '@joblens/core/influxql/print';
import type { StatementResult } from '@joblens/core/influxql/response';
import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import { lastValueFrom, of } from 'rxjs';
import { readJoblensMeta, toPlainFields } from '../../../test/frame-table.js';
import { compilePattern, formatStorePattern } from '../../patterns/compile-pattern.js';
import { createGraphs } from '../../views/graph/model/lines/graphs.js';
import { createTables } from '../../views/parts/components/tables.js';
import type { RunContext } from '../parts/query-type.js';
import { readRuleRows } from './rule-rows.js';

const T0 = 1_700_000_000_000_000_000n;
const NS_PER_LINE = 1_000_000n;
const COLUMNS = ['time', 'line', 'ansi', 'kind', 'part', 'stream', 'task', 'job', 'user'];
const LOSS = { regex: String.raw`^\s*step\s+(?<step>\d+): loss=(?<loss>[-+.\w]+)(?:\s|$)` };

/** A store with these lines, a millisecond apart, which counts all of them. */
function createStore(lines: readonly string[], streamOf: (line: string) => string) {
  const sent: string[] = [];
  const rows = lines.map((line, at) => {
    const time = formatRfc3339Nano(T0 + BigInt(at) * NS_PER_LINE);
    return {
      timeNs: T0 + BigInt(at) * NS_PER_LINE,
      row: [time, line, null, 'output', null, streamOf(line), null, '7', 'ann'],
    };
  });
  const answer = (statement: Statement): StatementResult => {
    const text = printStatement(statement);
    sent.push(text);
    if (text.includes('count('))
      return {
        statement_id: 0,
        series: [
          { name: 'job_log', columns: ['time', 'rows', 'parts'], values: [[formatRfc3339Nano(T0), lines.length, 0]] },
        ],
      };
    const limit = Number(/LIMIT (\d+)/.exec(text)?.[1]);
    const before = /time < '([^']+)'/.exec(text)?.[1];
    // The reader asks beyond the edge for the parts of long lines.
    const left = rows.filter(({ row }) => before === undefined || String(row[0]) < before);
    return {
      statement_id: 0,
      series: [
        {
          name: 'job_log',
          columns: COLUMNS,
          values: left
            .reverse()
            .slice(0, limit)
            .map(({ row }) => row),
        },
      ],
    };
  };
  const context = {
    client: { query: (statements: readonly Statement[]) => of(statements.map(answer)) },
    newestRows: {
      read: (asked: ReadonlyArray<{ select: (range: object) => Statement }>) =>
        of(asked.map(({ select }) => answer(select({})))),
    },
    nowMs: 0,
    monotonicMs: 0,
  };
  return { sent, context: context as unknown as RunContext };
}

function read(
  lines: readonly string[],
  rule: MetadataKind,
  limit = 100_000,
  streamOf: (line: string) => string = () => 'stdout'
) {
  const { sent, context } = createStore(lines, streamOf);
  const request = { refId: 'A', rule, job: ['7'], order: 'desc' as const, limit };
  return lastValueFrom(readRuleRows(request, context)).then((frames) => ({ sent, frames }));
}

describe('readRuleRows', () => {
  it('makes a table of the lines that match, oldest first, with an X', async () => {
    const { sent, frames } = await read(['step 1: loss=0.5', 'step 2: loss=nan', 'step 3: loss=1e-3'], LOSS);
    expect(sent).toEqual([
      String.raw`SELECT "line", "ansi", "kind", "part", "stream", "task", "job", "user" FROM "job_log" WHERE "job" = '7' AND "kind" = 'output' AND "line" =~ /(?:)^\s*step\s+(?:\d+): loss=(?:[-+.\w]+)(?:\s|$)/ ORDER BY time DESC LIMIT 10001`,
    ]);
    expect(frames.map(({ name }) => name)).toEqual(['step, loss']);
    expect(toPlainFields(frames[0]).slice(1)).toEqual([
      ['step', 'number', 1, 2, 3],
      ['loss', 'number', 0.5, NaN, 0.001],
    ]);
    expect(readJoblensMeta(frames[0])).toMatchObject({
      ...{ kind: 'metadata', job: '7', user: 'ann', series: 'loss,step', totalRows: 3, limited: false },
      x: { key: 'step' },
    });
    // In printed order, with a mark at the value that is not finite.
    const [graph] = createGraphs(createTables(frames), { kind: 'auto' });
    expect(graph?.lines.map(({ name, nonFinite }) => [name, nonFinite])).toEqual([
      ['loss', [{ x: 2, index: 1, value: NaN }]],
    ]);
  });

  it.each<[string, (line: string) => string, boolean]>([
    ['all rows are in stderr', () => 'stderr', true],
    ['some are', (line) => (line.includes('2') ? 'stderr' : 'stdout'), false],
    ['none is', () => 'stdout', false],
  ])('warns that the rule has no effect on stderr if %s', async (_when, streamOf, isWarned) => {
    const { frames } = await read(['step 1: loss=0.5', 'step 2: loss=0.4'], LOSS, 100_000, streamOf);
    const warnings = frames[0]?.meta?.notices?.filter(({ severity }) => severity === 'warning') ?? [];
    expect(warnings.map(({ text }) => text)).toEqual(
      isWarned ? [expect.stringMatching(/^These lines are in stderr/)] : []
    );
  });

  it('reads page by page, and says how many rows are left out', async () => {
    const lines = Array.from({ length: 25_000 }, (_, at) => `step ${at}: loss=${at}`);
    const { sent, frames } = await read(lines, LOSS, 21_000);
    expect(sent.map((text) => /LIMIT \d+|count/.exec(text)?.[0])).toEqual([
      ...['LIMIT 10001', 'LIMIT 10001', 'LIMIT 1001', 'count'],
    ]);
    const steps = toPlainFields(frames[0])[1]?.slice(2) ?? [];
    expect([steps.length, steps[0], steps.at(-1)]).toEqual([21_000, 4000, 24_999]);
    expect(frames[0]?.meta?.notices?.map(({ text }) => text)).toEqual([
      'The newest 21,000 of 25,000 rows of step, loss.',
    ]);
  });

  it('reads presets in the order of the lines', async () => {
    const { sent, frames } = await read(['Step Temp Press', '0 1.5 2', '10 1.25 3'], { preset: 'lammps' });
    expect(sent[0]).not.toContain('=~');
    expect(frames).toHaveLength(1);
    expect(toPlainFields(frames[0])[2]).toEqual(['Temp', 'number', 1.5, 1.25]);
  });

  it('gives nothing where no line matches', async () => {
    expect((await read([], LOSS)).frames).toEqual([]);
  });
});

describe('compilePattern', () => {
  it('reads groups by name, those without text as empty', () => {
    const compiled = compilePattern(String.raw`\(?<a=(?P<a>\d+)(?: b=(?<b>\d+))?`);
    expect(compiled.ok && [compiled.value.names, compiled.value.match('<a=1')]).toEqual([
      ['a', 'b'],
      ['1', ''],
    ]);
  });

  it('says what is wrong', () => {
    expect(compilePattern('(').ok).toBe(false);
  });

  it('takes the names away for the store', () => {
    expect(formatStorePattern(String.raw`\(?<x(?<a>\d+)`)).toBe(String.raw`\(?<x(?:\d+)`);
  });
});

describe('a rule that somebody put into a link', () => {
  it('takes time that grows with the lines alone', async () => {
    const lines = ['a', 'x '].map((part) => `${part.repeat(5000)}!`);
    for (const regex of ['(?<n>(a+)+)$', '^(?<n>(\\w+\\s?)*)$', '\\w*\\w*\\w*\\w*\\w*(?<n>\\d)'])
      await expect(read(lines, { regex })).resolves.toMatchObject({ frames: [] });
  });

  it.each([
    ['(?<n>(.?a?){1000})', 'The expression would take too long'],
    ['(?<n>\\d+)(?!x)', 'RE2 has neither look-around nor back-references'],
    ['(', 'The expression is not valid'],
  ])('is refused where it is %p', (regex, reason) => {
    expect(() => read(['1'], { regex })).toThrow(reason);
  });
});
