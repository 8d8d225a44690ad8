import { labelTicks } from '@joblens/core/numbers/tick-labels';
import { drawGraph, type GraphOptions } from './draw-graph.js';

const OPTIONS: GraphOptions = {
  width: 80,
  height: 10,
  hasColors: false,
  charset: 'utf-8',
  xName: 'x (s)',
  labelX: labelTicks,
};

it.each<[string, readonly number[], readonly string[], string]>([
  [
    'an energy that converges',
    [-1234567.891, -1234567.893, -1234567.8935],
    ['-1234567.89100', '-1234567.89225', '-1234567.89350'],
    'e - a (b)   last -1234567.8935   min -1234567.8935   max -1234567.891',
  ],
  [
    'values to both sides of 1e308',
    [-1.7e308, 0, 1.7e308],
    ['1.7e+308', '0', '-1.7e+308'],
    'e - a (b)   last 1.7e+308   min -1.7e+308   max 1.7e+308',
  ],
])('writes numbers that differ differently: %s', (_name, ys, labels, legend) => {
  const pieces = ys.map((y, at) => ({ x: 1795598870 + at, mean: y, last: y, min: y, max: y }));
  const [head, ...lines] = drawGraph([{ name: 'e - a (b)', pieces }], OPTIONS).split('\n');
  expect(head).toBe(legend);
  const found = lines.flatMap((line) => (/^\s*(\S+) ┤/.exec(line) ?? []).slice(1));
  expect(found).toEqual(labels);
  expect(lines.join('\n')).toMatch(/ 1795598870 .* 1795598872\n/);
});

it('draws with ASCII alone where nothing else can be shown', () => {
  const pieces = [0, 1, 2, 3].map((x) => ({ x, mean: x, last: x, min: x, max: x }));
  const curves = [
    { name: 'a', pieces },
    { name: 'b'.repeat(80), pieces },
  ];
  const graph = drawGraph(curves, { ...OPTIONS, charset: 'ascii', width: 30, height: 8 });
  expect(graph).toMatch(/^[\n -~]*$/);
  const [first, second, ...lines] = graph.split('\n');
  expect([first, second]).toEqual(['-- a   last 3   min 0   max 3', `-- ${'b'.repeat(24)}...`]);
  expect(lines.slice(0, 5).map((line) => line.slice(4))).toEqual([
    "+                  ....''",
    "|            ...'''",
    "+      ...''''",
    "+..''''",
    '+------------------------',
  ]);
});
