import type { NonFiniteRow } from '@joblens/core/ask/tables/nonfinite';
import type { TablePiece } from '@joblens/core/ask/whole-table/table-pieces';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import { readMetadataMeta } from '../../frames/frame-meta.js';
import { toPlainFields } from '../../../test/frame-table.js';
import { createGraphs } from '../../views/graph/model/lines/graphs.js';
import { describeRows } from '../../views/graph/model/lines/row-note.js';
import { createTables } from '../../views/parts/components/tables.js';
import { createFoldedFrame } from './folded-frame.js';

const T0 = 1_700_000_000_000_000_000n;
const MS = 1_000_000n;
const KEYS = ['step', 'loss'];

function createBucket(atMs: bigint, level: number, step: readonly number[], loss: readonly number[]): TablePiece {
  return { timeNs: T0 + atMs * MS, level, rows: level > 0 ? 32 ** level : 0, values: [...step, ...loss] };
}

const PIECES: readonly TablePiece[] = [
  createBucket(0n, 1, [0, 31, 15.5, 31], [-9, 700, 5, 4]),
  createBucket(100n, 1, [32, 63, 47.5, 63], [1, 2, 1.5, 2]),
  { timeNs: T0 + 200n * MS, level: 0, rows: 1, values: [64, 3] },
  createBucket(300n, -1, [65, 75, 70, NaN], [0, 8, 6, NaN]),
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

it('gives each bucket and aggregate as its mean, with its lowest and highest number beside it', () => {
  const frame = build(PIECES);
  const [, ...times] = toPlainFields(frame)[0] ?? [];
  expect(toPlainFields(frame).slice(1)).toEqual([
    ['step', 'number', 15.5, 47.5, 64, 70],
    ['loss', 'number', 5, 1.5, 3, 6],
    ['step', 'number', 0, 32, 64, 65],
    ['step', 'number', 31, 63, 64, 75],
    ['loss', 'number', -9, 1, 3, 0],
    ['loss', 'number', 700, 2, 3, 8],
  ]);
  expect(frame.fields.slice(3).map(({ labels, config }) => [labels, config.displayNameFromDS])).toEqual([
    [{ bucket_stat: 'min' }, 'step (min)'],
    [{ bucket_stat: 'max' }, 'step (max)'],
    [{ bucket_stat: 'min' }, 'loss (min)'],
    [{ bucket_stat: 'max' }, 'loss (max)'],
  ]);
  // Grafana's own graphs fill between both.
  expect(frame.fields[6]?.config.custom).toMatchObject({ lineWidth: 0, fillBelowTo: 'loss (min)' });
  expect(times.slice(1).map((time) => Number(time) - Number(T0 / MS))).toEqual([50, 150, 200, 300]);
  expect(readMetadataMeta(frame)?.folded).toEqual({ rows: 65, rowsPerPoint: 32, isAggregated: false });
});

it('has no band of a key that is one number in each bucket', () => {
  const constant = PIECES.map((piece) => ({ ...piece, values: piece.values.map((value, at) => (at < 4 ? value : 7)) }));
  const frame = build(constant.map((piece) => (piece.level === 0 ? { ...piece, values: [64, 7] } : piece)));
  expect(toPlainFields(frame).map(([name]) => name)).toEqual(['time', 'step', 'loss', 'step', 'step']);
});

it('is drawn as the means within a band, each in the middle of its X', () => {
  const [graph] = createGraphs(createTables([build(PIECES)]), { kind: 'key', key: 'step' });
  expect(graph?.lines.map(({ name }) => name)).toEqual(['loss']);
  const [line] = graph?.lines ?? [];
  expect(line).toMatchObject({
    xs: [15.5, 47.5, 64, 70],
    ys: [5, 1.5, 3, 6],
    band: { mins: [-9, 1, 3, 0], maxes: [700, 2, 3, 8] },
  });
});

it('says how many rows a point stands for', () => {
  const describe = (isAggregated: boolean): string | undefined => {
    const [graph] = createGraphs(createTables([build(PIECES, isAggregated)]), { kind: 'auto' });
    return graph === undefined ? undefined : describeRows(graph);
  };
  const look = 'their mean, pale from lowest to highest; zoom in for each';
  expect(describe(false)).toBe(`65 rows, 32 a point: ${look}`);
  expect(describe(true)).toBe(`5,000 rows, many a point: ${look}`);
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
    expect(line?.ys).toEqual([5, 1.5, 3, 6]);
  });
});
