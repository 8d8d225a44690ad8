import type { Bucket, BucketFold, NonfiniteOption, Point, PrintedTable, TableStats } from '@joblens/core';
import {
  createBucketFold,
  createBucketPoints,
  createLogLineFormatter,
  createLogPoints,
  createMetadataPoints,
  createMetadataReader,
  createSeriesName,
  createTableStats,
  foldIntoBuckets,
  foldRow,
  formatBucketFold,
  formatBucketSeriesKeys,
  formatPoint,
  parseLineProtocol,
  parsePrintedRow,
  toWellFormed,
} from '@joblens/core';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { describeBuckets } from '../testing/bucket-law.js';
import { openLineKernel } from './line-kernel.js';
import { LoadedLines } from './loaded-lines.js';
import { formatBucketHeads } from './metadata-buckets.js';

const RUNS = randomCases(500);
const SOURCE = { job: 'alpha,1 é', user: 'ann' };
const START_NS = 1_700_000_000_000_998_123n;

/**
 * The result of one job's output: its points as line protocol, with those of full buckets, and the statistics and open
 * buckets of each table.
 */
interface Stored {
  readonly text: string;
  readonly stats: ReadonlyMap<string, TableStats>;
  readonly folds: Folds;
}

/** The open buckets of each table, with its keys in the order of its first row. */
class Folds {
  readonly #tables = new Map<string, { readonly keys: readonly string[]; readonly fold: BucketFold }>();

  open(series: string, keys: Iterable<string>): { readonly keys: readonly string[]; readonly fold: BucketFold } {
    const all = [...keys];
    const table = this.#tables.get(series) ?? { keys: all, fold: createBucketFold(all.length) };
    this.#tables.set(series, table);
    return table;
  }

  /** Returns the points of the full buckets. */
  foldRow(series: string, row: ReadonlyMap<string, number | string>, timeNs: bigint): Point[] {
    const { keys, fold } = this.open(series, row.keys());
    const values = keys.map((name) => row.get(name) ?? '');
    return this.createPoints(series, foldIntoBuckets(fold, values, timeNs));
  }

  createPoints(series: string, full: readonly Bucket[]): Point[] {
    const { keys } = this.open(series, []);
    return full.flatMap((bucket) => createBucketPoints(SOURCE, { series, keys }, bucket));
  }

  describe(): unknown {
    return [...this.#tables].map(([series, { keys, fold }]) => [series, keys, formatBucketFold(fold)]);
  }
}

function formatLines(points: readonly Point[]): string {
  return points.map((point) => `${formatPoint(point)}\n`).join('');
}

function openTable(stats: Map<string, TableStats>, series: string): TableStats {
  const table = stats.get(series) ?? createTableStats();
  stats.set(series, table);
  return table;
}

/** The law: each line by itself, through points. */
function storeByPoints(lines: readonly string[], nonfinite: NonfiniteOption): Stored {
  const stats = new Map<string, TableStats>();
  const folds = new Folds();
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
      points.push(...folds.foldRow(series, row, timeNs));
    }
    text += formatLines(points);
  });
  return { text, stats, folds };
}

