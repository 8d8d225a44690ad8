import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import { ConsoleRenderer } from '../../render/console-renderer.js';
import { writeRows } from '../../render/testing/xterm.js';
import { createPipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { expandLog, readLog } from '../../testing/stored-points.js';

/** Pieces of output that make equal lines, empty lines and changed lines likely. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a\n', 'b\n', '\n', 'ab\n') },
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', '\r', '\x1b[2K\r') },
  { weight: 2, arbitrary: fc.constantFrom('\x1b[A', '\x1b[2A', '\x1b[3A', '\n\n\n') },
  { weight: 2, arbitrary: fc.constantFrom('<pause>') }
);

describe('StreamLog', () => {
  it('stores what the console shows at the end, however rows change, repeat and are shown in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const test = createPipelineUnderTest();
        const console = new ConsoleRenderer();
        const rows = new Map<number, string>();
        const show = (updates: ReturnType<typeof console.end>): void =>
          updates.forEach(({ id, text }) => rows.set(id, text));
        for (const text of pieces) {
          if (text === '<pause>') {
            await test.clock.advance(300);
            continue;
          }
          await test.write('stdout', text);
          show(writeRows(console, Buffer.from(text)));
        }
        test.end();
        show(console.end());
        const shown = expandLog([...rows].sort(([a], [b]) => a - b).map(([, text]) => text));
        expect(expandLog(readLog(test.stored()))).toEqual(shown);
      }),
      { numRuns: randomCases(500) }
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
