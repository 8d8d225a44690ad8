import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import type { Point } from '../../point/point.js';
import { createTextPoints, splitTextLines } from '../../schema/text-point.js';
import { answerReading } from '../testing/answer-reading.js';
import { answerAll } from '../testing/model-store.js';
import { readJobText } from './job-text.js';

const SOURCE = { job: 'a-.( \'"', user: 'ann' };
const TEXT = { ...SOURCE, name: 'odd (name)' };

/** The points of a text, one line after the other. */
function store(text: string, name: string, fromNs: bigint): readonly Point[] {
  let timeNs = fromNs;
  return splitTextLines(text).flatMap((line) => {
    const points = createTextPoints(SOURCE, name, line, timeNs);
    timeNs += BigInt(points.length);
    return points;
  });
}

const read = (points: readonly Point[], lines?: number): readonly string[] =>
  answerReading(readJobText(TEXT, lines === undefined ? {} : { lines }), (asked) => answerAll(points, asked));

const linesOf = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll('\n', ' ')) },
    { weight: 1, arbitrary: fc.constantFrom('é'.repeat(40_000), 'x'.repeat(65_536), `${'x'.repeat(65_535)}é`) }
  )
);

describe('a text of a job', () => {
  it('comes back line by line, and that of the last run alone', () => {
    fc.assert(
      fc.property(linesOf, linesOf, fc.constantFrom('', '\n'), (before, lines, end) => {
        const text = lines.length === 0 ? '' : lines.join('\n') + (lines.at(-1) === '' ? '\n' : end);
        const points = [
          ...store(before.map((line) => `${line}\n`).join(''), TEXT.name, 1n),
          ...store('another text\n', 'patch', 5000n),
          ...store(text, TEXT.name, 10_000n),
        ];
        expect(read(points, lines.length)).toEqual(lines);
        expect(read(points)).toEqual([...before, ...lines]);
      }),
      { numRuns: randomCases(100) }
    );
  });

  it('is read in several requests where it is long, also where a page ends within a line', () => {
    const long = Array.from({ length: 4999 }, (_, i) => `line ${i}`);
    const lines = [...long, 'x'.repeat(200_000), ...long];
    expect(read(store(lines.map((line) => `${line}\n`).join(''), TEXT.name, 1n), lines.length)).toEqual(lines);
  });
});
