import { formatNumber } from './format-number.js';
import { labelLogTicks, labelTicks } from './tick-labels.js';

it.each<[number, number | undefined, string]>([
  [-1234567.891, undefined, '-1234567.891'],
  [-1234567.8912345, undefined, '-1234567.891'],
  [-1234567.8912345, 0.0002, '-1234567.8912'],
  [0.123456789, undefined, '0.12346'],
  [98.7654321, undefined, '98.765'],
  [4905.1234, undefined, '4905.123'],
  [0.5, 1e-9, '0.5'],
  [0.500000001, 1e-9, '0.500000001'],
  [0, undefined, '0'],
  [1795598874, undefined, '1795598874'],
  [1795598874.123, 0.001, '1795598874.123'],
  [2e-4, undefined, '2e-4'],
  [1.23456789e-40, undefined, '1.2346e-40'],
  [1.2345678e-40, 1e-46, '1.234568e-40'],
  [1.5e308, undefined, '1.5e+308'],
  [5e-324, undefined, '4.9407e-324'],
  [1e21, undefined, '1e+21'],
  [1e20, undefined, '1e+20'],
  [NaN, undefined, 'NaN'],
  [-Infinity, 1, '-Infinity'],
])('writes %p, %p from its neighbour, as %s', (value, step, text) => {
  expect(formatNumber(value, step)).toBe(text);
});

it.each<[readonly (number | null)[], readonly string[]]>([
  [
    [0, 0.5, 1, 1.5],
    ['0', '0.5', '1.0', '1.5'],
  ],
  [
    [1795598870, 1795598880, 1795598890],
    ['1795598870', '1795598880', '1795598890'],
  ],
  [
    [1.8e9, 2e9, 2.2e9],
    ['1.8B', '2.0B', '2.2B'],
  ],
  [
    [0, 500_000, 1e6, 1.5e6],
    ['0', '0.5M', '1.0M', '1.5M'],
  ],
  [
    [-1234567.8905, null, -1234567.89],
    ['-1234567.8905', '', '-1234567.8900'],
  ],
  [
    [0.1 + 0.2, 0.4, 0.5],
    ['0.3', '0.4', '0.5'],
  ],
  [
    [-1e-17, 0.1, 0.2],
    ['0', '0.1', '0.2'],
  ],
  [
    [8e-5, 1e-4, 1.2e-4],
    ['8e-5', '1e-4', '1.2e-4'],
  ],
  [
    [-1e308, 0, 1e308],
    ['-1e+308', '0', '1e+308'],
  ],
  [
    [2e-40, 2.5e-40],
    ['2e-40', '2.5e-40'],
  ],
  [[0], ['0']],
  [[], []],
])('labels ticks at %j', (ticks, labels) => {
  expect(labelTicks(ticks)).toEqual(labels);
});

it('tells any two neighbours apart, whatever their size and step', () => {
  for (const size of [0, 1e-300, 1e-40, 1e-5, 0.1, 7, 1234567, 1795598874, 1e14, 1e20, 1e300]) {
    for (const step of [1e-12, 1e-9, 1e-4, 0.025, 0.5, 2].map((share) => share * (size || 1))) {
      const ticks = [0, 1, 2, 3].map((at) => size + at * step);
      for (const signed of [ticks, ticks.map((tick) => -tick)]) {
        const labels = labelTicks(signed);
        expect([size, step, new Set(labels).size]).toEqual([size, step, 4]);
        labels.forEach((label) => expect(label.length).toBeLessThan(25));
      }
    }
  }
});

it('labels ticks of different sizes each for itself', () => {
  expect(labelLogTicks([0.001, null, 0.01, 1, 1000, 1e6, 2e9])).toEqual(['0.001', '', '0.01', '1', '1000', '1M', '2B']);
  expect(labelLogTicks([-10, 0, 1e-5])).toEqual(['-10', '0', '1e-5']);
  expect(labelLogTicks([3.0001, 3.0002])).toEqual(['3.0001', '3.0002']);
});

it('writes 0 for a computed 0 alone, not for the small end of a long axis', () => {
  expect(labelTicks([2, 2597])).toEqual(['2', '2597']);
  expect(labelTicks([-0.5, 1e-17, 0.5])).toEqual(['-0.5', '0', '0.5']);
});
