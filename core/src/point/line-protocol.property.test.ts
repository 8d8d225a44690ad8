import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { formatPoint, MAX_TIME_NS, MIN_TIME_NS } from './line-protocol.js';
import { parseLineProtocol } from './parse-line-protocol.js';
import type { FieldValue, Point } from './point.js';
import { encodeName } from '../schema/name-transport.js';

const NASTY = fc.constantFrom(
  ...Array.from('a0,= "\\\'\t\n\r\0#_;|{[é␛'),
  '\u{1f600}',
  '\u2028',
  '\ufeff',
  '\x7f',
  '\\ ',
  '\\,'
);
const text = fc.oneof(fc.string({ unit: NASTY, maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 12 }));
const value = fc.oneof<fc.Arbitrary<FieldValue>[]>(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.boolean()
);

function points(name: fc.Arbitrary<string>): fc.Arbitrary<Point> {
  return fc.record({
    measurement: fc.constantFrom('m', 'a b', 'a,b', 'a=b', '"m"', 'é'),
    tags: fc.uniqueArray(fc.tuple(name, name), { selector: ([key]) => key, maxLength: 5 }).map((tags) => new Map(tags)),
    fields: fc
      .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, minLength: 1, maxLength: 5 })
      .map((fields) => new Map(fields)),
    timeNs: fc.bigInt({ min: MIN_TIME_NS, max: MAX_TIME_NS }),
  });
}

function readBack(...lines: readonly string[]): readonly Point[] {
  const { points: read, errors } = parseLineProtocol(lines.join('\n'), { precision: 'ns', defaultTimeNs: 0n });
  expect(errors).toEqual([]);
  return read;
}

describe('line protocol', () => {
  it('carries every point whose names are encoded, also beside others', () => {
    fc.assert(
      fc.property(points(text.map(encodeName)), points(text.map(encodeName)), (first, second) => {
        expect(readBack(formatPoint(first), formatPoint(second))).toEqual([first, second]);
      }),
      { numRuns: randomCases(500) }
    );
  });

  it('carries a point with any names or refuses it with a TypeError', () => {
    fc.assert(
      fc.property(points(text), (point) => {
        let line: string;
        try {
          line = formatPoint(point);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        expect(readBack(line)).toEqual([point]);
      }),
      { numRuns: randomCases(500) }
    );
  });

  it('reads any text as points and errors, never throws', () => {
    const soup = fc.string({ unit: fc.constantFrom(...Array.from('ma,= "\\1i.-etn#\t\n\0')), maxLength: 40 });
    fc.assert(
      fc.property(soup, (body) => {
        const { points: read, errors } = parseLineProtocol(body, { precision: 'ns', defaultTimeNs: 0n });
        expect(read.length + errors.length).toBeLessThanOrEqual(body.split('\n').length);
        for (const error of errors) {
          expect(body.split('\n')[error.lineNumber - 1]).toContain(error.line.split('\n')[0]);
        }
      }),
      { numRuns: randomCases(2000) }
    );
  });
});
