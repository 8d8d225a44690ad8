import * as fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import { expectSame } from '../testing/expect-same.js';
import { bars, cutBytes, programs } from './testing/programs.js';
import { createXterm, readXterm, readXtermStyles, renderChunks, trimLines, writeXterm } from './testing/xterm.js';

/*
 * Where our screen differs from xterm's on purpose, and what the programs here therefore leave out:
 * - No right edge: a row never wraps (a row over 1 MiB continues in the next); absolute movements end at column 1024.
 * - A cleared screen scrolls off, also with a scroll region, by ESC c, and by `ESC [J` right after `ESC [H`: a program
 *   must not wipe the log. Rows of spaces are empty there. `ESC [3J` does nothing.
 * - The alternate screen is drawn below the log, and its last picture stays: there a cleared screen is empty.
 * - OSC, APC, PM and SOS end with their line, and all strings after 64 KiB (CSI: 1 KiB); what they held is shown then.
 * - Erased cells have no background colour, hyperlinks no underline; colours of blanks at the end of a row are dropped.
 * - C1 characters (U+0080 to U+009F) and the byte order mark are text of no width. Emoji are wide (xterm: Unicode 6).
 * - A mark that combines with nothing (first in its row) is kept.
 */

const CASES = randomCases(1500);

describe('against xterm', () => {
  const screen = createXterm();
  /** Enough for what never moves up; a new screen of all rows takes longer than most cases. */
  const lowScreen = createXterm(2);

  it.each([
    ['any program', programs, CASES],
    ['frames', bars, CASES],
  ])(
    'shows the same rows and colours for %s, cut anywhere',
    async (_, arbitrary, numRuns) => {
      const property = fc.asyncProperty(arbitrary, fc.array(fc.nat(2000), { maxLength: 6 }), async (text, places) => {
        const bytes = Buffer.from(text);
        const rows = renderChunks(cutBytes(bytes, places), places.length % 2 === 0);
        const terminal = text.includes('\x1b') ? screen : lowScreen;
        terminal.reset();
        await writeXterm(terminal, bytes);
        expectSame(trimLines(rows.map((row) => row.text)), readXterm(terminal));
        if (!text.includes('\x1b')) return;
        lowScreen.reset();
        await writeXterm(lowScreen, rows.map((row) => row.ansi ?? row.text).join('\n'));
        expectSame(readXtermStyles(lowScreen), readXtermStyles(terminal));
      });
      await fc.assert(property, { numRuns });
    },
    36_000_000
  );
});
