import type { DataFrame } from '@grafana/data';
import { createCustomMeta, readMetadataMeta, type RunGroup } from '../../../../frames/frame-meta.js';
import { createTables } from '../../../parts/components/tables.js';
import { createTableFrame, type TableInput } from '../../../testing/frames.js';
import { createGraphCsv } from './graph-csv.js';
import { createGraphs, type GraphModel } from './graphs.js';
import { createLineLooks } from '../plot/plot-lines.js';
import { createGradient, groupRuns, type RunDrawing } from './run-groups.js';
import { readGraphOptions } from '../panes/settings.js';

interface Run extends Partial<TableInput> {
  readonly job: string;
  readonly group?: RunGroup;
  readonly losses: readonly (number | null)[];
}

function createFrame({ group, losses, rows, ...run }: Run): DataFrame {
  const frame = createTableFrame({ rows: rows ?? losses.map((loss, at) => ({ epoch: at + 1, loss })), ...run });
  const meta = readMetadataMeta(frame);
  if (meta === undefined || group === undefined) return frame;
  return { ...frame, meta: { ...frame.meta, custom: createCustomMeta({ ...meta, group }) } };
}

function draw(runs: readonly Run[], drawing: RunDrawing): GraphModel {
  const [graph] = groupRuns(createGraphs(createTables(runs.map(createFrame)), { kind: 'auto' }), drawing);
  if (graph === undefined) throw new Error('no graph');
  return graph;
}

const LR = { by: 'optim "a-b".lr' };
const RUNS: readonly Run[] = [
  { job: "it's 1", group: { ...LR, value: 0.01 }, losses: [4, 2] },
  { job: 'b-(2)', group: { ...LR, value: 0.5 }, losses: [9, 9] },
  { job: 'c.3', group: { ...LR, value: 0.01 }, losses: [8, 4] },
  { job: 'd 4', group: LR, losses: [1, 1] },
];

it('draws each run in the colour of its group, numbers by size, runs without a value last', () => {
  const graph = draw(RUNS, 'each');
  expect([...graph.owners.values()]).toEqual([
    'optim "a-b".lr=0.01 · 2 runs',
    'optim "a-b".lr=0.5 · 1 run',
    'no optim "a-b".lr · 1 run',
  ]);
  const colours = { palette: ['red', 'blue', 'lime'], resolve: (name: string) => name, readFieldColour: () => 'no' };
  const looks = createLineLooks([graph.lines], true, colours, [...graph.owners.keys()]);
  expect([...looks].map(([name, { colour }]) => [name, colour])).toEqual([
    [`optim "a-b".lr=0.01 · it's 1 · loss`, 'red'],
    ['optim "a-b".lr=0.01 · c.3 · loss', 'red'],
    ['optim "a-b".lr=0.5 · b-(2) · loss', 'blue'],
    ['no optim "a-b".lr · d 4 · loss', 'lime'],
  ]);
  expect(graph.groupedBy).toBe('numbers');
});

it('draws the mean of each group between its lowest and its highest run, and says so in the legend', () => {
  const graph = draw(RUNS, 'range');
  expect([...graph.owners.values()][0]).toBe('optim "a-b".lr=0.01 · mean of 2, min–max');
  expect(graph.lines.map(({ name, ys, band }) => [name, ys, band?.mins, band?.maxes])).toEqual([
    ['optim "a-b".lr=0.01 · loss', [6, 3], [4, 2], [8, 4]],
    ['optim "a-b".lr=0.5 · loss', [9, 9], undefined, undefined],
    ['no optim "a-b".lr · loss', [1, 1], undefined, undefined],
  ]);
  expect(graph.lines[0]?.extremes).toEqual([4, 2, 8, 4]);
});

