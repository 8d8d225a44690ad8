import type { Column } from '../../../parts/components/tables.js';
import { alignLines } from '../scales/align.js';
import type { GraphLine } from '../lines/graphs.js';
import { nextSort, sortLines, summariseLine, type LegendSort } from '../lines/line-summary.js';
import { createPlotLines, type PlotLine } from './plot-lines.js';
import { createTooltipContent } from './tooltip-content.js';

function createModel(name: string, ys: readonly number[], nonFinite: GraphLine['nonFinite'] = []): GraphLine {
  const column = { title: name, name, field: { config: {} } } as unknown as Column;
  return {
    name,
    owner: '',
    column,
    xs: ys.map((_, x) => x),
    ys,
    extremes: ys,
    nonFinite,
    timesMs: undefined,
    timesNs: undefined,
  };
}

function plotLines(models: readonly GraphLine[], smoothing = 0, hidden: readonly string[] = []): readonly PlotLine[] {
  const lines = createPlotLines(models, new Map(), { kind: 'linear' }, smoothing);
  return lines.map((line) => ({ ...line, isVisible: !hidden.includes(line.model.name) }));
}

function rowsAt(index: number, lines: readonly PlotLine[], otherLines: readonly PlotLine[] = []) {
  const measureDistance = (drawn: number): number => Math.abs(drawn - 5);
  const data = alignLines(lines);
  return createTooltipContent({ title: 'x', lines, data, index, measureDistance, otherLines });
}

it('has the values at one X, the largest first, and marks the nearest to the mouse', () => {
  const lines = plotLines([createModel('a', [1]), createModel('b', [6]), createModel('c', [90])]);
  const { rows } = rowsAt(0, lines);
  expect(rows.map(({ name, value, isNearest }) => [name, value, isNearest])).toEqual([
    ['c', '90', false],
    ['b', '6', true],
    ['a', '1', false],
  ]);
});

it('has the lines of the other graphs behind its own, and no hidden ones', () => {
  const content = rowsAt(
    0,
    plotLines([createModel('a', [1])]),
    plotLines([createModel('b', [2]), createModel('c', [3])], 0, ['b'])
  );
  expect([content.rows, content.otherRows].map((rows) => rows.map(({ name }) => name))).toEqual([['a'], ['c']]);
});

it('names a value that is not finite, last where it is no number, and leaves out a gap', () => {
  const lines = plotLines([
    createModel('gap', [NaN]),
    createModel('nan', [NaN], [{ x: 0, index: 0, value: NaN }]),
    createModel('inf', [NaN], [{ x: 0, index: 0, value: Infinity }]),
    createModel('one', [1]),
  ]);
  expect(rowsAt(0, lines).rows.map(({ value }) => value)).toEqual(['Infinity', '1', 'NaN']);
});

it('names a value that is not finite and lies between the points', () => {
  const [line] = plotLines([createModel('loss', [2, 1], [{ x: 0.5, index: undefined, value: NaN }])]);
  const lines = line === undefined ? [] : [line];
  const data = alignLines(lines, [0.5]);
  expect(data).toEqual([
    [0, 0.5, 1],
    [2, null, 1],
  ]);
  const content = createTooltipContent({ title: 'x', lines, data, index: 1, measureDistance: () => 0, otherLines: [] });
  expect(content.rows.map(({ name, value }) => [name, value])).toEqual([['loss', 'NaN']]);
});

it('has the smoothed value and the one before smoothing', () => {
  const [row] = rowsAt(1, plotLines([createModel('a', [8, 0])], 0.5)).rows;
  expect(row).toMatchObject({ value: '2.6667', rawValue: '0' });
});

it('counts what it leaves out', () => {
  const lines = plotLines(Array.from({ length: 30 }, (_, index) => createModel(`k${index}`, [index])));
  expect(rowsAt(0, lines)).toMatchObject({ rows: { length: 24 }, moreRows: 6 });
});

it('summarises the finite values of a line', () => {
  expect(summariseLine(createModel('a', [3, 1, NaN, 2, NaN]))).toEqual({
    last: { value: 2, step: Infinity },
    min: { value: 1, step: 2 },
    max: { value: 3, step: 2 },
  });
  expect(summariseLine(createModel('a', [NaN]))).toEqual({ last: undefined, min: undefined, max: undefined });
});

it.each<[LegendSort | undefined, string[]]>([
  [undefined, ['k2', 'k10', 'none']],
  [{ column: 'last', isDescending: true }, ['k10', 'k2', 'none']],
  [{ column: 'last', isDescending: false }, ['k2', 'k10', 'none']],
  [{ column: 'name', isDescending: true }, ['none', 'k10', 'k2']],
])('sorts the legend by %p', (sort, names) => {
  const lines = [createModel('k2', [1]), createModel('k10', [5]), createModel('none', [NaN])].map((model) => ({
    model,
  }));
  expect(sortLines(lines, sort).map(({ model }) => model.name)).toEqual(names);
});

it('turns the order round at a second click, and ends it at a third', () => {
  const first = nextSort(undefined, 'max');
  const second = nextSort(first, 'max');
  expect([first, second, nextSort(second, 'max'), nextSort(first, 'name')]).toEqual([
    { column: 'max', isDescending: true },
    { column: 'max', isDescending: false },
    undefined,
    { column: 'name', isDescending: false },
  ]);
});
