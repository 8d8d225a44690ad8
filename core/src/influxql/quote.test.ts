import { printStatement } from './print.js';
import { parseQuery } from './parse.js';
import {
  canonicalRegexSource,
  formatDuration,
  formatFloat,
  formatTime,
  quoteIdentifier,
  quoteRegex,
  quoteString,
} from './quote.js';
import { createColumn, createMeasurement, createSelect, createTagDimension } from './build.js';
import fc from 'fast-check';
import { parseDuration } from './parse-time.js';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', "'", '\\', '/', '\n', '\r', '\0', ';', '-', '*', 'n', 'a', ' ', '\t', '␛') })
);

/** The text after `"a" = ` in a WHERE, or the whole refusal. */
function parseRight(literal: string): unknown {
  const parsed = parseQuery(`SELECT "x" FROM "m" WHERE "a" = ${literal}`);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const [statement] = parsed.value;
  return parsed.value.length === 1 && statement?.kind === 'select' ? statement.where : parsed.value;
}

function parseMatch(literal: string): unknown {
  const parsed = parseQuery(`SELECT "x" FROM "m" WHERE "a" =~ ${literal}`);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const [statement] = parsed.value;
  return parsed.value.length === 1 && statement?.kind === 'select' ? statement.where : parsed.value;
}

describe('quoteIdentifier', () => {
  it.each([
    ['job', '"job"'],
    ['', '""'],
    ['user', '"user"'],
    ['fast_rcnn/cls_accuracy', '"fast_rcnn/cls_accuracy"'],
    ['a b', '"a b"'],
    ['a"b', '"a\\"b"'],
    ['"; DROP DATABASE "joblens', '"\\"; DROP DATABASE \\"joblens"'],
    ['a\\', '"a\\\\"'],
    ['\\" FROM x --', '"\\\\\\" FROM x --"'],
    ["it's", '"it\'s"'],
    ['two\nlines', '"two\\nlines"'],
    ['\\n', '"\\\\n"'],
    ['µ 😀', '"µ 😀"'],
  ])('writes %j as %s', (name, printed) => {
    expect(quoteIdentifier(name)).toBe(printed);
  });

  it('is read back as the same name, whatever the name', () => {
    fc.assert(
      fc.property(text, (name) => {
        const parsed = parseQuery(`SELECT ${quoteIdentifier(name)} FROM ${quoteIdentifier(name)}`);
        expect(parsed).toEqual({
          ok: true,
          value: [createSelect({ columns: [createColumn(name)], from: [createMeasurement(name)] })],
        });
      })
    );
  });
});

describe('quoteString', () => {
  it.each([
    ['123_4', "'123_4'"],
    ['', "''"],
    ["it's", "'it\\'s'"],
    ["' OR 'a' = 'a", "'\\' OR \\'a\\' = \\'a'"],
    ["'; DROP MEASUREMENT x; --", "'\\'; DROP MEASUREMENT x; --'"],
    ['\\', "'\\\\'"],
    ["\\'", "'\\\\\\''"],
    ['say "hi"', '\'say "hi"\''],
    ['two\nlines', "'two\\nlines'"],
    ['/* no comment */', "'/* no comment */'"],
  ])('writes %j as %s', (value, printed) => {
    expect(quoteString(value)).toBe(printed);
  });

  it('is read back as the same text, whatever the text', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(parseRight(quoteString(value))).toMatchObject({ kind: 'compare', right: { kind: 'string', value } });
      })
    );
  });
});

