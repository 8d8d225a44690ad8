import {
  BUCKET_STATS,
  type BucketFoldState,
  createBucketFold,
  foldIntoBuckets,
  formatBucketFold,
} from '@joblens/core/table/bucket-fold';
import { createMetadataReader } from '@joblens/core/metadata/metadata-reader';
import { createTableStats, type TableStats } from '@joblens/core/table/table-stats';
import { openLineKernel, type WrittenPoints } from './line-kernel.js';
import { LINES_LAYOUT } from './lines-module.js';
import { LoadedLines } from './loaded-lines.js';
import { formatBucketHeads, type RunBuckets } from './metadata-buckets.js';
import type { MetadataRun, RowFold } from './metadata-kernel.js';
import { TableTree } from './table-tree.js';

const FIRST_NS = 1_700_000_000_000_005_000n;

/** The tables of lines that were read twice. */
function createTables(...lines: readonly string[]): TableTree {
  const tables = new TableTree();
  const reader = createMetadataReader({ job: '1', user: 'ann' }, tables);
  for (const line of [...lines, ...lines]) reader.read(line, { nonfinite: 'log' });
  return tables;
}

/** The state after so many rows in which each value is 1. */
function foldSlowly(keys: number, rows: number): BucketFoldState {
  const fold = createBucketFold(keys);
  const row = Array<number>(keys).fill(1);
  for (let i = 0; i < rows; i += 1) foldIntoBuckets(fold, row, FIRST_NS + BigInt(i) * 1000n);
  return formatBucketFold(fold);
}

function createBuckets(keys: readonly string[]): RunBuckets {
  return { fold: createBucketFold(keys.length), heads: formatBucketHeads(BUCKET_STATS), full: [] };
}

/** The statistics of so many rows that nobody looks at X in the run. */
function createLongStats(): TableStats {
  return { ...createTableStats(), rows: 64 };
}

interface Written {
  readonly run: Omit<WrittenPoints, 'points'>;
  readonly points: string;
}

type WriteOptions = Partial<RowFold> & { readonly places?: readonly number[] } & Partial<Omit<MetadataRun, 'openFold'>>;

function write(known: string, lines: readonly string[], options: WriteOptions = {}): Written | undefined {
  const tables = options.tables ?? createTables(known);
  if (tables.isEmpty) throw new Error(`Nothing is known of ${known}`);
  const { stats, buckets, places, firstTimeNs = FIRST_NS, withLog = false } = options;
  const loaded = new LoadedLines(Buffer.from(lines.map((line) => `${line}\n`).join('')), openLineKernel());
  const { head = Buffer.from('job_log,job=1,stream=stdout,user=ann line="') } = options;
  const openFold: MetadataRun['openFold'] = (layout) => {
    const columns = stats === undefined ? [] : layout.columnsOf(stats);
    return { stats, columns, buckets, placesOf: () => places };
  };
  const range = { start: 0, end: loaded.bytes.length };
  const written = loaded.writeMetadata(range, { tables, openFold, firstTimeNs, withLog, head });
  if (written === undefined) return undefined;
  const { points, ...run } = written;
  return { run, points: points.toString() };
}