it('draws the mean with its standard deviation, which the export names', () => {
  const graph = draw(RUNS, 'deviation');
  const [line] = graph.lines;
  expect([...graph.owners.values()][0]).toBe('optim "a-b".lr=0.01 · mean of 2 ± std');
  expect(line?.band?.mins[1]).toBeCloseTo(3 - Math.SQRT2);
  expect(line?.band?.maxes[1]).toBeCloseTo(3 + Math.SQRT2);
  const csv = createGraphCsv({ graph, lines: graph.lines.slice(0, 1), xRange: undefined, smoothing: 0 });
  expect(csv.split('\r\n')[0]).toMatch(/ · loss","[^,]* · loss mean - std","[^,]* · loss mean \+ std"$/);
});

it('keeps the band of numbers above 0 there, since a logarithmic axis has nothing below', () => {
  const { lines } = draw(
    [0.001, 0.001, 9].map((loss, at) => ({ job: `j-${at}`, group: { by: 'k', value: 'x' }, losses: [loss, loss] })),
    'deviation'
  );
  expect(lines[0]?.band?.mins).toEqual([0.001, 0.001]);
});

it('takes the mean of the runs that have a number at an X, between their points too', () => {
  const value = { by: 'k', value: 'x "y"' };
  const rows = (pairs: readonly (readonly [number, number | string])[]): TableInput['rows'] =>
    pairs.map(([epoch, loss]) => ({ epoch, loss }));
  const { lines } = draw(
    [
      {
        job: 'a',
        group: value,
        losses: [],
        rows: rows([
          [1, 10],
          [3, 30],
          [4, 'NaN'],
        ]),
      },
      {
        job: 'b',
        group: value,
        losses: [],
        rows: rows([
          [2, 40],
          [3, 10],
          [5, 50],
        ]),
      },
    ],
    'range'
  );
  const [line] = lines;
  expect(line?.xs).toEqual([1, 2, 3, 4, 5]);
  expect(line?.ys).toEqual([10, 30, 20, 30, 50]);
  expect(line?.band?.maxes).toEqual([10, 40, 30, 30, 50]);
  expect(line?.nonFinite).toEqual([{ x: 4, index: undefined, value: NaN }]);
});

it('counts a run once, however many tasks it has', () => {
  const group = { by: 'k', value: 1 };
  const graph = draw(
    [
      ...['0', '1', '2'].map((task) => ({ job: 'many', task, group, losses: [3, 3] })),
      { job: 'one', group, losses: [5, 5] },
    ],
    'range'
  );
  expect(graph.lines.map(({ ys }) => ys)).toEqual([[4, 4]]);
  expect([...graph.owners.values()]).toEqual(['k=1 · mean of 2, min–max']);
});

it('leaves graphs of jobs without groups as they are', () => {
  const graphs = createGraphs(createTables(RUNS.map(({ job, losses }) => createFrame({ job, losses }))), {
    kind: 'auto',
  });
  expect(groupRuns(graphs, 'range')).toEqual(graphs);
});

it('has as many colours as there are numbers, none twice', () => {
  expect([0, 1, 2, 7, 40].map((count) => new Set(createGradient(count)).size)).toEqual([0, 1, 2, 7, 40]);
});

it('draws means where a dashboard says nothing, or nonsense', () => {
  expect([{}, { runs: 'each' }, { runs: 3 }].map((stored) => readGraphOptions(stored).runs)).toEqual([
    ...['range', 'each', 'range'],
  ]);
});

it('draws long runs at so many points as a screen shows, from the first to the last', () => {
  const runs = ['a', 'b'].map((job, at) => ({
    ...{ job, group: { by: 'k', value: 'x' }, losses: [] },
    rows: Array.from({ length: 3001 }, (_, row) => ({ epoch: 2 * row + at, loss: row })),
  }));
  const [line] = draw(runs, 'range').lines;
  expect(line?.xs.length).toBeLessThanOrEqual(2001);
  expect([line?.xs[0], line?.xs.at(-1)]).toEqual([0, 6001]);
});