describe('quoteRegex', () => {
  it.each([
    ['^a.*b$', '/^a.*b$/'],
    ['a/b', '/a\\/b/'],
    ['a\\/b', '/a\\\\/b/'],
    ['/ OR 1=1', '/\\/ OR 1=1/'],
    ['\\d+\\.', '/\\d+\\./'],
    ['a\\', '/a\\x5c/'],
    ['a\\\\', '/a\\x5c/'],
    ['a\\\\\\', '/a\\\\\\x5c/'],
    ['two\nlines', '/two\\x0alines/'],
    ['\r\0', '/\\x0d\\x00/'],
    ['\'"', '/\'"/'],
  ])('writes %j as %s', (source, printed) => {
    expect(quoteRegex(source)).toBe(printed);
  });

  it.each([
    ['^[a-z]{8}$'],
    ['^[0-9a-f]+$'],
    ['\\A\\d{9}\\z'],
    ['(?m)^[a-z]{8}$'],
    ['(?:^[a-z]{8}$)'],
    ['^(a|b){36}$'],
    ['^(a|b)(c|d)(e|f)$'],
    ['^[^a]$'],
    ['^\\pL\\w$'],
    ['^a$|^[a-z]{8}$'],
  ])('keeps engines from writing out what %j matches', (source) => {
    expect(quoteRegex(source)).toBe(`/(?:)${source}/`);
  });

  it.each([
    ['^(?:job-1|job\\.2)$'],
    ['^$'],
    ['^epoch 1'],
    ['(^|x)a-b'],
    ['loss$|^acc'],
    ['^a.*b'],
    ['^a\\$$'],
    ['error [0-9]+'],
    ['*a^'],
    ['(?i)+^a'],
    ['{2}^[ab]$'],
    ['(?:)^[ab]$'],
  ])('leaves %j as it is', (source) => {
    expect(quoteRegex(source)).toBe(`/${source}/`);
  });

  it('is read back as its canonical source, which is a fixed point', () => {
    fc.assert(
      fc.property(text, (source) => {
        const canonical = canonicalRegexSource(source);
        expect(parseMatch(quoteRegex(source))).toMatchObject({ kind: 'match', source: canonical });
        expect(canonicalRegexSource(canonical)).toBe(canonical);
      })
    );
  });

  it('keeps every source without control characters and a backslash at its end as it is', () => {
    fc.assert(
      fc.property(
        text.filter((source) => !/[\n\r\0]|\\$/.test(source)),
        (source) => {
          expect(canonicalRegexSource(source)).toBe(source);
        }
      )
    );
  });

  it('matches what the source matched', () => {
    const literal = fc.string({ unit: fc.constantFrom('\n', '\r', '\\', '/', 'a', 'n') });
    fc.assert(
      fc.property(literal, literal, (pattern, subject) => {
        const source = pattern.replace(/\\/g, '\\\\');
        const isMatch = new RegExp(source).test(subject);
        expect(new RegExp(canonicalRegexSource(source)).test(subject)).toBe(isMatch);
      })
    );
  });
});

describe('formatDuration', () => {
  it.each([
    [0n, '0s'],
    [1n, '1ns'],
    [1_500n, '1500ns'],
    [2_000n, '2u'],
    [5_000_000n, '5ms'],
    [90_000_000_000n, '90s'],
    [5_400_000_000_000n, '90m'],
    [3_600_000_000_000n, '1h'],
    [172_800_000_000_000n, '2d'],
    [604_800_000_000_000n, '1w'],
    [-3_600_000_000_000n, '-1h'],
  ])('writes %s ns as %s', (durationNs, printed) => {
    expect(formatDuration(durationNs)).toBe(printed);
  });

  it('is read back exactly', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 63n - 1n), (durationNs) => {
        expect(parseDuration(formatDuration(durationNs))).toBe(durationNs);
      })
    );
  });
});

describe('formatTime', () => {
  it.each([
    [0n, "'1970-01-01T00:00:00Z'"],
    [1_700_000_000_123_456_789n, "'2023-11-14T22:13:20.123456789Z'"],
    [1_700_000_000_500_000_000n, "'2023-11-14T22:13:20.5Z'"],
    [-1n, "'1969-12-31T23:59:59.999999999Z'"],
  ])('writes %s as %s', (timeNs, printed) => {
    expect(formatTime(timeNs)).toBe(printed);
  });
});

describe('formatFloat', () => {
  it.each([
    [1, '1.0'],
    [-0.5, '-0.5'],
    [-0, '-0.0'],
    [1e21, '1000000000000000000000.0'],
    [1.5e-7, '0.00000015'],
    [123456.789, '123456.789'],
  ])('writes %d as %s', (value, printed) => {
    expect(formatFloat(value)).toBe(printed);
  });

  it('is the same number again, without an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const printed = formatFloat(value);
        expect(printed).toMatch(/^-?\d+\.\d+$/);
        expect(Number(printed)).toBe(value);
      })
    );
  });

  it.each([NaN, Infinity, -Infinity])('refuses %d', (value) => {
    expect(() => formatFloat(value)).toThrow(RangeError);
  });
});

describe('a built statement', () => {
  it('cannot be changed', () => {
    const select = createSelect({
      columns: [createColumn('a')],
      from: [createMeasurement('m')],
      groupBy: { dimensions: [createTagDimension('job')] },
    });
    const parts = [select, select.columns, select.columns[0], select.groupBy, select.groupBy?.dimensions];
    expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true));
    expect(parts).not.toContain(undefined);
  });
});

describe('an injected name', () => {
  it('cannot leave its place in a whole statement', () => {
    const statement = printStatement(
      createSelect({ columns: [createColumn('a" FROM b; DROP DATABASE x --')], from: [createMeasurement('m')] })
    );
    const parsed = parseQuery(statement);
    expect(parsed.ok && parsed.value.length).toBe(1);
  });
});