describe('a run of metadata lines in WebAssembly', () => {
  it('is of all known tables, each with its own fold', () => {
    const tables = createTables('{"a": 1}', '{"a": 1, "b": 2}', '{"b": 1, "a": 2}', '{"a": {"b": 1}}', '{"c": "x"}');
    const lines = [
      '{"a": 1}',
      '{"a": 2, "b": 3}',
      '{"c": "x"}',
      '{"b": 4, "a": 5}',
      '{"a": {"b": 6}}',
      '{"a": 7}',
      '{"d": 8}',
    ];
    const folds = new Map<string, RowFold>();
    const openFold: MetadataRun['openFold'] = (layout) => {
      const stats = createLongStats();
      const [columns, buckets] = [layout.columnsOf(stats), createBuckets(layout.keys)];
      const fold = { stats, columns, buckets, placesOf: () => undefined };
      folds.set(layout.keys.join(), fold);
      return fold;
    };
    const loaded = new LoadedLines(Buffer.from(`${lines.join('\n')}\n`), openLineKernel());
    const run = { tables, openFold, firstTimeNs: FIRST_NS, withLog: false, head: Buffer.from('') };
    const written = loaded.writeMetadata({ start: 0, end: loaded.bytes.length }, run);
    expect(written).toMatchObject({ lines: 6, pointCount: 6 });
    expect([...folds].map(([keys, { stats, buckets }]) => [keys, stats?.rows, buckets?.fold.rows])).toEqual([
      ['a', 66, 2],
      ['a,b', 66, 2],
      ['c', 65, 0],
      ['a.b', 65, 1],
    ]);
  });

  it('is of one table, up to the first line that is something else', () => {
    const stats = createLongStats();
    const lines = ['{"a": 1}', '{"a": 2.50}', '{"a":3}', '{"a": 4}'];
    const { run, points } = write('{"a": 1}', lines, { withLog: true, stats }) ?? {};
    expect(run).toEqual({ lines: 2, pointCount: 4, lastStart: 9, end: 9 + 12 });
    expect(points).toBe(
      [
        'job_log,job=1,stream=stdout,user=ann line="{\\"a\\": 1}",kind="output" 1700000000000005000',
        'job_metadata,job=1,series=a,user=ann a=1 1700000000000005000',
        'job_log,job=1,stream=stdout,user=ann line="{\\"a\\": 2.50}",kind="output" 1700000000000006000',
        'job_metadata,job=1,series=a,user=ann a=2.5 1700000000000006000',
        '',
      ].join('\n')
    );
    expect([stats.rows, stats.columns.get('a')?.max]).toEqual([66, 2.5]);
  });

  it('looks at X after the rows of each table that say so, and goes on', () => {
    const known = ['{"step": 1, "a.b": 1}', '{"step": 1, "(c)": 1}'];
    const lines = Array.from({ length: 40 }, (_, i) => `{"step": ${i}, "${i % 3 ? 'a.b' : '(c)'}": ${(i * 7) % 40}}`);
    const [byOne, atOnce] = [lines.map((line) => [line]), [lines]].map((runs) => {
      const tables = createTables(...known);
      const statsOf = new Map<string, TableStats>();
      const openFold: MetadataRun['openFold'] = (layout) => {
        const stats = statsOf.get(layout.series) ?? createTableStats();
        statsOf.set(layout.series, stats);
        return { stats, columns: layout.columnsOf(stats), buckets: undefined, placesOf: () => undefined };
      };
      for (const run of runs) {
        const loaded = new LoadedLines(Buffer.from(`${run.join('\n')}\n`), openLineKernel());
        const options = { tables, openFold, firstTimeNs: FIRST_NS, withLog: false, head: Buffer.from('') };
        const written = loaded.writeMetadata({ start: 0, end: loaded.bytes.length }, options);
        expect(written?.lines).toBe(run.length);
      }
      return [...statsOf.values()];
    });
    expect(atOnce).toEqual(byOne);
    expect(atOnce?.map(({ rows, x }) => [rows, x])).toEqual([
      [14, 'step'],
      [26, 'step'],
    ]);
  });

  it('fills as many buckets as fit into the input, of one key and of many', () => {
    for (const keys of [['a'], Array.from({ length: 1000 }, (_, i) => `k${i}`)]) {
      const line = `{${keys.map((key) => `"${key}":1`).join()}}`;
      const rows = Math.floor(LINES_LAYOUT.INPUT_BYTES / (line.length + 1));
      const buckets = createBuckets(keys);
      const { run } = write(line, Array<string>(rows).fill(line), { buckets }) ?? {};
      expect(buckets.fold.rows).toBe(run?.lines);
      expect(formatBucketFold(buckets.fold)).toEqual(foldSlowly(keys.length, run?.lines ?? 0));
    }
  });

  it('writes full buckets with the numbers as they were printed, but zero and those from before', () => {
    const buckets = createBuckets(['a', 'b']);
    for (let i = 0; i < 1025; i += 1) foldIntoBuckets(buckets.fold, [0.125, -2e-7], FIRST_NS - 1n);
    const lines = Array.from({ length: 31 + 2 * 32 }, (_, i) => `{"b": ${i === 40 ? '-0.0' : '1e3'}, "a": 0.${i}0}`);
    const { run, points = '' } = write('{"b": 1, "a": 2}', lines, { buckets, places: [1, 0] }) ?? {};
    expect(run?.pointCount).toBe(lines.length + 4 + 3 + 3);
    expect(points.split('\n').filter((point) => !point.startsWith('job_metadata'))).toEqual([
      'min b=-2e-7,a=0,bucket_rows=32 1700000000000004999',
      'max b=1e3,a=0.9 1700000000000004999',
      'mean b=968.74999999375,a=0.27578125 1700000000000004999',
      'last a=0.3 1700000000000004999',
      'min b=0,a=0.31,bucket_rows=32 1700000000000036000',
      'max b=1e3,a=0.62 1700000000000036000',
      'mean b=968.75 1700000000000036000',
      'min b=1e3,a=0.63,bucket_rows=32 1700000000000068000',
      'max a=0.94 1700000000000068000',
      'mean a=0.7850000000000001 1700000000000068000',
      '',
    ]);
    expect(buckets.full).toEqual([]);
  });

  it.each([
    ['numbers beyond those that are read here', [1e-300, 1], FIRST_NS - 1n],
    ['larger ones', [1, -1e300], FIRST_NS - 1n],
    ['a time of other digits', [1, 1], 12n],
  ])('leaves a full bucket to others that was begun with %s', (_what, values, timeNs) => {
    const buckets = createBuckets(['a', 'b']);
    for (let i = 0; i < 1025; i += 1) foldIntoBuckets(buckets.fold, values, timeNs);
    const lines = Array<string>(31).fill('{"a": 2, "b": 2}');
    expect(write('{"a": 1, "b": 1}', lines, { buckets })?.run.pointCount).toBe(lines.length);
    expect(buckets.full).toMatchObject([{ level: 1, timeNs, rows: 32 }]);
  });

  it('ends where the output is full', () => {
    const lines = Array.from({ length: 8000 }, (_, i) => `{"a": ${i}}`);
    const head = Buffer.from(`${'long'.repeat(100)} line="`);
    const { run, points } = write('{"a": 1}', lines, { withLog: true, head }) ?? {};
    expect(run?.lines).toBeGreaterThan(1000);
    expect(run?.lines).toBeLessThan(8000);
    expect(points?.split('\n').at(-2)).toMatch(`,series=a,user=ann a=${(run?.lines ?? 0) - 1} 17`);
  });

  it('never goes beyond the output', () => {
    const head = Buffer.from(`${'long'.repeat(15_000)} line="`);
    for (let length = 7000; length < 8200; length += 100) {
      const lines = Array.from({ length: 30 }, (_, i) => `{"a": "${String(i).padEnd(length, 'x')}"}`);
      const { run, points } = write('{"a": 1}', lines, { withLog: true, head }) ?? {};
      expect(run?.lines).toBeLessThan(30);
      expect(points?.length).toBeLessThanOrEqual(LINES_LAYOUT.OUTPUT_BYTES);
    }
  });

  it('knows the statistics from before', () => {
    const stats = createTableStats();
    for (const line of ['{"a": 3}', '{"a": 4}', '{"a": "x"}', '{"a": null}', '{"a": 3}'])
      write('{"a": 1}', [line], { stats });
    expect(stats.columns.get('a')).toEqual({
      ...{
        count: 5,
        numeric: 3,
        integer: 3,
        json: 1,
        inexact: 0,
        nulls: 1,
        rising: false,
        falling: false,
        distinct: 2,
        min: 3,
        max: 4,
        sum: 10,
        minRow: 1,
        maxRow: 2,
      },
      last: 3,
    });
  });

  it.each<[string, string, string]>([
    ['another key', '{"a": 1}', '{"b": 1}'],
    ['another space', '{"a": 1}', '{"a":  1}'],
    ['a difference in its 16th character', '{"0123456789abc": 1}', '{"0123456789abc":  1}'],
    ['a difference in its 33rd character', `{"${'k'.repeat(30)}": 1}`, `{"${'k'.repeat(30)}x: 1}`],
    ['the first integer that no double is sure to hold', '{"a": 1}', '{"a": 9007199254740992}'],
    ['an integer of 20 digits', '{"a": 1}', '{"a": 18446744073709551616}'],
    ['an integer of very many digits', '{"a": 1}', `{"a": 1${'0'.repeat(40)}}`],
    ['a number that no double holds', '{"a": 1}', '{"a": 1e400}'],
    ['more digits than fit', '{"a": 1}', '{"a": 0.12345678901234567890}'],
    ['a tiny number', '{"a": 1}', '{"a": 1.5e-70}'],
    ['a bare NaN', '{"a": 1}', '{"a": NaN}'],
    ['an escape', '{"a": "x"}', '{"a": "\\n"}'],
    ['an escape behind others', '{"a": "x"}', '{"a": "\\"\\\\\\u0041"}'],
    ['a control character', '{"a": "x"}', '{"a": "\t"}'],
    ['a string without an end', '{"a": "x"}', '{"a": "x'],
    ['an array', '{"a": 1}', '{"a": [1]}'],
    ['half a line', '{"a": 1, "b": 2}', '{"a": 1'],
    ['a longer line', '{"a": 1}', '{"a": 1} '],
    ['a very long line', '{"a": "x"}', `{"a": "${'x'.repeat(20_000)}"}`],
    ['a line that ends where the string is too long', '{"a": "x"}', `{"a": "${'x'.repeat(300_000)}"}`],
  ])('does not begin with %s', (_what, known, line) => {
    expect(write(known, [line])).toBeUndefined();
  });

  it.each<[string, string, string]>([
    ['{"a": {"b": 1, "c": "x"}, "d": null}', '{"a": {"b": -2e3, "c": ""}, "d": true}', 'a.b=-2e3'],
    ['{"a": 1}', '{"a": 0.12345678901234567}', 'a=0.12345678901234567'],
    ['{"a": 1}', '{"a": 1E-05}', 'a=1E-05'],
    ['{"a": 1}', '{"a": "text"}', 'a="text"'],
    ['{"a": 1}', '{"a": false}', 'a="false"'],
    ['{"a": 1}', '{"a": 9007199254740993}', 'a=9007199254740993'],
    ['{"a": 1}', '{"a": 9007199254740993}', 'a="9007199254740993"'],
    ['{"a": 1}', '{"a": -9999999999999999999}', 'a=-9999999999999999999'],
    ['{"a": 1}', '{"a": -9999999999999999999}', 'a="-9999999999999999999"'],
    ['{"a": 1}', '{"a": "\\"\\\\"}', 'a="\\"\\\\"'],
    ['{"_\\u00e9": 1}', '{"_\\u00e9": 2}', 'x_é=2'],
    ['{"é": 1}', '{"é": "精度"}', 'é="精度"'],
  ])('knows from %s how to read %s', (known, line, field) => {
    const { run, points } = write(known, [line]) ?? {};
    expect(run).toMatchObject({ lines: 1 });
    expect(points).toContain(` ${field}`);
  });

  it.each([
    ...[
      '0',
      '-0',
      '9007199254740991',
      '-9007199254740991',
      '0.1',
      '123.456e5',
      '1E-05',
      '5e-23',
      '12345678901234567e-40',
    ],
    // Between two doubles, on either side of the middle, and up to the next power of two.
    ...[
      '4503599627370496.5',
      '4503599627370497.5',
      '4503599627370497.499',
      '0.99999999999999999',
      '1125899906842624.125',
    ],
    ...['0.00000000000012345678901234', '7.2057594037927933', '0.3000000000000000444'],
  ])('folds %s as its nearest double', (text) => {
    const stats = createTableStats();
    write('{"a": 1}', [`{"a": ${text}}`], { stats });
    expect(stats.columns.get('a')?.last).toBe(Number(text) + 0);
  });

  it.each([
    '9007199254740993',
    '9007199254740995',
    '-9223372036854775807',
    '9223372036854776833',
    '9999999999999999999',
  ])('folds %s as its nearest double, and keeps its digits', (text) => {
    const stats = createTableStats();
    write('{"a": 1}', [`{"a": ${text}}`], { stats });
    const value = Number(text);
    const counts = { count: 1, numeric: 1, integer: 1, json: 1, inexact: 1, nulls: 0 };
    expect(stats.columns.get('a')).toMatchObject({ ...counts, min: value, max: value, last: text });
  });

  it.each<[string, bigint]>([
    ['before 2001', 5000n],
    ['after 2286', 10_000_000_000_000_000_000n],
  ])('does not come %s', (_when, firstTimeNs) => {
    expect(write('{"a": 1}', ['{"a": 1}'], { firstTimeNs })).toBeUndefined();
  });

  it('is of a table of a thousand columns, too', () => {
    const print = (value: number): string =>
      `{${Array.from({ length: 1000 }, (_, i) => `"k${i}":${value}`).join(',')}}`;
    const stats = createLongStats();
    expect(write(print(1), [print(2), print(3)], { stats })?.run).toMatchObject({ lines: 2, pointCount: 2 });
    expect([...stats.columns.values()].map(({ max }) => max)).toEqual(Array(1000).fill(3));
  });

  it('alternates with runs of other tables', () => {
    const [first, second] = [createTableStats(), createTableStats()];
    for (let i = 0; i < 3; i += 1) {
      expect(write('{"a": 1}', [`{"a": ${i}}`, 'x'], { stats: first })?.points).toContain(` a=${i} `);
      expect(write('{"a": 1, "b": 2}', [`{"a": 1, "b": ${i}}`], { stats: second })?.points).toContain(`a=1,b=${i} `);
    }
    expect([first.columns.get('a')?.count, second.columns.get('b')?.max]).toEqual([3, 2]);
  });
});
