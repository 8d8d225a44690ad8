import fc from 'fast-check';

const DIGITS = '0123456789'.split('');
const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...DIGITS), minLength: min, maxLength: max });
const decimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.constantFrom(...DIGITS.slice(1)), digits(0, 18)).map((parts) => parts.join(''))
    ),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('.', '.000', '.00000000000000000000'), digits(1, 24)).map((parts) => parts.join(''))
    )
  )
  .map((parts) => parts.join(''));
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? '-0' : String(value))),
  fc.double({ noNaN: true, min: -1, max: 1 }).map(String),
  fc.integer().map(String),
  fc.integer({ min: 0, max: 99_999_999 }).map((value) => `0.${value}`),
  decimal,
  fc.tuple(decimal, fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/)).map((parts) => parts.join('')),
  fc.constantFrom(
    '-0',
    '-0.0',
    '0.10',
    '1.0',
    '1e400',
    '1e-05',
    '9007199254740992',
    '9007199254740993',
    '1795598874123456789',
    '-9999999999999999999',
    '18446744073709551617',
    '9007199254740991.5',
    '0.0000001'
  ),
  // Between two doubles, and one digit beside.
  fc.constantFrom('4503599627370496.5', '4503599627370497.5', '4503599627370497.49999', '1125899906842624.125'),
  fc.constantFrom(
    ...['-', '01', '1.', '.5', '+1', '1e', '1e+', '0x1', '1_0', '--1', '1.2.3', 'NaN', '-Infinity', 'Infinity']
  )
);
const text = fc.oneof(
  fc.string({ maxLength: 6 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary', maxLength: 20 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '"train"',
    '"a,b: {}"',
    '"C:\\\\dir"',
    '"\\ud800"',
    '"\t"',
    '"a',
    '"\\u0041"',
    '"größer 精度 \u{1f600}"'
  ),
  // The statistics keep a hundred characters, and half of a surrogate pair never.
  fc.nat({ max: 120 }).map((length) => `"${'x'.repeat(length)}${'\u{1f600}'.repeat(20)}"`)
);
const scalar = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 2, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null', 'nul', 'True', 'falsy', '') }
);
const value = fc.oneof(
  { weight: 12, arbitrary: scalar },
  {
    weight: 1,
    arbitrary: fc.constantFrom('[]', '[1, "a"]', '{}', '{"b": 1}', '{"b": {"c": 2}, "d": "x"}', '{"b.c": 1}'),
  }
);
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'a.b', 'a.b.c', 'epoch', 'loss', 'time', '_x', '10', '', '__proto__', 'x y', 'a,b=c'),
  fc.constantFrom(
    '\\u0061',
    '\\ud83d\\ude00',
    '\\ud800',
    'a\\nb',
    '\\"',
    '\\\\',
    'é',
    '\t',
    'a key of more than 16 bytes'
  ),
  fc.nat({ max: 40 }).map((length) => 'k'.repeat(length))
);

/** How the lines of one table are printed: `{"a": …, "b": …}` with holes. */
const format = fc
  .tuple(
    fc.array(key, { minLength: 1, maxLength: 5 }),
    fc.constantFrom([': ', ', '], [':', ','], [' : ', ' ,\t'], [':  ', ', ']),
    fc.constantFrom('{}', '{ }', '{ } ', ' {}')
  )
  .map(([keys, [colon = '', comma = ''], braces]) => {
    const [open = '', close = ''] = braces.split('}');
    const isNested = keys.length > 3 && colon === ': ';
    return (values: readonly string[]) => {
      const members = keys.map((name, i) => `"${name}"${colon}${values[i] ?? '0'}`);
      const inner = isNested ? [`"n"${colon}{${members.slice(0, 2).join(comma)}}`, ...members.slice(2)] : members;
      return `${open}${inner.join(comma)}}${close}`;
    };
  });

const joinLine = (line: string): string => line.replaceAll('\n', '');

/** What a job prints of a few tables. */
interface RandomOutput {
  /** Two whole rows of each table. */
  readonly plain: readonly string[];
  /** Lines of the tables in turn, most of them alike, some damaged. */
  readonly lines: readonly string[];
}

/** Output of one job, with numbers, texts and keys of all kinds, for the laws of those who read metadata. */
export function createRandomOutput(): fc.Arbitrary<RandomOutput> {
  return fc
    .tuple(
      fc.array(format, { minLength: 1, maxLength: 3 }),
      fc.array(
        fc.record({
          table: fc.nat({ max: 2 }),
          values: fc.array(fc.oneof({ weight: 3, arbitrary: number }, { weight: 1, arbitrary: value }), {
            minLength: 5,
            maxLength: 5,
          }),
          damage: fc.option(
            fc.tuple(fc.nat({ max: 60 }), fc.constantFrom('', '"', '}', ',', ' ', '\\', '0', 'é', ':')),
            {
              freq: 12,
            }
          ),
        }),
        { minLength: 1, maxLength: 14 }
      )
    )
    .map(([formats, rows]) => {
      const lines = rows.map(({ table, values, damage }) => {
        const line = formats[table % formats.length]?.(values) ?? '';
        if (damage === null) return line;
        const [at, insert] = damage;
        return line.slice(0, at) + insert + line.slice(at + 1);
      });
      const plain = formats.flatMap((print) => [print([]), print([])]);
      return { plain: plain.map(joinLine), lines: lines.map(joinLine) };
    });
}
