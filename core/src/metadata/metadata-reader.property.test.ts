import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import type { TableStats } from '../table/table-stats.js';
import { createTableStats, foldRow } from '../table/table-stats.js';
import { formatPoint } from '../point/line-protocol.js';
import { parseLineProtocol } from '../point/parse-line-protocol.js';
import { createLogLineFormatter } from '../schema/log-point.js';
import { createLogPoints } from '../schema/log-point.js';
import { createMetadataPoints } from '../schema/metadata-point.js';
import { createSeriesName } from '../schema/series-name.js';
import type { NonfiniteOption } from '../table/metadata-row.js';
import { createMetadataReader } from './metadata-reader.js';
import { parsePrintedRow } from './parse-metadata.js';

const RUNS = randomCases(500);
const SOURCE = { job: 'alpha,1 é', user: 'ann' };
const START_NS = 1_700_000_000_000_998_123n;

/** The result of one job's output: its points as line protocol, and the statistics of each table. */
interface Stored {
  readonly text: string;
  readonly stats: ReadonlyMap<string, TableStats>;
}

function openTable(stats: Map<string, TableStats>, series: string): TableStats {
  const table = stats.get(series) ?? createTableStats();
  stats.set(series, table);
  return table;
}

/** The law: each line by itself, through points. */
function storeByPoints(lines: readonly string[], nonfinite: NonfiniteOption): Stored {
  const stats = new Map<string, TableStats>();
  let text = '';
  lines.forEach((line, i) => {
    const timeNs = START_NS + BigInt(i) * 1000n;
    const points = createLogPoints(SOURCE, { stream: 'stdout', line, kind: 'output', timeNs });
    const printed = parsePrintedRow(line, { nonfinite });
    if (printed !== undefined) {
      const { row, jsonKeys } = printed;
      const series = createSeriesName(row.keys());
      points.push(...createMetadataPoints(SOURCE, series, row, timeNs));
      foldRow(openTable(stats, series), row, jsonKeys);
    }
    text += points.map((point) => `${formatPoint(point)}\n`).join('');
  });
  return { text, stats };
}

/** The same by the reader. */
function storeByReader(lines: readonly string[], nonfinite: NonfiniteOption): Stored {
  const reader = createMetadataReader(SOURCE);
  const formatter = createLogLineFormatter(SOURCE, 'stdout');
  const stats = new Map<string, TableStats>();
  let stored = '';
  let points = 0;
  lines.forEach((line, i) => {
    const timeText = String(START_NS + BigInt(i) * 1000n);
    const metadata = reader.read(line, { nonfinite });
    const formatted = metadata?.formatPoints(timeText);
    stored += formatter.format(line, 'output', timeText) + (formatted?.text ?? '');
    points += 1 + (formatted?.points ?? 0);
    if (metadata !== undefined) {
      expect([...metadata.toRow().keys()]).toEqual(metadata.keys);
      metadata.foldInto(openTable(stats, metadata.series));
    }
  });
  expect(points).toBe(readPoints(stored).length);
  return { text: stored, stats };
}

function readPoints(text: string): readonly unknown[] {
  const { points, errors } = parseLineProtocol(text, { precision: 'ns', defaultTimeNs: 0n });
  expect(errors).toEqual([]);
  return points;
}

function describeStats(stats: ReadonlyMap<string, TableStats>): unknown {
  return [...stats].map(([series, table]) => [series, table.rows, [...table.columns]]);
}