/** The same by runs of lines, at most `maxLines` at once; what comes in no run is read by itself. */
function storeByRuns(
  lines: readonly string[],
  nonfinite: NonfiniteOption,
  maxLines: number
): Stored & { readonly linesOfRuns: number } {
  const loaded = new LoadedLines(Buffer.from(lines.map((line) => `${line}\n`).join('')), openLineKernel());
  const tables: PrintedTable[] = [];
  const reader = createMetadataReader(SOURCE, (table) => tables.push(table));
  const formatter = createLogLineFormatter(SOURCE, 'stdout');
  const head = Buffer.from(formatter.lineHead);
  const stats = new Map<string, TableStats>();
  const folds = new Folds();
  let [text, linesOfRuns, points] = ['', 0, 0];
  for (let [start, i] = [0, 0]; i < lines.length;) {
    const firstTimeNs = START_NS + BigInt(i) * 1000n;
    const range = { start, end: loaded.bytes.length };
    const run = findFirst(tables, (table) => {
      const tableStats = openTable(stats, table.layout.series);
      const { series } = table.layout;
      const { keys, fold } = folds.open(series, table.layout.keys);
      const places = table.layout.keys.map((name) => keys.indexOf(name));
      const heads = formatBucketHeads(formatBucketSeriesKeys(SOURCE, series, 1));
      const full: Bucket[] = [];
      const written = loaded.writeMetadata(range, {
        ...{ table, stats: tableStats, maxLines, firstTimeNs, withLog: true, head },
        buckets: { fold, places, heads, full },
      });
      return written && { ...written, bucketPoints: folds.createPoints(series, full) };
    });
    if (run !== undefined) {
      expect(run.lines).toBeLessThanOrEqual(maxLines);
      expect(loaded.bytes.toString('utf8', run.lastStart, run.end)).toBe(`${lines[i + run.lines - 1] ?? ''}\n`);
      text += run.points.toString() + formatLines(run.bucketPoints);
      points += run.pointCount + run.bucketPoints.length;
      linesOfRuns += run.lines;
      i += run.lines;
      start = run.end;
      continue;
    }
    const line = lines[i] ?? '';
    const metadata = reader.read(line, { nonfinite });
    const formatted = metadata?.formatPoints(String(firstTimeNs));
    text += formatter.format(line, 'output', String(firstTimeNs)) + (formatted?.text ?? '');
    points += 1 + (formatted?.points ?? 0);
    if (metadata !== undefined) {
      metadata.foldInto(openTable(stats, metadata.series));
      const bucketPoints = folds.foldRow(metadata.series, metadata.toRow(), firstTimeNs);
      text += formatLines(bucketPoints);
      points += bucketPoints.length;
    }
    i += 1;
    start += Buffer.byteLength(line) + 1;
  }
  expect(points).toBe(readPoints(text).length);
  return { text, stats, folds, linesOfRuns };
}

function findFirst<T, R>(items: readonly T[], take: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const taken = take(item);
    if (taken !== undefined) return taken;
  }
  return undefined;
}

function readPoints(text: string): readonly Point[] {
  const { points, errors } = parseLineProtocol(text, { precision: 'ns', defaultTimeNs: 0n });
  expect(errors).toEqual([]);
  return points;
}

function describeStats(stats: ReadonlyMap<string, TableStats>): unknown {
  return [...stats]
    .filter(([, { rows }]) => rows > 0)
    .map(([series, table]) => [series, table.rows, [...table.columns]]);
}

