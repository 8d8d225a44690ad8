import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { JobSource, Stream } from '@joblens/core';
import { createLogLineFormatter } from '@joblens/core';
import fc from 'fast-check';
import { openLineKernel } from './line-kernel.js';
import { LoadedLines } from './loaded-lines.js';

const FOLDER = join(__dirname, '../../assembly');
const STEP_NS = 1000n;

const pieces = fc.constantFrom(
  'a',
  '"',
  '\\',
  ' ',
  '=',
  '\t',
  '\r',
  '\0',
  'é',
  '\u{1f600}',
  '\x1b[1m',
  '0123456789abcdefghij'
);
const line = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: pieces, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('', 'ends ', '{"a": 1}', '/LOGCOMMAND {}', 'same', 'same') },
  {
    weight: 1,
    // Each is different: a run also ends where the output is full, and what comes then is no repeat of what is not in it.
    arbitrary: fc
      .tuple(fc.integer({ min: 16_380, max: 16_388 }), fc.nat())
      .map(([length, n]) => String(n).padEnd(length, '"')),
  }
);
const source = fc.record<JobSource>({ job: line, user: fc.string({ unit: pieces, minLength: 1 }) });
const timeNs = fc.oneof(
  fc.bigInt({ min: 1_699_999_999_998_000_000n, max: 1_700_000_000_001_000_000n }).map((ns) => (ns / STEP_NS) * STEP_NS),
  fc.constantFrom(1_999_999_999_999_998_000n, 1_099_999_999_999_999_000n, 0n)
);

/** What the rules need not look at. */
function isOrdinary(text: string): boolean {
  return text !== '' && !/^[/{]| $/.test(text) && Buffer.byteLength(text) <= 16_384;
}

function createLines(texts: readonly string[]): LoadedLines {
  return new LoadedLines(Buffer.from(texts.map((text) => `${text}\n`).join('')), openLineKernel());
}

/** Writes all lines, run by run, and passes over those that need a closer look. */
function writeAll(texts: readonly string[], from: JobSource, stream: Stream, firstNs: bigint): string[] {
  const lines = createLines(texts);
  const head = Buffer.from(createLogLineFormatter(from, stream).lineHead);
  const written: string[] = [];
  for (let [at, count] = [0, 0]; at < lines.bytes.length;) {
    const run = lines.writeOutput(at, head, firstNs + STEP_NS * BigInt(count));
    if (run !== undefined) {
      // A run ends before a line that equals the one before it; the next one begins there.
      const taken = texts.slice(count, count + run.lines);
      expect(taken.some((text, i) => i > 0 && text === taken[i - 1])).toBe(false);
      written.push(...run.points.toString().split(/(?<=\n)/));
      expect(lines.bytes.toString('utf8', run.lastStart, run.end)).toBe(`${texts[count + run.lines - 1] ?? ''}\n`);
    }
    count += run?.lines ?? 1;
    at = run?.end ?? lines.bytes.indexOf('\n', at) + 1;
  }
  return written;
}

describe('output lines in WebAssembly', () => {
  it('are what ingester/assembly compiles to', () => {
    expect(() =>
      execFileSync(process.execPath, [join(FOLDER, 'build.mjs'), '--check'], { stdio: 'pipe' })
    ).not.toThrow();
  });

  it('become the points that the formatter makes of each', () => {
    fc.assert(
      fc.property(source, fc.array(line, { maxLength: 40 }), timeNs, (from, texts, firstNs) => {
        const formatter = createLogLineFormatter(from, 'stdout');
        const expected = texts.map((text, i) =>
          isOrdinary(text) ? formatter.format(text, 'output', String(firstNs + STEP_NS * BigInt(i))) : ''
        );
        const isTimeLong = String(firstNs).length === 19;
        expect(writeAll(texts, from, 'stdout', firstNs).join('') === (isTimeLong ? expected.join('') : '')).toBe(true);
      }),
      { numRuns: 500 }
    );
  });

  it('are passed over as they are written, repeats too', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (texts) => {
        const lines = createLines(texts);
        const ordinary = texts.findIndex((text) => !isOrdinary(text));
        const count = ordinary < 0 ? texts.length : ordinary;
        expect(lines.skipOutput(0, lines.bytes.length)?.lines ?? 0).toBe(count);
      })
    );
  });

  it('go through however many and long they are', () => {
    const texts = Array.from({ length: 60_000 }, (_, i) => `${i}:${'"'.repeat(i % 90)}`);
    const formatter = createLogLineFormatter({ job: 'j', user: 'u' }, 'stderr');
    const firstNs = 1_700_000_000_000_000_000n;
    const written = writeAll(texts, { job: 'j', user: 'u' }, 'stderr', firstNs);
    const expected = texts.map((text, i) => formatter.format(text, 'output', String(firstNs + STEP_NS * BigInt(i))));
    expect(written).toHaveLength(expected.length);
    expect(written.join('') === expected.join('')).toBe(true);
  });
});
