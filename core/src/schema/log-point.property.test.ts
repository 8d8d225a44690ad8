import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { formatPoint } from '../point/line-protocol.js';
import { createLogLineFormatter, createLogPoints } from './log-point.js';
import type { JobSource, LogKind, Stream } from './measurements.js';

const pieces = fc.constantFrom('a', '"', '\\', ' ', '=', ',', '\t', '\r', '\0', 'é', '\u{1f600}', '\ud800', '\x1b[1m');
const line = fc.oneof(fc.string({ unit: pieces, maxLength: 8 }), fc.string({ unit: 'binary' })).map(dropNewlines);
const source = fc.record<JobSource>({ job: line, user: line, task: line }, { requiredKeys: ['job', 'user'] });
const stream = fc.constantFrom<Stream>('stdout', 'stderr');
const kind = fc.constantFrom<LogKind>('output', 'command', 'notice');
const timeNs = fc.oneof(
  fc.bigInt({ min: 0n, max: 3_000_000n }),
  fc.bigInt({ min: 1_699_999_999_998_000_000n, max: 1_700_000_000_001_000_000n })
);

function dropNewlines(text: string): string {
  return text.replaceAll('\n', '');
}

function formatPoints(from: JobSource, row: Parameters<typeof createLogPoints>[1]): string {
  return createLogPoints(from, row)
    .map((point) => `${formatPoint(point)}\n`)
    .join('');
}

describe('createLogLineFormatter', () => {
  it('writes a line as formatPoint writes its point', () => {
    fc.assert(
      fc.property(
        source,
        stream,
        line,
        fc.option(line, { nil: undefined }),
        kind,
        timeNs,
        (from, of, plain, ansi, as, ns) => {
          const formatter = createLogLineFormatter(from, of);
          const found =
            ansi === undefined
              ? formatter.format(plain, as, String(ns))
              : formatter.formatAnsi(plain, ansi, as, String(ns));
          const row = { stream: of, line: plain, kind: as, timeNs: ns };
          expect(found).toBe(formatPoints(from, ansi === undefined ? row : { ...row, ansi }));
        }
      ),
      { numRuns: randomCases(1000) }
    );
  });

  it('says what the point of a line begins with', () => {
    fc.assert(
      fc.property(source, stream, line, timeNs, (from, of, plain, ns) => {
        const formatter = createLogLineFormatter(from, of);
        expect(formatter.format(plain, 'output', String(ns)).startsWith(formatter.lineHead)).toBe(true);
      })
    );
  });
});