const DIGITS = '0123456789'.split('');
const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...DIGITS), minLength: min, maxLength: max });
const decimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.constantFrom(...DIGITS.slice(1)), digits(0, 18)).map((parts) => parts.join(''))
    ),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('.', '.000', '.00000000000000000000'), digits(1, 24)).map((parts) => parts.join(''))
    )
  )
  .map((parts) => parts.join(''));
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? '-0' : String(value))),
  fc.double({ noNaN: true, min: -1, max: 1 }).map(String),
  fc.integer().map(String),
  fc.integer({ min: 0, max: 99_999_999 }).map((value) => `0.${value}`),
  decimal,
  fc.tuple(decimal, fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/)).map((parts) => parts.join('')),
  fc.constantFrom(
    '-0',
    '-0.0',
    '0.10',
    '1.0',
    '1e400',
    '1e-05',
    '9007199254740992',
    '9007199254740993',
    '9007199254740991.5',
    '0.0000001'
  ),
  // Between two doubles, and one digit beside.
  fc.constantFrom('4503599627370496.5', '4503599627370497.5', '4503599627370497.49999', '1125899906842624.125'),
  fc.constantFrom(
    ...['-', '01', '1.', '.5', '+1', '1e', '1e+', '0x1', '1_0', '--1', '1.2.3', 'NaN', '-Infinity', 'Infinity']
  )
);
const text = fc.oneof(
  fc.string({ maxLength: 6 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 20 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '"train"',
    '"a,b: {}"',
    '"C:\\\\dir"',
    '"\\ud800"',
    '"\t"',
    '"a',
    '"\\u0041"',
    '"größer 精度 \u{1f600}"'
  ),
  // The statistics keep a hundred characters, and half of a surrogate pair never.
  fc.nat({ max: 120 }).map((length) => `"${'x'.repeat(length)}${'\u{1f600}'.repeat(20)}"`)
);
const scalar = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 2, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null', 'nul', 'True', 'falsy', '') }
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
  fc.constantFrom(
    '\\u0061',
    '\\ud83d\\ude00',
    '\\ud800',
    'a\\nb',
    '\\"',
    '\\\\',
    'é',
    '\t',
    'a key of more than 16 bytes'
  ),
  fc.nat({ max: 40 }).map((length) => 'k'.repeat(length))
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

/** Lines of a few tables in turn, most of them alike, some damaged. */
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
      if (damage === null) return line;
      const [at, insert] = damage;
      return line.slice(0, at) + insert + line.slice(at + 1);
    });
    // Two plain rows of each table: after them its lines are known.
    const known = formats.flatMap((print) => [print([]), print([])]);
    return [...known, ...lines].map((line) => toWellFormed(line.replaceAll('\n', '')));
  });

const nonfinite = fc.constantFrom<NonfiniteOption>('log', 'metadata');

describe('metadata lines in WebAssembly', () => {
  it('are stored as each by itself', () => {
    fc.assert(
      fc.property(output, nonfinite, fc.integer({ min: 1, max: 4 }), (lines, option, maxLines) => {
        const expected = storeByPoints(lines, option);
        const found = storeByRuns(lines, option, maxLines);
        expect(readPoints(found.text)).toEqual(readPoints(expected.text));
        expect(describeStats(found.stats)).toEqual(describeStats(expected.stats));
        expect(found.folds.describe()).toEqual(expected.folds.describe());
      }),
      { numRuns: RUNS }
    );
  });

  it('fill the same buckets as each by itself', () => {
    const repeats = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(output, nonfinite, repeats, fc.integer({ min: 1, max: 2000 }), (lines, option, times, maxLines) => {
        // Each line comes several times in turn, so that runs pass the ends of buckets.
        const all = [...lines, ...lines.flatMap((line) => Array<string>(times).fill(line)), ...lines];
        const expected = storeByPoints(all, option);
        const found = storeByRuns(all, option, maxLines);
        expect(describeBuckets(readPoints(found.text))).toEqual(describeBuckets(readPoints(expected.text)));
        expect(found.folds.describe()).toEqual(expected.folds.describe());
      }),
      { numRuns: randomCases(60) }
    );
  });

  it('have the same words for usual values, from the third line of a table on', () => {
    const figure = fc.oneof(
      fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }).map(String),
      fc.tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.nat({ max: 999_999_999 })).map((parts) => parts.join('.')),
      // As Python prints them: all digits of a double.
      fc.double({ noNaN: true, min: 0.0001, max: 1e6 }).map(String),
      fc.constantFrom('1.0', '0.10', '-0', '0.000001', '"train"', 'true', 'false', 'null', '""', '"größer"')
    );
    const rows = fc.array(fc.tuple(figure, figure, figure), { minLength: 3, maxLength: 20 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 20 }), (values, maxLines) => {
        const lines = values.map(([epoch, loss, acc]) => `{"epoch": ${epoch}, "x_é loss": ${loss}, "_acc": ${acc}}`);
        const found = storeByRuns(lines, 'log', maxLines);
        expect(found.text).toBe(storeByPoints(lines, 'log').text);
        expect(found.linesOfRuns).toBe(lines.length - 2);
      }),
      { numRuns: RUNS }
    );
  });
});
