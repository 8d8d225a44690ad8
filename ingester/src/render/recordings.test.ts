import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createXterm, readXterm, readXtermStyles, renderChunks, trimLines, writeXterm } from './testing/xterm.js';

/** Pairs of NAME.raw and NAME.txt; their README says how they were made. */
const FOLDER = join(__dirname, 'testing', 'recordings');
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.raw'))
  .map((file) => file.slice(0, -'.raw'.length));

/** Our log keeps the last picture of the alternate screen; xterm shows the screen from before. */
const UNLIKE_XTERM: readonly string[] = ['watch'];

const readOutput = (name: string): Buffer => readFileSync(join(FOLDER, `${name}.raw`));
const readRows = (name: string): string[] => trimLines(readFileSync(join(FOLDER, `${name}.txt`), 'utf8').split('\n'));

function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

describe('what real programs printed', () => {
  it.each([
    'tqdm-one-bar',
    'tqdm-nested',
    'tqdm-four-bars',
    'rich-progress',
    'pip-install',
    'npm-install',
    'keras-progbar',
    'docker-pull',
    'curl',
    'watch',
    'enlighten-bars',
  ])('%s is recorded', (name) => expect(NAMES).toContain(name));

  it.each(NAMES)('%s: the rows that a console shows', (name) => {
    expect(trimLines(renderChunks([readOutput(name)]).map((row) => row.text))).toEqual(readRows(name));
  });

  it.each(NAMES)('%s: the same rows, however it is cut', (name) => {
    const output = readOutput(name);
    for (const size of [1, 2, 7, 100, 1000, 4096]) {
      // Versions in between are asked for as by a timer, or after every chunk.
      for (const takesChangesAlways of size < 100 ? [false] : [false, true]) {
        const rows = renderChunks(cut(output, size), takesChangesAlways);
        expect(trimLines(rows.map((row) => row.text))).toEqual(readRows(name));
      }
    }
  });

  it.each(NAMES.filter((name) => !UNLIKE_XTERM.includes(name)))(
    '%s: the same rows and colours as in xterm',
    async (name) => {
      const output = readOutput(name);
      const terminal = createXterm();
      await writeXterm(terminal, output);
      expect(readXterm(terminal)).toEqual(readRows(name));
      const coloured = createXterm();
      await writeXterm(
        coloured,
        renderChunks([output])
          .map((row) => row.ansi ?? row.text)
          .join('\n')
      );
      expect(readXtermStyles(coloured)).toEqual(readXtermStyles(terminal));
    }
  );
});