const decimal = fc
  .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^(0|[1-9][0-9]{0,18})$/), fc.stringMatching(/^(\.[0-9]{1,24})?$/))
  .map((parts) => parts.join(''));
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? '-0' : String(value))),
  fc.integer().map(String),
  fc.integer({ min: 0, max: 99_999_999 }).map((value) => `0.${value}`),
  decimal,
  fc.tuple(decimal, fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/)).map((parts) => parts.join('')),
  fc.constantFrom('-0', '-0.0', '0.10', '1.0', '1e400', '1e-05', '9007199254740993', '9007199254740991.5', '0.0000001'),
  fc.constantFrom(
    '-',
    '01',
    '1.',
    '.5',
    '+1',
    '1e',
    '1e+',
    '0x1',
    '1_0',
    '--1',
    '1.2.3',
    'NaN',
    '-Infinity',
    'Infinity'
  )
);
const text = fc.oneof(
  fc.string({ maxLength: 6 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 3 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '"train"',
    '"a,b: {}"',
    '"C:\\\\dir"',
    '"\\ud800"',
    '"\t"',
    '"a',
    '"\\u0041"',
    `"${'long '.repeat(40)}"`
  )
);
const scalar = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 2, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null', 'nul', 'True', '') }
);
const value = fc.oneof(
  { weight: 12, arbitrary: scalar },
  {
    weight: 1,
    arbitrary: fc.constantFrom('[]', '[1, "a"]', '{}', '{"b": 1}', '{"b": {"c": 2}, "d": "x"}', '{"b.c": 1}'),
  }
);
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'a.b', 'a.b.c', 'epoch', 'loss', 'time', '_x', '10', '', '__proto__', 'x y', 'a,b=c'),
  fc.constantFrom('\\u0061', '\\ud83d\\ude00', '\\ud800', 'a\\nb', '\\"', '\\\\', 'é', '\t')
);

/** How the lines of one table are printed: `{"a": …, "b": …}` with holes. */
const format = fc
  .tuple(
    fc.array(key, { minLength: 1, maxLength: 5 }),
    fc.constantFrom([': ', ', '], [':', ','], [' : ', ' ,\t'], [':  ', ', ']),
    fc.constantFrom('{}', '{ }', '{ } ', ' {}')
  )
  .map(([keys, [colon = '', comma = ''], braces]) => {
    const [open = '', close = ''] = braces.split('}');
    const isNested = keys.length > 3 && colon === ': ';
    return (values: readonly string[]) => {
      const members = keys.map((name, i) => `"${name}"${colon}${values[i] ?? '0'}`);
      const inner = isNested ? [`"n"${colon}{${members.slice(0, 2).join(comma)}}`, ...members.slice(2)] : members;
      return `${open}${inner.join(comma)}}${close}`;
    };
  });

/** Lines of a few tables, mixed. Most are alike, some are damaged. */
const output = fc
  .tuple(
    fc.array(format, { minLength: 1, maxLength: 3 }),
    fc.array(
      fc.record({
        table: fc.nat({ max: 2 }),
        values: fc.array(fc.oneof({ weight: 3, arbitrary: number }, { weight: 1, arbitrary: value }), {
          minLength: 5,
          maxLength: 5,
        }),
        damage: fc.option(fc.tuple(fc.nat({ max: 60 }), fc.constantFrom('', '"', '}', ',', ' ', '\\', '0', 'é', ':')), {
          freq: 12,
        }),
      }),
      { minLength: 1, maxLength: 14 }
    )
  )
  .map(([formats, rows]) => {
    const lines = rows.map(({ table, values, damage }) => {
      const line = formats[table % formats.length]?.(values) ?? '';
      if (damage === null) {
        return line;
      }
      const [at, insert] = damage;
      return line.slice(0, at) + insert + line.slice(at + 1);
    });
    return lines.map((line) => line.replaceAll('\n', ''));
  });

const nonfinite = fc.constantFrom<NonfiniteOption>('log', 'metadata');

describe('MetadataReader', () => {
  it('stores any output as its lines by themselves are stored', () => {
    fc.assert(
      fc.property(output, nonfinite, (lines, option) => {
        const expected = storeByPoints(lines, option);
        const found = storeByReader(lines, option);
        expect(found.text).toBe(expected.text);
        expect(describeStats(found.stats)).toEqual(describeStats(expected.stats));
      }),
      { numRuns: RUNS }
    );
  });
});
