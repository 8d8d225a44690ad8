import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConsoleRenderer } from './console-renderer.js';

/** MiB of JavaScript objects in use. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const CHUNK_BYTES = 64 * 1024;

describe('memory', () => {
  it.each([
    ['one line', '', 'x', 64],
    ['one line in two colours', '', '\x1b[38;2;1;2;3mx\x1b[38;2;3;2;1m ', 8],
    ['one control sequence', '\x1b[', '1;', 32],
    ['one OSC', '\x1b]', 'x', 32],
    ['one DCS', '\x1bP', 'x\n', 8],
    ['one bar', '', '\r███▌ 50%', 32],
    ['empty lines', '', '\n', 32],
    ['coloured lines', '', '\x1b[31mred\x1b[0m\n', 8],
  ])('stays within 48 MiB for %s', (_, start, repeated, mebibytes) => {
    const chunk = Buffer.from(repeated.repeat(CHUNK_BYTES / Buffer.byteLength(repeated)));
    const before = measureHeap();
    const renderer = new ConsoleRenderer();
    const sink = { update: () => undefined, addLines: () => undefined };
    renderer.write(Buffer.from(start), sink);
    for (let i = 0; i < mebibytes * 16; i++) {
      renderer.write(chunk, sink);
      renderer.takeChangedRows();
      if (i % 64 === 0) renderer.takeState('change');
    }
    expect(measureHeap() - before).toBeLessThan(48);
    expect(renderer.firstRewritableId).toBeGreaterThanOrEqual(0);
  });
});
