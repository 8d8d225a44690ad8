import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { JobSource } from '@joblens/core/schema/measurements';
import { createLogLineFormatter } from '@joblens/core/schema/log-point';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { mayBeMetadata, trimSpaces } from '../rules/commands/line-rules.js';
import { COMMAND_WORD } from '../rules/commands/log-command.js';
import { openLineKernel } from './line-kernel.js';
import { LINES_LAYOUT } from './lines-module.js';
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
const EDGES = [
  ...['', '', ' ', 'ends ', 'ends', 'same', 'same', "{'dict': 1}", '{', '{}', '{ }', '{"a": 1}'],
  ...['/usr/bin', '/', '/LOGCOMM', '/LOGCOMMAND {}'],
];
const line = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: pieces, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(...EDGES) },
  {
    weight: 1,
    // All lines differ: a run also ends where the output is full, and the next line would be a repeat of one that is
    // not in it.
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

/** Whether the rules have nothing to do with the line. The kernel compares only the first 8 bytes of a command. */
function isOrdinary(text: string): boolean {
  const bytes = Buffer.from(text);
  if (text.startsWith(COMMAND_WORD.slice(0, 8)) || mayBeMetadata(bytes, 0)) return false;
  return bytes.length <= LINES_LAYOUT.MAX_LINE_BYTES;
}

function createLines(texts: readonly string[]): LoadedLines {
  return new LoadedLines(Buffer.from(texts.map((text) => `${text}\n`).join('')), openLineKernel());
}

const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
const SOURCE: JobSource = { job: 'j', user: 'u' };

/** The points that the kernel is to write for a run of `texts`. */
function expectedPoints(texts: readonly string[], from: JobSource, firstNs: bigint): string {
  const formatter = createLogLineFormatter(from, 'stdout');
  const isDropped = (text: string, i: number): boolean => text === '' && i > 0 && trimSpaces(texts[i - 1] ?? '') === '';
  return texts
    .map((text, i) => {
      const timeNs = firstNs + STEP_NS * BigInt(i);
      return isDropped(trimSpaces(text), i) ? '' : formatter.format(trimSpaces(text), 'output', String(timeNs));
    })
    .join('');
}

/** Writes all lines, run by run, and passes over those that need a closer look. Returns how many lines were in runs. */
function checkRuns(texts: readonly string[], from: JobSource, firstNs: bigint, isFinal: boolean): number {
  const lines = createLines(texts);
  const head = Buffer.from(createLogLineFormatter(from, 'stdout').lineHead);
  let taken = 0;
  for (let [at, count] = [0, 0]; at < lines.bytes.length;) {
    const timeNs = firstNs + STEP_NS * BigInt(count);
    const run = lines.writeOutput(at, isFinal ? lines.bytes.length : 0, head, timeNs);
    const part = texts.slice(count, count + (run?.lines ?? 0));
    if (run !== undefined) {
      expect(run.points.toString() === expectedPoints(part, from, timeNs)).toBe(true);
      expect(run.pointCount).toBe(run.points.toString().split('\n').length - 1);
      expect(lines.bytes.toString('utf8', run.lastStart, run.end)).toBe(`${part.at(-1) ?? ''}\n`);
      const repeats = part.filter((text, i) => i > 0 && trimSpaces(text) === trimSpaces(part[i - 1] ?? ''));
      expect(repeats.every((text) => isFinal && trimSpaces(text) === '')).toBe(true);
    }
    taken += part.length;
    count += run?.lines ?? 1;
    at = run?.end ?? lines.bytes.indexOf('\n', at) + 1;
  }
  return taken;
}

describe('output lines in WebAssembly', () => {
  it('are what ingester/assembly compiles to', () => {
    expect(() =>
      execFileSync(process.execPath, [join(FOLDER, 'build.mjs'), '--check'], { stdio: 'pipe' })
    ).not.toThrow();
  });

  it('become the points that the formatter makes of each', () => {
    fc.assert(
      fc.property(source, fc.array(line, { maxLength: 40 }), timeNs, fc.boolean(), (from, texts, firstNs, isFinal) => {
        const isTimeLong = String(firstNs).length === 19;
        expect(checkRuns(texts, from, firstNs, isFinal)).toBe(isTimeLong ? texts.filter(isOrdinary).length : 0);
      }),
      { numRuns: randomCases(500) }
    );
  });

  it.each([
    [['a', 'a', 'b'], 1],
    [['a', 'a  ', 'b'], 1],
    [['', ' ', 'b'], 3],
    [['a', '', '', '{"b": 1}'], 3],
    [['a', '/LOGCOMMAND {}'], 1],
    [['a', "{'b': 1}", '/bin'], 3],
    [['a', 'x'.repeat(16_384), 'x'.repeat(16_385)], 2],
  ])('of %j so many are one run', (texts, count) => {
    const lines = createLines(texts);
    expect(lines.writeOutput(0, lines.bytes.length, Buffer.from('head '), 10n ** 18n)?.lines).toBe(count);
  });

  it('are counted as long as they equal the first', () => {
    fc.assert(
      fc.property(word, fc.nat(50), word, (text, count, next) => {
        const line = `${text}\n`;
        const lines = new LoadedLines(Buffer.from(`${line.repeat(count + 1)}${next}\n`), openLineKernel());
        const range = { start: 0, end: lines.bytes.length };
        expect(lines.countEqual(range, line.length)).toBe(count + (next === text ? 2 : 1));
        expect(lines.countEqual({ start: 0, end: line.length * count }, line.length)).toBe(count);
      })
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
    expect(checkRuns(texts, SOURCE, 1_700_000_000_000_000_000n, true)).toBe(texts.length);
  });
});
