import { createColumn, readStoredCell } from './column.js';

describe('createColumn', () => {
  it.each([
    ['numbers', [1, 2.5], 'number', [1, 2.5]],
    ['numbers with gaps', [1, null, 3], 'number', [1, null, 3]],
    ['NaN and infinities as printed', [1, 'NaN', 'Infinity', '-Infinity'], 'number', [1, NaN, Infinity, -Infinity]],
    ['null as printed', [1, 'null'], 'number', [1, null]],
    ['nothing but NaN', ['NaN', null], 'number', [NaN, null]],
    ['texts', ['a', null], 'string', ['a', null]],
    ['texts and NaN', ['a', 'NaN', 'null'], 'string', ['a', 'NaN', 'null']],
    ['booleans', ['true', 'false'], 'string', ['true', 'false']],
    ['nothing but nulls', ['null', null], 'string', ['null', null]],
    ['nothing', [], 'string', []],
  ])('%s', (_name, cells, type, values) => {
    expect(createColumn(cells)).toEqual({ type, values, texts: [] });
  });

  it('has the nearest float of integers beyond 2^53, and their digits', () => {
    const cells = ['1795598874123456789', 1, null, 'x', '9007199254740993'];
    const floats = new Map([
      [0, 1795598874123456800],
      [4, 2 ** 53],
    ]);
    const column = createColumn(cells, floats);
    expect(column).toEqual({
      type: 'number',
      values: [1795598874123456800, 1, null, null, 2 ** 53],
      texts: [
        [0, '1795598874123456789'],
        [3, 'x'],
        [4, '9007199254740993'],
      ],
    });
    const stored = { ...column, texts: new Map(column.texts), hasTexts: false };
    expect(cells.map((_, row) => readStoredCell(stored, row))).toEqual(cells);
  });

  it('keeps the texts among numbers apart, and their rows', () => {
    const cells = [1, 'n/a', null, '1e400', 'NaN', 'null', '', 2.5];
    const column = createColumn(cells);
    expect(column).toEqual({
      type: 'number',
      values: [1, null, null, null, NaN, null, null, 2.5],
      texts: [
        [1, 'n/a'],
        [3, '1e400'],
        [6, ''],
      ],
    });
    const stored = { ...column, texts: new Map(column.texts), hasTexts: true };
    expect(cells.map((_, row) => readStoredCell(stored, row))).toEqual(cells.map((cell) => cell ?? 'null'));
  });
});
