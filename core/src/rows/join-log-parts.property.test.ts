import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { createLogPoints } from '../schema/log-point.js';
import type { JobSource, Stream } from '../schema/measurements.js';
import { joinLogParts, type LogLine, type LogPart } from './join-log-parts.js';

const BIG = 'x'.repeat(65_536);
const START_NS = 1_700_000_000_000_000_000n;

function createPart(timeNs: bigint, line: string, rest: Partial<LogPart> = {}): LogPart {
  return { timeNs, job: '1', user: 'ann', stream: 'stdout', kind: 'output', line, part: 0, ...rest };
}

/** The rows that the store holds of a line. */
function storeLine(line: LogLine): LogPart[] {
  const source: JobSource = { job: line.job, user: line.user, ...(line.task !== undefined && { task: line.task }) };
  const { stream, kind, timeNs, ansi } = line;
  return createLogPoints(source, { stream, line: line.line, kind, timeNs, ...(ansi !== undefined && { ansi }) }).map(
    (point) => {
      const [text, colours, part] = [point.fields.get('line'), point.fields.get('ansi'), point.fields.get('part')];
      return createPart(point.timeNs, String(text), {
        stream,
        ...(line.task !== undefined && { task: line.task }),
        ...(colours !== undefined && { ansi: String(colours) }),
        part: Number(part ?? 0),
      });
    }
  );
}

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string() },
  fc
    .tuple(fc.constantFrom('x', 'é', '～', '😀'), fc.integer({ min: 15_000, max: 70_000 }))
    .map(([char, n]) => char.repeat(n))
);
/** Lines of one writer, at least 1 µs apart, of one or two streams. */
const log = fc
  .array(
    fc.record(
      {
        line: text,
        ansi: text.filter((ansi) => ansi !== ''),
        stream: fc.constantFrom<Stream>('stdout', 'stderr'),
        gapNs: fc.bigInt(1_000n, 5_000n),
      },
      { requiredKeys: ['line', 'stream', 'gapNs'] }
    ),
    { maxLength: 8 }
  )
  .map((rows) => {
    let timeNs = START_NS;
    return rows.map(({ gapNs, ...row }): LogLine => {
      timeNs += gapNs;
      return { timeNs, job: '1', user: 'ann', kind: 'output', ...row };
    });
  });

describe('joinLogParts', () => {
  it('gives the lines back that were cut, in either order', () => {
    fc.assert(
      fc.property(log, (lines) => {
        const parts = lines.flatMap(storeLine);
        expect(joinLogParts(parts)).toEqual(lines);
        expect(joinLogParts(parts.toReversed())).toEqual(lines.toReversed());
      }),
      { numRuns: randomCases(50) }
    );
  });

  it.each([
    ['a part of another task', { task: '1', part: 1 }, 1n],
    ['a part that is not the next', { part: 2 }, 1n],
    ['a part that is not 1 ns later', { part: 1 }, 2n],
    ['another line 1 ns later', { part: 0 }, 1n],
  ])('does not join %s', (_name, rest, gapNs) => {
    expect(joinLogParts([createPart(START_NS, BIG), createPart(START_NS + gapNs, 'y', rest)])).toHaveLength(2);
  });

  it('joins parts that stand between those of another task', () => {
    const parts = [
      createPart(START_NS, 'a', { task: '0' }),
      createPart(START_NS, 'b', { task: '1' }),
      createPart(START_NS + 1n, 'A', { task: '0', part: 1 }),
      createPart(START_NS + 1n, 'B', { task: '1', part: 1 }),
    ];
    expect(joinLogParts(parts).map(({ line }) => line)).toEqual(['aA', 'bB']);
  });

  it('shows what there is of a line whose first part is missing', () => {
    const parts = [createPart(START_NS + 2n, 'c', { part: 2 }), createPart(START_NS + 1n, 'b', { part: 1 })];
    expect(joinLogParts(parts).map(({ line, timeNs }) => [line, timeNs])).toEqual([['bc', START_NS + 1n]]);
  });

  it('takes an empty coloured form as none', () => {
    expect(joinLogParts([createPart(START_NS, 'a', { ansi: '' })])).toEqual([
      { timeNs: START_NS, job: '1', user: 'ann', stream: 'stdout', kind: 'output', line: 'a' },
    ]);
  });
});
