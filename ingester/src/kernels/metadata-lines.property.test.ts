import { followX } from '@joblens/core/axis/followed-x';
import { createMetadataReader, type MetadataLine } from '@joblens/core/metadata/metadata-reader';
import type { Point } from '@joblens/core/point/point';
import {
  type Bucket,
  type BucketFold,
  createBucketFold,
  foldIntoBuckets,
  formatBucketFold,
} from '@joblens/core/table/bucket-fold';
import type { NonfiniteOption } from '@joblens/core/table/metadata-row';
import { createTableStats, foldRow, type TableStats } from '@joblens/core/table/table-stats';
import { parsePrintedRow } from '@joblens/core/metadata/parse-metadata';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import { toWellFormed } from '@joblens/core/point/utf8';
import { createBucketPoints, formatBucketSeriesKeys } from '@joblens/core/schema/bucket-point';
import { createLogLineFormatter, createLogPoints } from '@joblens/core/schema/log-point';
import { createMetadataPoints } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { listInexactIntegers } from '@joblens/core/table/inexact-integer';
import fc from 'fast-check';
import { createRandomOutput } from '../../../core/src/metadata/testing/random-output.js';
import { randomCases } from '../../../test/random-cases.js';
import { describeBuckets } from '../testing/bucket-law.js';
import { expectSame } from '../testing/expect-same.js';
import { openLineKernel } from './line-kernel.js';
import { LoadedLines } from './loaded-lines.js';
import { formatBucketHeads } from './metadata-buckets.js';
import type { MetadataRun, RowFold } from './metadata-kernel.js';
import { TableTree } from './table-tree.js';

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
      const inexact = listInexactIntegers(row, jsonKeys);
      points.push(...createMetadataPoints(SOURCE, series, row, timeNs, inexact));
      const table = openTable(stats, series);
      foldRow(table, row, jsonKeys);
      followX(table);
      points.push(...folds.foldRow(series, new Map([...row, ...(inexact ?? [])]), timeNs));
    }
    text += formatLines(points);
  });
  return { text, stats, folds };
}

/** Where the next `count` lines end, if there are as many. */
function findLineEnd(bytes: Buffer, start: number, count: number): number {
  let end = start;
  for (let i = 0; i < count && end < bytes.length; i += 1) end = bytes.indexOf('\n', end) + 1;
  return end;
}

/** What buckets fold of a line. */
function toNumbers(line: MetadataLine): ReadonlyMap<string, number | string> {
  return new Map(line.keys.map((name) => [name, line.numberOf(name) ?? '']));
}

/** The same by runs of lines, at most `maxLines` at once; what comes in no run is read by itself. */
function storeByRuns(
  lines: readonly string[],
  nonfinite: NonfiniteOption,
  maxLines: number
): Stored & { readonly linesOfRuns: number; readonly points: readonly Point[] } {
  const loaded = new LoadedLines(Buffer.from(lines.map((line) => `${line}\n`).join('')), openLineKernel());
  const tables = new TableTree();
  const reader = createMetadataReader(SOURCE, tables);
  const formatter = createLogLineFormatter(SOURCE, 'stdout');
  const head = Buffer.from(formatter.lineHead);
  const stats = new Map<string, TableStats>();
  const folds = new Folds();
  const headsOf = new Map<string, readonly Uint8Array[]>();
  let [text, linesOfRuns, pointCount] = ['', 0, 0];
  for (let [start, i] = [0, 0]; i < lines.length;) {
    const firstTimeNs = START_NS + BigInt(i) * 1000n;
    const range = { start, end: findLineEnd(loaded.bytes, start, maxLines) };
    const fulls = new Map<string, Bucket[]>();
    const openFold: MetadataRun['openFold'] = (layout) => {
      const { series, keys: printed } = layout;
      const tableStats = openTable(stats, series);
      const { keys, fold } = folds.open(series, printed);
      const heads = headsOf.get(series) ?? formatBucketHeads(formatBucketSeriesKeys(SOURCE, series, 1));
      headsOf.set(series, heads);
      const full: Bucket[] = [];
      fulls.set(series, full);
      const byKey = new Map(layout.columnsOf(tableStats).map((column, k) => [printed[k], column]));
      const columns = keys.flatMap((key) => byKey.get(key) ?? []);
      const placesOf: RowFold['placesOf'] = (other) => other.keys.map((name) => keys.indexOf(name));
      return { stats: tableStats, columns, placesOf, buckets: { fold, heads, full } };
    };
    const written = loaded.writeMetadata(range, { tables, openFold, firstTimeNs, withLog: true, head });
    const bucketPoints = [...fulls].flatMap(([series, full]) => folds.createPoints(series, full));
    const run = written && { ...written, bucketPoints };
    if (run !== undefined) {
      expect(run.lines).toBeLessThanOrEqual(maxLines);
      expect(loaded.bytes.toString('utf8', run.lastStart, run.end)).toBe(`${lines[i + run.lines - 1] ?? ''}\n`);
      for (const series of fulls.keys()) followX(openTable(stats, series));
      text += run.points.toString() + formatLines(run.bucketPoints);
      pointCount += run.pointCount + run.bucketPoints.length;
      linesOfRuns += run.lines;
      i += run.lines;
      start = run.end;
      continue;
    }
    const line = lines[i] ?? '';
    const metadata = reader.read(line, { nonfinite });
    const formatted = metadata?.formatPoints(String(firstTimeNs));
    text += formatter.format(line, 'output', String(firstTimeNs)) + (formatted?.text ?? '');
    pointCount += 1 + (formatted?.points ?? 0);
    if (metadata !== undefined) {
      const table = openTable(stats, metadata.series);
      metadata.foldInto(table);
      followX(table);
      const bucketPoints = folds.foldRow(metadata.series, toNumbers(metadata), firstTimeNs);
      text += formatLines(bucketPoints);
      pointCount += bucketPoints.length;
    }
    i += 1;
    start += Buffer.byteLength(line) + 1;
  }
  const points = readPoints(text);
  expect(pointCount).toBe(points.length);
  return { text, stats, folds, linesOfRuns, points };
}

