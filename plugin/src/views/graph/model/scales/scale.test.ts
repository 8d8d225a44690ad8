import { alignLines } from './align.js';
import { listLogTicks } from './log-ticks.js';
import {
  findExtent,
  findYExtent,
  resolveYScale,
  scaleValues,
  widenExtent,
  type YScale,
  type YScaleChoice,
} from './scale.js';
import { chooseTimeFormat } from './time-ticks.js';
import { createPortalPosition } from '../plot/tooltip-position.js';

it.each<[string, YScaleChoice, number[][], YScale]>([
  [
    'lines of one size',
    'auto',
    [
      [1, 2],
      [30, 40],
    ],
    { kind: 'linear' },
  ],
  [
    'a loss and a learning rate',
    'auto',
    [
      [40, 2],
      [1e-5, 2e-5],
    ],
    { kind: 'log' },
  ],
  [
    'different sizes with zeros',
    'auto',
    [
      [0, 40],
      [1e-5, 2e-5],
    ],
    { kind: 'symlog', threshold: 1e-5 },
  ],
  ['one line alone', 'auto', [[1e-5, 40]], { kind: 'linear' }],
  ['a line that falls by decades', 'auto', [[100, 1, 0.1, 0.01, 0.001]], { kind: 'log' }],
  ['a rate that warms up', 'auto', [[1e-6, 4e-4, 5e-4, 1e-3]], { kind: 'linear' }],
  ['decades with a zero', 'auto', [[100, 1, 0.1, 0.01, 0]], { kind: 'linear' }],
  ['no line', 'auto', [], { kind: 'linear' }],
  ['log of positive values and gaps', 'log', [[1, NaN, 10]], { kind: 'log' }],
  ['log with a negative value', 'log', [[-3, 0.02]], { kind: 'symlog', threshold: 0.01 }],
  ['log through zero is never more than twelve decades', 'log', [[0, 1e-300, 1]], { kind: 'symlog', threshold: 1e-12 }],
  ['log of zeros alone', 'log', [[0, 0]], { kind: 'linear' }],
  ['shares', 'share', [[1]], { kind: 'share' }],
])('resolves the Y scale for %s', (_name, choice, lines, scale) => {
  expect(resolveYScale(choice, lines)).toEqual(scale);
});

it('writes each line as its share between its own lowest and highest value', () => {
  const share = (ys: number[]): readonly number[] => scaleValues(ys, { kind: 'share' });
  expect(share([10, 20, NaN, 15])).toEqual([0, 1, NaN, 0.5]);
  expect(share([3, 3, NaN])).toEqual([0.5, 0.5, NaN]);
  expect(share([])).toEqual([]);
});

it('finds extents of finite values, within a part of X for Y', () => {
  expect(findExtent([3, NaN, -1, Infinity])).toEqual({ min: -1, max: 3 });
  expect(findExtent([NaN])).toBeUndefined();
  const lines = [
    { xs: [1, 2, 3, 1], ys: [5, 6, 7, 50] },
    { xs: [9], ys: [1000] },
  ];
  expect(findYExtent(lines, { min: 2, max: 3 })).toEqual({ min: 6, max: 7 });
});

it('draws values whose distance is beyond all numbers in a larger unit', () => {
  const lines = [[-1.7e308, 0, 1.7e308]];
  const scale = resolveYScale('auto', lines);
  expect(scale).toEqual({ kind: 'linear', unit: 1e12 });
  expect(scaleValues(lines[0] ?? [], scale)).toEqual([-1.7e308 / 1e12, 0, 1.7e308 / 1e12]);
  expect(resolveYScale('log', lines)).toMatchObject({ kind: 'symlog', unit: 1e12 });
  expect(scaleValues(lines[0] ?? [], { kind: 'share' })).toEqual([0, 0.5, 1]);
});

