import fc from 'fast-check';
import { createConsoleRenderer } from '../render/console-renderer.js';
import { createPipelineUnderTest } from '../testing/pipeline-under-test.js';
import { readLog } from '../testing/stored-points.js';

/** Pieces of output that make equal lines, empty lines and changed lines likely. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a\n', 'b\n', '\n', 'ab\n') },
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', '\r', '\x1b[2K\r') },
  { weight: 2, arbitrary: fc.constantFrom('\x1b[A', '\x1b[2A', '\x1b[3A', '\n\n\n') },
  { weight: 2, arbitrary: fc.constantFrom('<pause>') }
);

/** The lines that a log stands for: each notice is so many repeats of the line before; several empty lines count as one. */
function expand(log: readonly string[]): string[] {
  const lines: string[] = [];
  for (const line of log) {
    const repeats = /^\[notice\] \(previous line repeated (\d+) times\)$/.exec(line);
    if (repeats === null) lines.push(line);
    else lines.push(...Array.from({ length: Number(repeats[1]) }, () => lines.at(-1) ?? '<nothing before>'));
  }
  const collapsed = lines.filter((line, i) => line !== '' || lines[i - 1] !== '');
  // A row that was shown and erased at the very end stays as an empty line.
  return collapsed.at(-1) === '' ? collapsed.slice(0, -1) : collapsed;
}

describe('StreamLog', () => {
  it('stores what the console shows at the end, however rows change, repeat and are shown in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const test = createPipelineUnderTest();
        const console = createConsoleRenderer();
        const rows = new Map<number, string>();
        const show = (updates: ReturnType<typeof console.end>): void =>
          updates.forEach(({ id, text }) => rows.set(id, text));
        for (const text of pieces) {
          if (text === '<pause>') {
            await test.clock.advance(300);
            continue;
          }
          await test.write('stdout', text);
          show(console.write(Buffer.from(text)));
        }
        test.end();
        show(console.end());
        const shown = expand([...rows].sort(([a], [b]) => a - b).map(([, text]) => text));
        expect(expand(readLog(test.stored()))).toEqual(shown);
      }),
      { numRuns: 500 }
    );
  });

  it('gives no two rows one time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[ab\n]{0,5}$/)), async (pieces) => {
        const test = createPipelineUnderTest();
        for (const text of pieces) {
          await test.write('stdout', text);
          await test.write('stderr', text);
        }
        test.end();
        const times = test.stored().map(({ timeNs }) => timeNs);
        expect(new Set(times).size).toBe(times.length);
      })
    );
  });
});
