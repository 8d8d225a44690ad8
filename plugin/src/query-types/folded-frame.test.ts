import { createTableStats, foldRow, type NonFiniteRow, type TablePiece, type TableSummary } from '@joblens/core';
import { readMetadataMeta } from '../frames/frame-meta.js';
import { toPlainFields } from '../../test/frame-table.js';
import { createGraphs } from '../views/graph/graphs.js';
import { describeRows } from '../views/graph/row-note.js';
import { createTables } from '../views/parts/tables.js';
import { createFoldedFrame } from './folded-frame.js';

const T0 = 1_700_000_000_000_000_000n;
const MS = 1_000_000n;
const KEYS = ['step', 'loss'];

function createBucket(atMs: bigint, level: number, step: readonly number[], loss: readonly number[]): TablePiece {
  return { timeNs: T0 + atMs * MS, level, rows: level > 0 ? 32 ** level : 0, values: [...step, ...loss] };
}

const PIECES: readonly TablePiece[] = [
  createBucket(0n, 1, [0, 31, 0, 31], [-9, 700, 5, 4]),
  createBucket(100n, 1, [32, 63, 32, 63], [1, 2, 2, NaN]),
  { timeNs: T0 + 200n * MS, level: 0, rows: 1, values: [64, 3] },
  createBucket(300n, -1, [65, 75, NaN, NaN], [0, 8, NaN, NaN]),
];

function build(pieces: readonly TablePiece[], isAggregated = false, nonFinite: readonly NonFiniteRow[] = []) {
  const stats = createTableStats();
  for (let step = 0; step < 3; step += 1) foldRow(stats, new Map([...KEYS].map((key) => [key, step])));
  const table: TableSummary = {
    ...{ job: '7', user: 'ann', series: 'loss,step', keys: KEYS, stats, rows: 5000 },
    runs: [{ timeNs: T0, rows: 5000 }],
    timeNs: T0,
  };
  const whole = { kind: 'pieces', pieces, level: 1, isAggregated } as const;
  return createFoldedFrame({
    ...{ refId: 'A', table, keys: KEYS, jobPrefix: '', executedQuery: '' },
    ...{ whole, nonFinite },
  });
}

it('gives each bucket as its first, lowest, highest and last numbers, an aggregate as the middle two', () => {
  const frame = build(PIECES);
  const [, ...times] = toPlainFields(frame)[0] ?? [];
  expect(toPlainFields(frame).slice(1)).toEqual([
    ['step', 'number', 0, 0, 31, 31, 32, 32, 63, 63, 64, 65, 75],
    ['loss', 'number', 5, -9, 700, 4, 2, 1, 2, null, 3, 0, 8],
  ]);
  expect(times.slice(1).map((time) => Number(time) - Number(T0 / MS))).toEqual(
    // The end of a bucket is just before the next one.
    [0, 50, 50, 99, 100, 150, 150, 199, 200, 300, 300]
  );
  expect(readMetadataMeta(frame)?.folded).toEqual({
    stats: ['first', 'min', 'max', 'last', 'first', 'min', 'max', 'last', 'row', 'min', 'max'],
    ...{ rows: 65, rowsPerPoint: 32, isAggregated: false },
  });
});

it('is drawn with every lowest and highest number, on an X that never turns back', () => {
  const [graph] = createGraphs(createTables([build(PIECES)]), { kind: 'key', key: 'step' });
  const [line] = graph?.lines ?? [];
  expect(line?.xs).toEqual([0, 15.5, 15.5, 31, 32, 47.5, 47.5, 63, 64, 70, 70]);
  expect(line?.ys).toEqual([5, -9, 700, 4, 2, 1, 2, NaN, 3, 0, 8]);
});

it('says how many rows a point stands for', () => {
  const describe = (isAggregated: boolean): string | undefined => {
    const [graph] = createGraphs(createTables([build(PIECES, isAggregated)]), { kind: 'auto' });
    return graph === undefined ? undefined : describeRows(graph);
  };
  expect(describe(false)).toBe('65 rows, 32 a point; zoom in for each');
  expect(describe(true)).toBe('5,000 rows, lowest and highest of many a point; zoom in for each');
});

describe('values that are not finite', () => {
  const row = (atMs: bigint, cells: ReadonlyArray<readonly [string, number]>): NonFiniteRow => ({
    timeNs: T0 + atMs * MS,
    values: new Map(cells),
  });
  const frame = build(PIECES, false, [
    row(30n, [
      ['step', 12],
      ['loss', NaN],
    ]),
    row(40n, [['loss', -Infinity]]),
  ]);

  it.each([
    ['the X of their row, where that is known', { kind: 'key', key: 'step' } as const, [[12, NaN]]],
    [
      'their time',
      { kind: 'time' } as const,
      [
        [1_700_000_000_030, NaN],
        [1_700_000_000_040, -Infinity],
      ],
    ],
    [
      'their time since the start',
      { kind: 'relative' } as const,
      [
        [30, NaN],
        [40, -Infinity],
      ],
    ],
  ])('are marks at %s', (_name, x, marks) => {
    // As a saved snapshot brings it.
    const meta = JSON.parse(JSON.stringify(frame.meta)) as typeof frame.meta;
    const [graph] = createGraphs(createTables([{ ...frame, ...(meta && { meta }) }]), x);
    const line = graph?.lines.find(({ name }) => name === 'loss');
    expect(line?.nonFinite.map(({ x: at, value }) => [at, value])).toEqual(marks);
    expect(line?.ys).toEqual([5, -9, 700, 4, 2, 1, 2, NaN, 3, 0, 8]);
  });
});
