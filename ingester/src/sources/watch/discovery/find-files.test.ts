import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { showPath, toPathBytes } from '../../../host/path-bytes.js';
import { findFiles } from './find-files.js';

describe('findFiles', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'joblens-find-files-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const find = async (pattern: string, names: readonly string[]): Promise<string[]> => {
    for (const name of names) writeFileSync(join(folder, name), '');
    const { files } = await findFiles([join(folder, pattern)]);
    return files.map((file) => basename(file));
  };

  it.each([
    ['*.out', ['a.out', 'b.outx'], ['a.out']],
    ['a*b*c', ['abc', 'aXbXc', 'acb', 'ab', 'abcc'], ['aXbXc', 'abc', 'abcc']],
    ['*ab*ab', ['ab', 'abab', 'aabab', 'abaab'], ['aabab', 'abaab', 'abab']],
    ['*1*0?', ['100', '1000', 'x1y0z', '10'], ['100', '1000', 'x1y0z']],
    ['**x', ['x', 'yx', 'xy'], ['x', 'yx']],
    ['*[!a-c]*[0-9]', ['d1', 'a1', 'adb1'], ['adb1', 'd1']],
    ['[ab][*]*', ['a*x', 'b*', 'ax'], ['a*x', 'b*']],
    ['x[*', ['x[', 'x[1', 'x1'], ['x[', 'x[1']],
    // A name that is there is meant.
    ['run[lr=0.1] (a).out', ['run[lr=0.1] (a).out', 'runl (a).out'], ['run[lr=0.1] (a).out']],
    ['run[lr=0.1] (a).out', ['runl (a).out'], ['runl (a).out']],
    ['really?', ['really?', 'really!'], ['really?']],
    ['[z-a]*', ['z', 'a', '-'], []],
    ['(a)*.{1}\\*', ['(a)b.{1}\\', '(a).{1}\\c', 'aX1\\'], ['(a).{1}\\c', '(a)b.{1}\\']],
  ])('finds what matches %s', async (pattern, names, found) => {
    expect(await find(pattern, names)).toEqual(found);
  });

  it.each<[string, readonly string[]]>([
    ['', ['caf\\xe9-1.(a).out', 'plain.out', 'true \ufffd.out', '\\xff\\xfe', '\\xff\\xff']],
    ['*.out', ['caf\\xe9-1.(a).out', 'plain.out', 'true \ufffd.out']],
    ['caf\ufffd-1.(a).out', ['caf\\xe9-1.(a).out']],
    ['c?f\ufffd-*', ['caf\\xe9-1.(a).out']],
    ['true \ufffd.out', ['true \ufffd.out']],
    ['plain.out', ['plain.out']],
  ])('finds files whose names are no UTF-8: %j', async (pattern, shown) => {
    for (const name of ['caf\xe9-1.(a).out', '\xff\xfe', '\xff\xff', 'plain.out'])
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]), 'text\n');
    writeFileSync(join(folder, 'true \ufffd.out'), 'text\n');
    const { files } = await findFiles([join(folder, pattern)]);
    expect(files.map((file) => basename(showPath(file)))).toEqual(shown);
    for (const file of files) expect(readFileSync(toPathBytes(file), 'utf8')).toBe('text\n');
  });

  it('looks once at a name that almost matches a pattern with many stars', async () => {
    const names = ['-'.repeat(255), `${'-'.repeat(251)}.out`];
    expect(await find('*-*-*-*-*-*-*-*-*.out', names)).toEqual([names[1]]);
  });
});