it.each([
  [5, { min: 4.5, max: 5.5 }],
  [0, { min: -1, max: 1 }],
  [-10, { min: -11, max: -9 }],
])('gives a lone value %p room on either side', (value, extent) => {
  expect(widenExtent({ min: value, max: value })).toEqual(extent);
});

it.each([
  [2 ** 53, 2 ** 53 + 2],
  [-(2 ** 53) - 60, -(2 ** 53)],
  [1.795598874123e18, 1.795598874123e18 + 8192],
  [2 ** 64 - 2048, 2 ** 64],
])('takes the whole numbers %p and %p for two, however near they are', (min, max) => {
  expect(widenExtent({ min, max })).toEqual({ min, max });
});

it.each([
  [0.3, 0.1 + 0.2],
  [1e300, 1e300 * (1 + 1e-15)],
])('takes %p and %p for one number that was rounded', (min, max) => {
  expect(widenExtent({ min, max }).max / max).toBeCloseTo(1.1);
});

it('aligns lines by all their X values, the newest value winning at a repeated X', () => {
  const data = alignLines([
    { xs: [3, 1, 3], ys: [1, 2, 9] },
    { xs: [2, 3], ys: [5, NaN] },
  ]);
  expect(data).toEqual([
    [1, 2, 3],
    [2, null, 9],
    [null, 5, null],
  ]);
});

it.each<[string, number, number, number, number | undefined, number[]]>([
  ['decades', 0.01, 1000, 10, undefined, [0.01, 0.1, 1, 10, 100, 1000]],
  ['fewer where there is no room', 0.01, 1000, 3, undefined, [0.01, 1, 100]],
  ['2 and 5 between few decades', 0.05, 1, 10, undefined, [0.05, 0.1, 0.2, 0.5, 1]],
  ['steps within a decade', 3.1, 3.9, 4, undefined, [3.2, 3.4, 3.6, 3.8]],
  ['steps far within a decade', 1000.2, 1000.7, 5, undefined, [1000.2, 1000.3, 1000.4, 1000.5, 1000.6, 1000.7]],
  ['both sides of zero', -20, 300, 10, 1, [-10, -1, 0, 1, 10, 100]],
  ['one side from zero', 0, 100, 10, 0.1, [0, 0.1, 1, 10, 100]],
  ['steps within the linear part', -0.4, 0.4, 4, 1, [-0.4, -0.2, 0, 0.2, 0.4]],
  ['the smallest numbers', 1e-320, 1e-310, 5, undefined, [1e-318, 1e-315, 1e-312]],
])('divides a logarithmic axis: %s', (_name, min, max, room, threshold, ticks) => {
  const found = listLogTicks({ min, max }, room, threshold);
  expect(found.map((tick) => Number(tick.toPrecision(12)))).toEqual(ticks);
});

it.each([
  [500, 5_000, 'HH:mm:ss.SSS'],
  [10_000, 60_000, 'HH:mm:ss'],
  [60_000, 600_000, 'HH:mm'],
  [3_600_000, 3 * 86_400_000, 'MM-DD HH:mm'],
  [86_400_000, 10 * 86_400_000, 'MM-DD'],
  [31 * 86_400_000, 400 * 86_400_000, 'YYYY-MM'],
  [366 * 86_400_000, 4000 * 86_400_000, 'YYYY'],
])('writes ticks %p ms apart on an axis of %p ms as %s', (stepMs, rangeMs, format) => {
  expect(chooseTimeFormat(stepMs, rangeMs)).toBe(format);
});

it.each([
  ['right and below', { x: 10, y: 10 }, { left: 24, top: 24 }],
  ['left at the right edge', { x: 990, y: 10 }, { left: 776, top: 24 }],
  ['up at the lower edge', { x: 10, y: 590 }, { left: 24, top: 500 }],
])('puts the tooltip %s', (_name, mouse, place) => {
  expect(createPortalPosition(mouse, { width: 200, height: 100 }, { width: 1000, height: 600 })).toEqual(place);
});
