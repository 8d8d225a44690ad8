import { formatPoint } from './line-protocol.js';
import { parseLineProtocol } from './parse-line-protocol.js';
import type { FieldValue, Point } from './point.js';
import { createTagSet } from './tag-set.js';

function point(parts: Partial<Point>): Point {
  return { measurement: 'm', tags: new Map(), fields: new Map([['v', 1]]), timeNs: 5n, ...parts };
}

const OPTIONS = { precision: 'ns', defaultTimeNs: 77n } as const;

describe('formatPoint', () => {
  it.each<[string, Partial<Point>, string]>([
    ['a float', {}, 'm v=1 5'],
    ['a time before 1970', { timeNs: -1n }, 'm v=1 -1'],
    ['the measurement', { measurement: 'a b,c=d"e' }, 'a\\ b\\,c=d"e v=1 5'],
    [
      'tags sorted by code point',
      {
        tags: new Map([
          ['\u{1f600}', 'a'],
          ['\uff21', 'b'],
          ['b', '='],
          ['B', ' ,'],
        ]),
      },
      'm,B=\\ \\,,b=\\=,\uff21=b,\u{1f600}=a v=1 5',
    ],
    [
      'field keys',
      {
        fields: new Map([
          ['a b', 1],
          ['c,d=e', 2],
          ['"', 3],
        ]),
      },
      'm a\\ b=1,c\\,d\\=e=2,"=3 5',
    ],
    ['strings', { fields: new Map([['s', 'a "b" \\ c, d=e\nf']]) }, 'm s="a \\"b\\" \\\\ c, d=e\nf" 5'],
    ['a backslash at the end of a string', { fields: new Map([['s', '\\']]) }, 'm s="\\\\" 5'],
    ['integers', { fields: new Map([['i', -9223372036854775808n]]) }, 'm i=-9223372036854775808i 5'],
    [
      'booleans',
      {
        fields: new Map([
          ['t', true],
          ['f', false],
        ]),
      },
      'm t=true,f=false 5',
    ],
    [
      'large and small floats',
      {
        fields: new Map([
          ['a', 1e21],
          ['b', 5e-324],
          ['c', -1.5e300],
        ]),
      },
      'm a=1e+21,b=5e-324,c=-1.5e+300 5',
    ],
    ['minus zero', { fields: new Map([['z', -0]]) }, 'm z=-0 5'],
  ])('writes %s', (_name, parts, line) => {
    expect(formatPoint(point(parts))).toBe(line);
  });

  it.each<[string, Partial<Point>]>([
    ['no field', { fields: new Map() }],
    ['an empty measurement', { measurement: '' }],
    ['a comment', { measurement: '#m' }],
    ['white space that is skipped', { measurement: '\tm' }],
    ['a newline in the measurement', { measurement: 'a\nb' }],
    ['a backslash before a quote in the measurement', { measurement: 'a\\"' }],
    ['an empty tag key', { tags: new Map([['', 'a']]) }],
    ['an empty tag value', { tags: new Map([['a', '']]) }],
    ['a newline in a tag value', { tags: new Map([['a', 'b\nc']]) }],
    ['a backslash at the end of a tag value', { tags: new Map([['a', 'b\\']]) }],
    ['a backslash before a comma in a tag value', { tags: new Map([['a', 'b\\,c']]) }],
    ['a backslash at the end of a tag key', { tags: new Map([['a\\', 'b']]) }],
    ['an empty field key', { fields: new Map([['', 1]]) }],
    ['a field key that begins with NUL', { fields: new Map([['\0a', 1]]) }],
    ['a backslash before = in a field key', { fields: new Map([['a\\=', 1]]) }],
    ['NaN', { fields: new Map([['a', Number.NaN]]) }],
    ['Infinity', { fields: new Map([['a', Number.POSITIVE_INFINITY]]) }],
    ['an integer beyond int64', { fields: new Map([['a', 9223372036854775808n]]) }],
    ['a time beyond int64', { timeNs: 9223372036854775807n }],
  ])('refuses %s with a TypeError', (_name, parts) => {
    expect(() => formatPoint(point(parts))).toThrow(TypeError);
  });

  it('prints a tag set the same whether it was made by createTagSet or not', () => {
    const entries: ReadonlyArray<readonly [string, string]> = [
      ['user', 'a b'],
      ['job', '1'],
    ];
    expect(formatPoint(point({ tags: createTagSet(entries) }))).toBe(formatPoint(point({ tags: new Map(entries) })));
  });

  it('prints a map that changed between two points anew', () => {
    const tags = new Map([['a', '1']]);
    const first = formatPoint(point({ tags }));
    tags.set('a', '2');
    expect([first, formatPoint(point({ tags }))]).toEqual(['m,a=1 v=1 5', 'm,a=2 v=1 5']);
  });
});

