import { createTables } from '../../../parts/components/tables.js';
import { createTableFrame } from '../../../testing/frames.js';
import { createFileName, createGraphCsv } from './graph-csv.js';
import { createGraphs, type GraphModel } from './graphs.js';
import type { XWish } from './x-choice.js';

type Tables = Parameters<typeof createTableFrame>[0][];

function graphOf(inputs: Tables, wish: XWish = { kind: 'auto' }, unit?: string): GraphModel {
  const frames = inputs.map(createTableFrame);
  for (const { fields } of frames)
    for (const field of fields) if (field.name === 'loss' && unit) field.config.unit = unit;
  const [graph] = createGraphs(createTables(frames), wish);
  if (graph === undefined) throw new Error('no graph');
  return graph;
}

function csvOf(graph: GraphModel, changes: Partial<Parameters<typeof createGraphCsv>[0]> = {}): string[] {
  const csv = createGraphCsv({ graph, lines: graph.lines, xRange: undefined, smoothing: 0, ...changes });
  expect(csv.endsWith('\r\n')).toBe(true);
  return csv.slice(0, -2).split('\r\n');
}

const ROWS = [
  { epoch: 1, loss: 3, acc: 0.5 },
  { epoch: 2, loss: NaN, acc: null },
  { epoch: 3, loss: null, acc: null },
  { epoch: 4, loss: -Infinity, acc: 1e-7 },
];

it('has X first, gaps empty, values that are not finite by name, and no row without a value', () => {
  expect(csvOf(graphOf([{ rows: ROWS }]))).toEqual(['epoch,loss,acc', '1,3,0.5', '2,NaN,', '4,-Infinity,1e-7']);
});

it.each<[string, XWish, string[]]>([
  ['time', { kind: 'time' }, ['time,a', '1970-01-01T00:00:00.000Z,5', '1970-01-01T00:00:01.000Z,6']],
  ['relative time', { kind: 'relative' }, ['relative time (s),a', '0,5', '1,6']],
])('writes %s', (_name, wish, lines) => {
  expect(csvOf(graphOf([{ rows: [{ a: 5 }, { a: 6 }] }], wish))).toEqual(lines);
});

it('holds the lines, the part of X and the smoothing that are drawn, and the unit', () => {
  const rows = [8, 0, 7].map((loss, index) => ({ epoch: index, loss, acc: 1 }));
  const graph = graphOf([{ rows }], undefined, 'ms');
  const drawn = { lines: graph.lines.slice(0, 1), xRange: { min: 0, max: 1 }, smoothing: 0.5 };
  expect(csvOf(graph, drawn)).toEqual(['epoch,loss (ms),loss (ms) smoothed 0.5', '0,8,8', `1,0,${8 / 3}`]);
});

it('keeps print order and repeats where a run was restarted', () => {
  const rows = [1, 2, 3, 2, 3].map((epoch, index) => ({ epoch, loss: index }));
  expect(csvOf(graphOf([{ rows }])).slice(1)).toEqual(['1,0', '2,1', '3,2', '2,3', '3,4']);
});

it('joins tables by X, each name in quotes where it needs them', () => {
  const inputs: Tables = [
    { rows: [1, 2].map((epoch) => ({ epoch, 'a,"b"': epoch })), timesNs: [1_000_000n, 3_000_000n] },
    { rows: [2, 3].map((epoch) => ({ epoch, c: epoch })), timesNs: [2_000_000n, 4_000_000n] },
  ];
  expect(csvOf(graphOf(inputs))).toEqual(['epoch,"a,""b""",c', '1,1,', '2,2,2', '3,,3']);
});

it.each<[string[], string]>([
  [['alpha/12_3'], 'alpha-12_3-by-epoch.csv'],
  [['../../../etc'], 'etc-by-epoch.csv'],
  [['7', '8'], '7+8-by-epoch.csv'],
  [['1', '2', '3', '4'], '4-jobs-by-epoch.csv'],
])('names the file of %p %s', (jobs, name) => {
  expect(
    createFileName(graphOf(jobs.map((job) => ({ job, rows: [1, 2].map((epoch) => ({ epoch, loss: 1 })) }))), 'csv')
  ).toBe(name);
});
