import { formatPoint } from '@joblens/core/point/line-protocol';
import fc from 'fast-check';
import { cutBatch, joinPoints, splitPoints } from './point-bytes.js';

const split = (text: string): string[] =>
  splitPoints({ bytes: Buffer.from(text), points: 0 }).map((point) => point.toString());

describe('splitPoints', () => {
  it.each([
    ['nothing', []],
    ['two points', ['m a=1 1\n', 'm a=2 2\n']],
    ['a newline in a string', ['m a="x\ny" 1\n', 'm a=2 2\n']],
    ['an escaped quote before a newline', ['m a="x\\"\ny",b="\n" 1\n', 'm a=2 2\n']],
    ['a backslash that ends a string', ['m a="x\\\\" 1\n', 'm a=2 2\n']],
    ['a quote in a tag', ['m,job="x a=1 1\n', 'm a="\n" 2\n']],
    ['a quote in a tag after an escaped space', ['m,job=x\\ y" a=1 1\n', 'm a=2 2\n']],
    ['a quote in a field key', ['m a"b=1,"c=2 1\n', 'm a=2 2\n']],
    ['equals and commas in a string', ['m a="=,\n=" 1\n', 'm a=2 2\n']],
  ])('finds the ends of %s', (_name, points) => {
    expect(split(points.join(''))).toEqual(points);
  });

  it('gives a last point without a newline as it is', () => {
    expect(split('m a=1 1\nm a="x')).toEqual(['m a=1 1\n', 'm a="x']);
  });

  it('finds the points that were printed, whatever is in them', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '=', ' ', 'ü', '\n'), maxLength: 12 });
    const name = text.map((value) => `n${value.replaceAll('\n', '_').replaceAll('\\', '/')}`);
    const point = fc.record({
      measurement: name,
      tags: fc.dictionary(name, name, { maxKeys: 2 }),
      fields: fc.dictionary(name, fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true })), { minKeys: 1 }),
    });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 6 }), (records) => {
        const points = records.map(
          ({ measurement, tags, fields }, i) =>
            `${formatPoint({
              measurement,
              tags: new Map(Object.entries(tags)),
              fields: new Map(Object.entries(fields)),
              timeNs: BigInt(i),
            })}\n`
        );
        expect(split(points.join(''))).toEqual(points);
      })
    );
  });
});

describe('cutBatch', () => {
  const batch = (...points: string[]): { bytes: Buffer; points: number } =>
    joinPoints(points.map((point) => Buffer.from(point)));

  it.each([
    ['what is within the limits', ['m a=1\n', 'm a=2\n'], { maxPoints: 2, maxBytes: 12 }, [2]],
    ['more points', ['m a=1\n', 'm a=2\n', 'm a=3\n'], { maxPoints: 2, maxBytes: 99 }, [2, 1]],
    ['more bytes', ['m a=1\n', 'm a=2\n', 'm a=3\n'], { maxPoints: 9, maxBytes: 17 }, [2, 1]],
    ['a point that is larger than the limit', ['m a="aa\na"\n', 'm a=2\n'], { maxPoints: 9, maxBytes: 3 }, [1, 1]],
    ['points with newlines', ['m a="\n"\n', 'm a=2\n', 'm a="\n"\n'], { maxPoints: 2, maxBytes: 99 }, [2, 1]],
    ['the last point', ['m a=1\n'], { maxPoints: 1, maxBytes: 3 }, [1]],
    ['a last point without a newline', ['m a=1\n', 'm a=2'], { maxPoints: 1, maxBytes: 99 }, [1, 1]],
  ])('cuts %s', (_name, points, limits, counts) => {
    const rest = [...points];
    expect(cutBatch(batch(...points), limits)).toEqual(counts.map((count) => batch(...rest.splice(0, count))));
  });
});