function readPoints(text: string): readonly Point[] {
  const { points, errors } = parseLineProtocol(text, { precision: 'ns', defaultTimeNs: 0n });
  expect(errors).toEqual([]);
  return points;
}

function describeStats(stats: ReadonlyMap<string, TableStats>): unknown {
  return [...stats]
    .filter(([, { rows }]) => rows > 0)
    .map(([series, table]) => [series, table.rows, table.x, [...table.columns]]);
}

/** Two plain rows of each table come first: after them its lines are known. */
const output = createRandomOutput().map(({ plain, lines }) => [...plain, ...lines].map((line) => toWellFormed(line)));

const nonfinite = fc.constantFrom<NonfiniteOption>('log', 'metadata');

describe('metadata lines in WebAssembly', () => {
  it('are stored as each by itself', () => {
    fc.assert(
      fc.property(output, nonfinite, fc.integer({ min: 1, max: 4 }), (lines, option, maxLines) => {
        const expected = storeByPoints(lines, option);
        const found = storeByRuns(lines, option, maxLines);
        expectSame(found.points, readPoints(expected.text));
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
        const buckets = expected.text.match(/^job_metadata_bucket,.*\n/gm) ?? [];
        expect(describeBuckets(found.points)).toEqual(describeBuckets(readPoints(buckets.join(''))));
        expect(describeStats(found.stats)).toEqual(describeStats(expected.stats));
        expect(found.folds.describe()).toEqual(expected.folds.describe());
      }),
      { numRuns: randomCases(60) }
    );
  });

  it('are stored as each by itself where their keys change', () => {
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: -999, max: 999 }).map(String) },
      fc.constantFrom(
        '1.50',
        '1732000000123456789',
        '-9007199254740993',
        '"x \\"y\\" \\\\"',
        '"text"',
        'null',
        '1e3',
        '"\\n"'
      )
    );
    // Each line has some of the keys in some order: the same table may be printed in several.
    const members = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'a.b', 'é "'], { minLength: 1 });
    const line = fc
      .tuple(members, fc.array(value, { minLength: 6, maxLength: 6 }), fc.boolean())
      .map(([names, values, isNested]) => {
        const inner = names.map((name, i) => `${JSON.stringify(name)}:${values[i] ?? '0'}`).join(',');
        return isNested ? `{"n":{${inner}},"z":1}` : `{${inner}}`;
      });
    const lines = fc
      .tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.array(fc.nat({ max: 99 }), { maxLength: 300 }))
      .map(([all, order]) => [...all, ...all, ...order.map((i) => all[i % all.length] ?? '')]);
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 100 }), (all, maxLines) => {
        const expected = storeByPoints(all, 'log');
        const found = storeByRuns(all, 'log', maxLines);
        expect(found.points.map(formatPoint).sort()).toEqual(readPoints(expected.text).map(formatPoint).sort());
        expect(describeStats(found.stats)).toEqual(describeStats(expected.stats));
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
