import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Counters } from '../../delivery/counters.js';
import { InvalidLines } from './invalid-lines.js';
import { MAX_KEPT_LINE_BYTES, TranslatedPoints } from './translated-points.js';

const folder = mkdtempSync(join(tmpdir(), 'joblens-invalid-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function createKeeper({ path = join(folder, `${(count += 1)}.lp`), maxFileBytes = 1 << 20 } = {}) {
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const report = { error: say, warn: say, info: say, debug: say };
  const counters = new Counters();
  const lines = new InvalidLines(path, counters, report, maxFileBytes);
  return {
    ...{ path, said, counters },
    /** Keeps lines as one chunk would bring them, and waits until they are written. */
    keep: async (...texts: readonly string[]): Promise<void> => {
      const translated = new TranslatedPoints('here');
      for (const text of texts) translated.refuse(Buffer.from(text), 'no reason');
      lines.keep(translated);
      await lines.close();
    },
  };
}

describe('InvalidLines', () => {
  it('counts them at the end', async () => {
    const { path, said, keep } = createKeeper();
    await keep('m f=oops');
    expect(said.at(-1)).toBe(`1 line was not a valid point; see ${path}`);
    await keep('m f=oops', 'm');
    expect(said.at(-1)).toBe(`3 lines were not valid points; see ${path}`);
  });

  it('keeps the beginning of a long line as a comment, and how long it was', async () => {
    const { path, keep } = createKeeper();
    const limit = 'x'.repeat(MAX_KEPT_LINE_BYTES);
    await keep('m f=oops', `${limit}yyy`, limit);
    expect(readFileSync(path, 'utf8').split('\n')).toEqual([
      '# no reason (from here)',
      'm f=oops',
      `# no reason (from here) (kept: the first ${limit.length} of the ${limit.length + 3} bytes that came)`,
      `# ${limit}`,
      '# no reason (from here)',
      limit,
      '',
    ]);
  });

  it.each([1, 10, 1000])('keeps the file within its bound, also over restarts: lines of %d bytes', async (bytes) => {
    const maxFileBytes = 100_000;
    const { path, said, counters, keep } = createKeeper({ maxFileBytes });
    const lines = Array.from({ length: 5000 }, () => 'x'.repeat(bytes));
    for (let i = 0; i < 5; i += 1) await keep(...lines);
    const { size } = statSync(path);
    expect(size).toBeLessThanOrEqual(maxFileBytes);
    expect(size).toBeGreaterThan(maxFileBytes - bytes - 100);
    expect(counters.invalidLines).toBe(25_000);
    expect(said.filter((line) => line.includes('large enough'))).toHaveLength(1);

    await createKeeper({ path, maxFileBytes }).keep(...lines);
    expect(statSync(path).size).toBeLessThanOrEqual(maxFileBytes);
  });

  it('keeps lines again when the file was moved away', async () => {
    const { path, keep } = createKeeper({ maxFileBytes: 1000 });
    await keep(...Array.from({ length: 100 }, () => 'line'));
    renameSync(path, `${path}.old`);
    await keep('new');
    expect(readFileSync(path, 'utf8')).toBe('# no reason (from here)\nnew\n');
  });
});
