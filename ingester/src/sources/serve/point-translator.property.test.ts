import type { Point } from '@joblens/core/point/point';
import type { Precision } from '@joblens/core/point/timestamp';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import { withStoredTypes } from '@joblens/core/point/stored-types';
import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import { PlainPoint } from './plain-point.js';
import { HeldBytes, PointStream } from './point-stream.js';
import { PointTranslator } from './point-translator.js';
import { TranslatedPoints } from './translated-points.js';

const word = fc.string({ unit: fc.constantFrom(...Array.from('abz09_-.#é')), minLength: 1, maxLength: 4 });
const digits = fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String);
const number = fc.oneof(
  { weight: 3, arbitrary: fc.integer().map((integer) => `${integer}i`) },
  { weight: 3, arbitrary: fc.integer().map((integer) => String(integer / 1000)) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(digits, fc.constantFrom('', 'i', '.5', '.', 'e5', 'e-05', 'e400', 'u'))
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: digits.map((text) => `-${text}i`) }
);
const string = fc
  .string({ unit: fc.constantFrom('a', ' ', ',', '=', '\\"', '\\\\', '\n', '#', 'é'), maxLength: 6 })
  .map((text) => `"${text}"`);
const value = fc.oneof(
  { weight: 4, arbitrary: number },
  { weight: 3, arbitrary: string },
  { weight: 1, arbitrary: fc.constantFrom('t', 'false', 'True', 'yes') }
);
const tags = fc.oneof(
  fc.constantFrom('', ',a=b', ',a=b,ab=c', ',a=1,b=2,é=3', ',b=1,a=2'),
  fc.array(fc.tuple(word, word), { maxLength: 3 }).map((all) => all.map((pair) => `,${pair.join('=')}`).join(''))
);
const fields = fc
  .array(fc.tuple(word, value), { minLength: 1, maxLength: 3 })
  .map((all) => all.map((pair) => pair.join('=')).join(','));
const time = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.nat().map((count) => ` ${count}`) },
  { weight: 1, arbitrary: digits.map((text) => ` ${text}`) },
  { weight: 1, arbitrary: digits.map((text) => ` -${text}`) }
);
const line = fc.tuple(word, tags, fc.constant(' '), fields, time).map((parts) => parts.join(''));
/** One character more, less, or another one. */
const broken = fc
  .tuple(line, fc.nat(), fc.constantFrom(0, 1), fc.constantFrom('', ...Array.from('", =\\\t\0i.-e9#\r')))
  .map(([text, at, removed, added]) => {
    const position = at % (text.length + 1);
    return text.slice(0, position) + added + text.slice(position + removed);
  });
const anyLine = fc.oneof({ weight: 3, arbitrary: line }, { weight: 2, arbitrary: broken });
const precision = fc.constantFrom<Precision[]>('ns', 'us', 'ms', 's', 'm', 'h');
const ZEROS: readonly (readonly [Precision, number])[] = [
  ['ns', 0],
  ['us', 3],
  ['ms', 6],
  ['s', 9],
];
const START_NS = 1_700_000_000_000_000_000n;

function createTranslator(of: Precision, keepsTypes = false): PointTranslator {
  let lastNs = START_NS;
  return new PointTranslator({ precision: of, keepsTypes, nextNs: () => (lastNs += 1n) });
}

function readBack({ writer }: TranslatedPoints): readonly Point[] {
  const { points, errors } = parseLineProtocol(writer.bytes.toString(), { precision: 'ns', defaultTimeNs: 0n });
  expect(errors).toEqual([]);
  return points;
}

describe('PlainPoint', () => {
  it('takes only points that the parser takes, and what comes out is what the parser reads', () => {
    let plain = 0;
    fc.assert(
      fc.property(anyLine, fc.constantFrom(...ZEROS), fc.boolean(), (text, [of, zeros], keepsTypes) => {
        const point = new PlainPoint(zeros);
        const all = Buffer.from(`${text}\n`);
        if (!point.read(all, 0)) return;
        plain += 1;
        const bytes = all.subarray(0, point.newline + 1);
        const options = { precision: of, defaultTimeNs: () => START_NS + 1n };
        const { points, errors } = parseLineProtocol(bytes.toString(), options);
        expect(errors).toEqual([]);
        const into = new TranslatedPoints('');
        createTranslator(of, keepsTypes).translateAll(bytes, into);
        expect(readBack(into)).toEqual(keepsTypes ? points : points.map(withStoredTypes));
        expect([into.points, into.invalidLines]).toEqual([1, 0]);
      }),
      { numRuns: randomCases(5000) }
    );
    expect(plain).toBeGreaterThan(800);
  });

  it('takes what Telegraf sends', () => {
    const text = 'cpu,cpu=cpu0,host=node1 usage_idle=98.5,usage_user=1i,name="x y" 1700000000000000000\n';
    expect(new PlainPoint(0).read(Buffer.from(text), 0)).toBe(true);
  });
});

describe('PointTranslator', () => {
  it('translates every line as the parser reads it, and refuses what the parser refuses', () => {
    fc.assert(
      fc.property(
        anyLine.filter((text) => !text.includes('\n')),
        precision,
        (text, of) => {
          const { points, errors } = parseLineProtocol(text, { precision: of, defaultTimeNs: () => START_NS + 1n });
          const into = new TranslatedPoints('');
          createTranslator(of).translateAll(Buffer.from(`${text}\n`), into);
          // Names that not all versions read alike are refused, too.
          const isUnsafe = into.invalid.some(({ reason }) => reason.startsWith('Line protocol cannot carry'));
          expect(into.invalidLines).toBe(isUnsafe ? 1 : errors.length);
          expect(readBack(into)).toEqual(isUnsafe ? [] : points.map(withStoredTypes));
        }
      ),
      { numRuns: randomCases(5000) }
    );
  });
});

describe('PointStream', () => {
  it('makes the same of any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 8 }),
        fc.array(fc.nat({ max: 30 }), { maxLength: 40 }),
        precision,
        (lines, sizes, of) => {
          const body = Buffer.from(lines.join('\n'));
          const [whole, cut] = [new TranslatedPoints(''), new TranslatedPoints('')];
          createTranslator(of).translateAll(Buffer.concat([body, Buffer.from('\n')]), whole);
          const stream = new PointStream(createTranslator(of), new HeldBytes());
          let start = 0;
          for (const size of [...sizes, body.length]) {
            stream.push(body.subarray(start, start + size), cut);
            start += size;
          }
          stream.end(cut);
          expect(cut.writer.bytes.toString()).toBe(whole.writer.bytes.toString());
          expect([cut.points, cut.invalid]).toEqual([whole.points, whole.invalid]);
        }
      ),
      { numRuns: randomCases(3000) }
    );
  });
});
