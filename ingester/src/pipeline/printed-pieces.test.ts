import { ConsoleRenderer } from '../render/console-renderer.js';
import { findPiece } from './printed-pieces.js';

const SINK = { update: () => undefined, addLines: () => undefined };
const UNITS = [
  '/LOGCOMMAND',
  '\x1b[A/LOGCOMMAND',
  '/LOGCOMMAND\r',
  '/LOGCOMMAND\v',
  '/LOGCOMMAND\x1b[1m',
  '\x1b[A/LOGCOMMAND\v',
  '/\x1b[C',
  '\b"a (1)"/',
  '-.é',
];

/** How many characters the pieces of a text have, and the texts on the screen that may be read for each of them. */
function countRead(text: string): number {
  const renderer = new ConsoleRenderer();
  let count = 0;
  for (let rest = Buffer.from(text); rest.length > 0;) {
    const { openTexts } = renderer;
    const { end } = findPiece(rest, openTexts);
    count += end;
    for (const { length } of openTexts) count += length;
    renderer.write(rest.subarray(0, end), SINK);
    rest = rest.subarray(end);
  }
  return count;
}

describe('the pieces of a long line', () => {
  it.each(UNITS)('are found in time in proportion to it: %j', (unit) => {
    const [short, long] = [20_000, 160_000].map((length) => countRead(unit.repeat(length / unit.length)) / length);
    expect((long ?? Infinity) / (short ?? 0)).toBeLessThan(3);
  });
});
