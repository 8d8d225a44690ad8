import { parseQuery } from '@joblens/core/influxql/parse';
import { bucketStart } from './query/values/fill.js';
import { formatDecimal, quoteCsv } from './http/format-response.js';
import { indentJson } from './http/indent-json.js';
import { splitTimeRange } from '@joblens/core/influxql/time-range';

describe('formatDecimal: numbers as Go prints them without exponent', () => {
  it.each([
    [0, '0'],
    [-1.5, '-1.5'],
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
    [1e21, '1000000000000000000000'],
    [1.5e300, `15${'0'.repeat(299)}`],
  ])('%p', (value, text) => {
    expect(formatDecimal(value)).toBe(text);
  });
});

describe('quoteCsv', () => {
  it.each([
    ['', ''],
    ['a b', 'a b'],
    [' a', '" a"'],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['\\.', '"\\."'],
  ])('%j', (text, quoted) => {
    expect(quoteCsv(text)).toBe(quoted);
  });
});

describe('indentJson', () => {
  it.each([['{}'], ['[]'], ['{"a":[1,-2.5e3,null,{"b":"x,{}[]:\\" y"}],"c":{}}'], ['{"big":9223372036854775807}']])(
    'changes nothing but white space in %s',
    async (json) => {
      let indented = '';
      for await (const part of indentJson([json])) indented += part;
      expect(indented.replace(/\n */g, '').replaceAll('": ', '":')).toBe(json);
    }
  );
});

describe('bucketStart', () => {
  it.each([
    [0n, 10n, 0n, 0n],
    [9n, 10n, 0n, 0n],
    [-1n, 10n, 0n, -10n],
    [-10n, 10n, 0n, -10n],
    [5n, 20n, 7n, -13n],
    [7n, 20n, 7n, 7n],
    [5n, 15n, -4n, -4n],
  ])('of %p, every %p from %p', (timeNs, lengthNs, offsetNs, start) => {
    expect(bucketStart(timeNs, { lengthNs, offsetNs })).toBe(start);
  });
});

describe('splitTimeRange', () => {
  it.each([
    ['time > 5', { fromNs: 6n }],
    ['time >= 5 AND time < 9', { fromNs: 5n, toNs: 8n }],
    ['time = 5', { fromNs: 5n, toNs: 5n }],
    ['time > 5 OR time < 3', { fromNs: 6n, toNs: 2n }],
    ['time > 1 AND time > 3 AND time <= 9 AND time < 8', { fromNs: 4n, toNs: 7n }],
    ['time > now() - 10ns', { fromNs: 91n }],
    [`a = 'x'`, {}],
  ])('%s', (text, range) => {
    const parsed = parseQuery(`SELECT x FROM m WHERE ${text}`);
    const [statement] = parsed.ok ? parsed.value : [];
    if (statement?.kind !== 'select') throw new Error('Not a SELECT');
    expect(splitTimeRange(statement.where, 100n).range).toEqual(range);
  });
});
