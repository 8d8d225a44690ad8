import { withStoredTypes } from './stored-types.js';

describe('withStoredTypes', () => {
  it.each([
    ['a float', 1.5, 1.5],
    ['an integer', 3n, 3],
    ['the largest integer, to the nearest float', 2n ** 63n - 1n, 2 ** 63],
    ['true', true, 'true'],
    ['false', false, 'false'],
    ['a string', 'x', 'x'],
  ])('stores %s', (_name, value, stored) => {
    const point = { measurement: 'm', tags: new Map([['a', 'b']]), fields: new Map([['f', value]]), timeNs: 7n };
    expect(withStoredTypes(point)).toEqual({ ...point, fields: new Map([['f', stored]]) });
  });
});
