import { parseMetadataLine } from './parse-metadata.js';

function parse(line: string): Array<[string, number | string]> | undefined {
  const row = parseMetadataLine(line, { nonfinite: 'log' });
  return row && [...row];
}

describe('parseMetadataLine', () => {
  it.each([
    '',
    '{}',
    '{ }',
    '[]',
    '[{"a":1}]',
    '1',
    'null',
    '"a"',
    'loss 0.5',
    ' {"a":1}',
    '{"a":1} ',
    '\t{"a":1}',
    '{"a":1}\r',
    '\ufeff{"a":1}',
    '{"a":1}}',
    '{"a":1}{"b":2}',
    '{"a":1,}',
    '{"a":01}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a" 1}',
    '{"a":"b\nc"}',
    '{"a":"\\x"}',
    "{'a': 1}",
    "{'a': None}",
    '{a:1}',
    '{"a":True}',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":1\u00a0}',
    '{',
    '}',
    '{"a":1',
    '{"}',
  ])('takes %j for a log line', (line) => {
    expect(parse(line)).toBeUndefined();
  });

  it.each<[string, Array<[string, number | string]>]>([
    [
      '{"epoch": 1, "loss": 0.5}',
      [
        ['epoch', 1],
        ['loss', 0.5],
      ],
    ],
    ['{ "a" : 1 }', [['a', 1]]],
    ['{\t"a":\t1\t}', [['a', 1]]],
    [
      '{"a":"text","b":""}',
      [
        ['a', 'text'],
        ['b', ''],
      ],
    ],
    ['{"":1}', [['', 1]]],
    [
      '{"n":null,"t":true,"f":false}',
      [
        ['n', 'null'],
        ['t', 'true'],
        ['f', 'false'],
      ],
    ],
    ['{"s":"null"}', [['s', 'null']]],
    ['{"a":[1, "b", null]}', [['a', '[1,"b",null]']]],
    ['{"a":[]}', [['a', '[]']]],
    [
      '{"a":-0,"b":-0.0}',
      [
        ['a', -0],
        ['b', -0],
      ],
    ],
    [
      '{"a":1.0,"b":1e2,"c":-1E-2}',
      [
        ['a', 1],
        ['b', 100],
        ['c', -0.01],
      ],
    ],
  ])('reads %s', (line, row) => {
    expect(parse(line)).toEqual(row);
  });

  it.each<[string, string, Array<[string, number | string]>]>([
    [
      'integer-like keys',
      '{"b":1,"10":2,"9":3,"a":4}',
      [
        ['b', 1],
        ['10', 2],
        ['9', 3],
        ['a', 4],
      ],
    ],
    [
      'integer-like keys inside',
      '{"a":{"z":1,"2":2,"1":3}}',
      [
        ['a.z', 1],
        ['a.2', 2],
        ['a.1', 3],
      ],
    ],
    ['integer-like keys in arrays', '{"a":[{"z":1,"2":2}]}', [['a', '[{"z":1,"2":2}]']]],
    [
      'equal keys, the last value at the first place',
      '{"a":1,"b":2,"a":3}',
      [
        ['a', 3],
        ['b', 2],
      ],
    ],
    ['equal keys, the last is no object', '{"a":{"b":1},"a":3}', [['a', 3]]],
    [
      '__proto__',
      '{"__proto__":1,"constructor":2}',
      [
        ['__proto__', 1],
        ['constructor', 2],
      ],
    ],
    [
      '__proto__ that is an object',
      '{"__proto__":{"a":1},"b":2}',
      [
        ['__proto__.a', 1],
        ['b', 2],
      ],
    ],
    [
      'integers up to 2^53',
      '{"a":9007199254740991,"b":-9007199254740991,"c":9007199254740992,"d":-9007199254740992}',
      [
        ['a', 9007199254740991],
        ['b', -9007199254740991],
        ['c', 9007199254740992],
        ['d', -9007199254740992],
      ],
    ],
    [
      'integers beyond 2^53',
      '{"a":9007199254740993,"b":-12345678901234567890}',
      [
        ['a', '9007199254740993'],
        ['b', '-12345678901234567890'],
      ],
    ],
    ['integers beyond 2^53 in arrays', '{"a":[9007199254740993, -0]}', [['a', '[9007199254740993,-0]']]],
    [
      'large floats',
      '{"a":1e22,"b":12345678901234567168.0}',
      [
        ['a', 1e22],
        ['b', 12345678901234567168],
      ],
    ],
    [
      'numbers beyond a double',
      '{"a":1e400,"b":-1E+999,"c":[1e400]}',
      [
        ['a', '1e400'],
        ['b', '-1E+999'],
        ['c', '[1e400]'],
      ],
    ],
    [
      'lone surrogates',
      '{"a\\ud800":"\\udfff!","b":"\\ud83d\\ude00"}',
      [
        ['a\ufffd', '\ufffd!'],
        ['b', '\u{1f600}'],
      ],
    ],
    ['escapes', '{"a\\n\\"b":"\\u0000\\\\"}', [['a\n"b', '\0\\']]],
  ])('keeps %s', (_name, line, row) => {
    expect(parse(line)).toEqual(row);
  });

  it.each<[string, Array<[string, number | string]>]>([
    [
      '{"a":{"b":1,"c":{"d":2}},"e":3}',
      [
        ['a.b', 1],
        ['a.c.d', 2],
        ['e', 3],
      ],
    ],
    ['{"a":{}}', [['a', '{}']]],
    ['{"a":{"b":{}}}', [['a.b', '{}']]],
    ['{"a":{"b":[{"c":1}]}}', [['a.b', '[{"c":1}]']]],
    ['{"":{"":1}}', [['.', 1]]],
    [
      '{"a":{"b":1},"a.b":2}',
      [
        ['a', '{"b":1}'],
        ['a.b', 2],
      ],
    ],
    [
      '{"a.b":2,"a":{"b":1}}',
      [
        ['a.b', 2],
        ['a', '{"b":1}'],
      ],
    ],
    [
      '{"a":{"b":1,"c":2},"a.c":3}',
      [
        ['a', '{"b":1,"c":2}'],
        ['a.c', 3],
      ],
    ],
    [
      '{"a":{"b":{"c":1},"d":2},"a.b.c":3}',
      [
        ['a.b', '{"c":1}'],
        ['a.d', 2],
        ['a.b.c', 3],
      ],
    ],
    [
      '{"a":{"b":{"c":1},"b.c":2}}',
      [
        ['a.b', '{"c":1}'],
        ['a.b.c', 2],
      ],
    ],
    [
      '{"a":{"b.c":1},"a.b":{"c":2}}',
      [
        ['a.b.c', 1],
        ['a.b', '{"c":2}'],
      ],
    ],
    [
      '{"a.b":{"c":2},"a":{"b.c":1}}',
      [
        ['a.b.c', 2],
        ['a', '{"b.c":1}'],
      ],
    ],
    [
      '{"a":{"b":{"c":1}},"a.b":{"c":2}}',
      [
        ['a', '{"b":{"c":1}}'],
        ['a.b.c', 2],
      ],
    ],
    [
      '{"a.b":1,"a":{"b":12345678901234567890,"2":null,"1":[]}}',
      [
        ['a.b', 1],
        ['a', '{"b":12345678901234567890,"2":null,"1":[]}'],
      ],
    ],
  ])('flattens %s', (line, row) => {
    expect(parse(line)).toEqual(row);
  });

  it('takes absurdly deep nesting for a log line', () => {
    const nest = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(parse(nest(400))).toHaveLength(1);
    expect(parse(nest(100_000))).toBeUndefined();
    expect(parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toBeUndefined();
  });
});
