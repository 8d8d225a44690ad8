import { parseMetadataLine } from './parse-metadata.js';

describe('the option nonfinite', () => {
  it.each<[string, Array<[string, number | string]>]>([
    ['{"a":NaN}', [['a', 'NaN']]],
    [
      '{"loss": NaN, "b": Infinity, "c": -Infinity, "d": 1}',
      [
        ['loss', 'NaN'],
        ['b', 'Infinity'],
        ['c', '-Infinity'],
        ['d', 1],
      ],
    ],
    [
      '{"a":[1,NaN],"b":{"c":NaN}}',
      [
        ['a', '[1,NaN]'],
        ['b.c', 'NaN'],
      ],
    ],
    [
      '{"NaN":"Infinity \\" NaN","a":NaN}',
      [
        ['NaN', 'Infinity " NaN'],
        ['a', 'NaN'],
      ],
    ],
    ['{"a":"NaN"}', [['a', 'NaN']]],
  ])('takes %s as metadata when it is on', (line, row) => {
    expect([...(parseMetadataLine(line, { nonfinite: 'metadata' }) ?? [])]).toEqual(row);
  });

  it.each([
    '{"a":nan}',
    '{"a":-NaN}',
    '{"a":+Infinity}',
    '{"a":--Infinity}',
    '{"a":1NaN}',
    '{"a":NaN1}',
    '{"a":NaNNaN}',
    '{"a":NaN NaN}',
    '{"a":Infinity.5}',
    '{"a":_NaN}',
    '{"a":$NaN}',
    '{NaN:1}',
    '{"a":NaN,}',
    '{"a":NaN',
    '{"a":NaN} ',
    '{"a":NaN,"b":None}',
    '{"a":NaN,"b":"c',
    '{"a":"b\\","c":NaN}',
  ])('leaves %s a log line all the same', (line) => {
    expect(parseMetadataLine(line, { nonfinite: 'metadata' })).toBeUndefined();
  });
});
