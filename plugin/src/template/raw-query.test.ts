import fc from 'fast-check';
import { createTemplates } from '../../test/fake-templates.js';
import { interpolateRawQuery, splitInfluxql } from './raw-query.js';

const RANGE = { fromNs: 1_000_000_000n, toNs: 2_500_000_000n };

function fill(text: string, values: Record<string, string | string[]>): string {
  return interpolateRawQuery(text, RANGE, {}, createTemplates(values));
}

describe('interpolateRawQuery', () => {
  it.each([
    ['a string', `"job" = '$job'`, { job: '123' }, `"job" = '123'`],
    [
      'a quote in a string',
      `"job" = '$job'`,
      { job: `1' OR 1=1; DROP DATABASE x --` },
      String.raw`"job" = '1\' OR 1=1; DROP DATABASE x --'`,
    ],
    ['a backslash at the end', `'$job'`, { job: 'a\\' }, String.raw`'a\\'`],
    ['an identifier', `SELECT "$key" FROM x`, { key: 'a"b' }, String.raw`SELECT "a\"b" FROM x`],
    ['one value in a regex', 'job =~ /^$job$/', { job: 'a/b.c' }, String.raw`job =~ /^a\/b\.c$/`],
    ['several in a regex', 'job =~ /^$job$/', { job: ['1', '2|3'] }, String.raw`job =~ /^(1|2\|3)$/`],
    ['a bare number', 'LIMIT $n', { n: '50' }, 'LIMIT 50'],
    ['a bare duration', 'GROUP BY time($t)', { t: '10s' }, 'GROUP BY time(10s)'],
    ['a bare text becomes a string', 'job = $job', { job: 'x; DROP' }, `job = 'x; DROP'`],
    [
      'the time filter',
      'WHERE $timeFilter',
      {},
      `WHERE time >= '1970-01-01T00:00:01Z' AND time <= '1970-01-01T00:00:02.5Z'`,
    ],
    ['the time filter in a string stays', `x = '$timeFilter'`, {}, `x = '$timeFilter'`],
    [
      'a division is no regex',
      'SELECT a / $n FROM x WHERE b / 2 > 1',
      { n: '4' },
      'SELECT a / 4 FROM x WHERE b / 2 > 1',
    ],
    ['a regex as source', 'SELECT a FROM /$m/', { m: 'job.log' }, String.raw`SELECT a FROM /job\.log/`],
    ['variables in comments are gone', `a -- it's $job\n= 1`, { job: 'x' }, 'a  \n= 1'],
  ])('%s', (_name, text, values, expected) => {
    expect(fill(text, values as Record<string, string | string[]>)).toBe(expected);
  });

  it.each([`x = '$job'`, 'SELECT "$job"', 'x = $job'])(
    'refuses several values in %s and says what to write',
    (text) => {
      expect(() => fill(text, { job: ['1', '2'] })).toThrow('2 values where the query takes one: write =~ /^${name}$/');
    }
  );

  const value = fc.string({
    unit: fc.constantFrom("'", '"', '/', '\\', '\n', ';', '-', '*', 'a', ' ', '(', '|', '$', '\r'),
  });
  it.each([
    ['string', `SELECT a FROM b WHERE c = '$v' AND d = 1`],
    ['identifier', `SELECT "$v" FROM b WHERE d = 1`],
    ['regex', `SELECT a FROM b WHERE c =~ /^$v$/ AND d = 1`],
    ['code', `SELECT a FROM b WHERE c = $v AND d = 1`],
  ])('no value ends the %s it stands in', (place, text) => {
    const shape = splitInfluxql(text.replace('$v', place === 'code' ? `'x'` : 'x')).map((piece) => piece.place);
    fc.assert(
      fc.property(value, (v) => {
        expect(splitInfluxql(fill(text, { v })).map((piece) => piece.place)).toEqual(shape);
      })
    );
  });
});

describe('splitInfluxql', () => {
  it('loses nothing', () => {
    const text = fc.string({
      unit: fc.constantFrom("'", '"', '/', '\\', '\n', '-', '*', 'a', ' ', '=', '~', '(', ','),
    });
    fc.assert(
      fc.property(text, (query) => {
        expect(
          splitInfluxql(query)
            .map((piece) => piece.text)
            .join('')
        ).toBe(query);
      })
    );
  });
});
