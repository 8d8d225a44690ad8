import { createColumn } from './column.js';

describe('createColumn', () => {
  it.each([
    ['numbers', [1, 2.5], 'number', [1, 2.5]],
    ['numbers with gaps', [1, null, 3], 'number', [1, null, 3]],
    ['NaN and infinities as printed', [1, 'NaN', 'Infinity', '-Infinity'], 'number', [1, NaN, Infinity, -Infinity]],
    ['null as printed', [1, 'null'], 'number', [1, null]],
    ['nothing but NaN', ['NaN', null], 'number', [NaN, null]],
    ['texts', ['a', null], 'string', ['a', null]],
    ['numbers and texts', [1, 'a', null], 'string', ['1', 'a', null]],
    ['booleans', ['true', 'false'], 'string', ['true', 'false']],
    ['integers beyond 2^53 as printed', [1, '9007199254740993'], 'string', ['1', '9007199254740993']],
    ['nothing but nulls', ['null', null], 'string', ['null', null]],
    ['nothing', [], 'string', []],
  ])('%s', (_name, cells, type, values) => {
    expect(createColumn(cells)).toEqual({ type, values });
  });
});
