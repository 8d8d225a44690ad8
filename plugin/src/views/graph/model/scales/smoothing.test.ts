import fc from 'fast-check';
import { readSmoothing, smoothValues } from './smoothing.js';

/** TensorBoard's own words, for values at even distances. */
function smoothLikeTensorBoard(ys: readonly number[], weight: number): number[] {
  let last = 0;
  return ys.map((y, index) => {
    last = last * weight + (1 - weight) * y;
    return last / (1 - weight ** (index + 1));
  });
}

const close = (values: readonly number[]): number[] =>
  values.map((value) => (Number.isNaN(value) ? NaN : (expect.closeTo(value, 9) as number)));

it('is the average of TensorBoard on an even X', () => {
  const ys = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(ys, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (values, weight) => {
      const xs = values.map((_, index) => index * 5);
      const expected = smoothLikeTensorBoard(values, weight);
      smoothValues(xs, values, weight).forEach((value, index) => expect(value).toBeCloseTo(expected[index] ?? NaN, 4));
    })
  );
});

it.each<[string, number[], number[], number[]]>([
  ['begins with the first value', [0, 1], [8, 0], [8, 8 / 3]],
  ['keeps a constant', [0, 1, 5], [3, 3, 3], [3, 3, 3]],
  ['fades by distance', [0, 1, 2, 4], [0, 0, 0, 7], [0, 0, 0, 7 / (1 + 1 / 4 + 1 / 8 + 1 / 16)]],
  ['passes over what is not finite', [0, 1, 2], [8, NaN, 0], [8, NaN, 8 / 5]],
  ['has none of an infinite value', [0, 1], [Infinity, 2], [NaN, 2]],
  ['starts anew where X falls back', [0, 1, 2, 0, 1], [8, 8, 8, 2, 2], [8, 8, 8, 2, 2]],
  ['goes by rows where X never changes', [5, 5], [8, 0], [8, 8 / 3]],
  ['counts values at one X alike', [0, 1, 1], [0, 0, 6], [0, 0, 6 / 2.5]],
  ['takes no values', [], [], []],
])('%s', (_name, xs, ys, smooth) => {
  expect(smoothValues(xs, ys, 0.5)).toEqual(close(smooth));
});

it('changes nothing without a weight', () => {
  const ys = [1, 2];
  expect(smoothValues([0, 1], ys, 0)).toBe(ys);
});

it.each<[unknown, number]>([
  [0.6, 0.6],
  ['0.6', 0.6],
  [2, 0.99],
  [-1, 0],
  ['much', 0],
  [undefined, 0],
])('reads a weight of %p as %p', (value, weight) => {
  expect(readSmoothing(value)).toBe(weight);
});