describe('parseLineProtocol', () => {
  it.each<[string, string, Partial<Point>]>([
    ['floats', 'm v=1 5', {}],
    [
      'floats of every form',
      'm a=1.,b=.5,c=-1e3,d=1E+3 5',
      {
        fields: new Map([
          ['a', 1],
          ['b', 0.5],
          ['c', -1000],
          ['d', 1000],
        ]),
      },
    ],
    ['integers', 'm v=9223372036854775807i 5', { fields: new Map([['v', 9223372036854775807n]]) }],
    [
      'booleans of every form',
      'm a=t,b=TRUE,c=True,d=f,e=False 5',
      {
        fields: new Map<string, FieldValue>([
          ['a', true],
          ['b', true],
          ['c', true],
          ['d', false],
          ['e', false],
        ]),
      },
    ],
    [
      'strings with newlines, commas and quotes',
      'm v="a\nb, \\"c\\" \\\\ \\n" 5',
      { fields: new Map([['v', 'a\nb, "c" \\ \\n']]) },
    ],
    ['an empty string', 'm v="" 5', { fields: new Map([['v', '']]) }],
    [
      'escaped names',
      'a\\ b\\,c,t\\=\\ k=\\,v f\\ \\=\\,=1 5',
      { measurement: 'a b,c', tags: new Map([['t= k', ',v']]), fields: new Map([['f =,', 1]]) },
    ],
    [
      'a backslash before an ordinary letter',
      'm,a=\\b \\v=1 5',
      { tags: new Map([['a', '\\b']]), fields: new Map([['\\v', 1]]) },
    ],
    [
      'tags in any order',
      'm,b=1,a=2 v=1 5',
      {
        tags: new Map([
          ['a', '2'],
          ['b', '1'],
        ]),
      },
    ],
    ['no time', 'm v=1', { timeNs: 77n }],
    ['no time but a space', 'm v=1 ', { timeNs: 77n }],
    ['spaces between and around', ' \t m  v=1  5  ', {}],
    ['the last of two equal field keys', 'm v=2,v=1 5', {}],
    ['a negative time', 'm v=1 -5', { timeNs: -5n }],
  ])('reads %s', (_name, text, parts) => {
    expect(parseLineProtocol(text, OPTIONS)).toEqual({ points: [point(parts)], errors: [] });
  });

  it('passes over comments, empty lines and lines of white space', () => {
    const { points, errors } = parseLineProtocol('# comment\n\n  \t\nm v=1 5\n  # another "\nm v=1 6\n', OPTIONS);
    expect([points.map((p) => p.timeNs), errors]).toEqual([[5n, 6n], []]);
  });

  it.each([
    ['us', 5_000n, 1_234_567_890_123_456_000n],
    ['ms', 5_000_000n, 1_234_567_890_123_000_000n],
    ['s', 5_000_000_000n, 1_234_567_890_000_000_000n],
    ['m', 300_000_000_000n, 1_234_567_860_000_000_000n],
    ['h', 18_000_000_000_000n, 1_234_566_000_000_000_000n],
  ] as const)('reads times in %s and cuts the default time to it', (precision, given, cut) => {
    const { points } = parseLineProtocol('m v=1 5\nm v=1', { precision, defaultTimeNs: 1_234_567_890_123_456_789n });
    expect(points.map((p) => p.timeNs)).toEqual([given, cut]);
  });

  it.each([
    ['m', 'missing fields'],
    ['m ', 'invalid field format'],
    [',a=b v=1', 'missing measurement'],
    ['m,=b v=1', 'missing tag key'],
    ['m,a v=1', 'missing tag value'],
    ['m,a= v=1', 'missing tag value'],
    ['m,a=b=c v=1', 'invalid tag format'],
    ['m,a=b,a=c v=1', 'duplicate tags'],
    ['m,a=b', 'missing fields'],
    ['m =1', 'missing field key'],
    ['m a=1,=2', 'missing field key'],
    ['m v=', 'missing field value'],
    ['m v=,w=1', 'missing field value'],
    ['m v', 'invalid field format'],
    ['m a=1,b', 'invalid field format'],
    ['m v=1.2.3', 'invalid number'],
    ['m v=NaN', 'invalid number'],
    ['m v=-1u', 'invalid number'],
    ['m v=1.5u', 'invalid number'],
    [
      'm v=9223372036854775808u',
      'unable to parse unsigned 9223372036854775808: strconv.ParseUint: parsing "9223372036854775808": value out of range',
    ],
    ['m v=1e', 'invalid float'],
    ['m v=1e400', 'invalid float'],
    [
      'm v=9223372036854775808i',
      'unable to parse integer 9223372036854775808: strconv.ParseInt: parsing "9223372036854775808": value out of range',
    ],
    ['m v=yes', 'invalid boolean'],
    ['m v=tru', 'invalid boolean'],
    ['m v="a', 'unbalanced quotes'],
    ['m v=1 5s', 'bad timestamp'],
    ['m v=1 99999999999999999999', 'strconv.ParseInt: parsing "99999999999999999999": value out of range'],
    ['m v=1 9223372036854775807', 'time outside range -9223372036854775806 - 9223372036854775806'],
    ['m v=1 5 6', 'point is invalid'],
  ])('says of %s: %s', (line, message) => {
    expect(parseLineProtocol(line, OPTIONS).errors).toEqual([
      { lineNumber: 1, line, message: `unable to parse '${line}': ${message}`, reason: message },
    ]);
  });

  it('keeps the good lines beside the bad ones and says which those are', () => {
    const { points, errors } = parseLineProtocol('m v="a\nb" 1\nbad\nm v=2 2\nm v=x 3', OPTIONS);
    expect(points.map((p) => p.timeNs)).toEqual([1n, 2n]);
    expect(errors.map((e) => [e.lineNumber, e.line])).toEqual([
      [3, 'bad'],
      [5, 'm v=x 3'],
    ]);
  });

  it('gives a line without a time the one of all, cut to the precision, or one of its own', () => {
    const times = (defaultTimeNs: bigint | (() => bigint)): bigint[] =>
      parseLineProtocol('m v=1\nm v=2 5\nm v=3', { precision: 's', defaultTimeNs }).points.map((p) => p.timeNs);
    expect(times(7_900_000_000n)).toEqual([7_000_000_000n, 5_000_000_000n, 7_000_000_000n]);
    let lastNs = 7_900_000_000n;
    expect(times(() => (lastNs += 1n))).toEqual([7_900_000_001n, 5_000_000_000n, 7_900_000_002n]);
  });

  it('refuses a series key that InfluxDB cannot store', () => {
    const { errors } = parseLineProtocol(`m,a=${'é'.repeat(33000)} v=1`, OPTIONS);
    expect(errors[0]?.message).toMatch(/max key length exceeded: 66004 > 65535$/);
  });
});
