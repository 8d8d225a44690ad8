import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from './replace-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joblens-replace-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a file that is written whole', () => {
  const name = `it's (a) "file" -.yaml`;

  it('is made with its folders and its mode', () => {
    const path = join(folder, 'new', 'deep', name);
    replaceFile(path, 'text\n', 0o640);
    expect(readFileSync(path, 'utf8')).toBe('text\n');
    expect(modeOf(path)).toBe(0o640);
  });

  it('keeps the mode of the file that is there', () => {
    const path = join(folder, name);
    writeFileSync(path, 'old and longer', { mode: 0o600 });
    replaceFile(path, Buffer.from('new'), 0o644);
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(modeOf(path)).toBe(0o600);
  });

  it('leaves a link a link', () => {
    writeFileSync(join(folder, name), 'old');
    symlinkSync(name, join(folder, 'link'));
    replaceFile(join(folder, 'link'), 'new', 0o644);
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('new');
  });

  it('does not mind a draft that a killed run left', () => {
    writeFileSync(join(folder, `${name}.joblens-new`), 'half');
    replaceFile(join(folder, name), 'whole', 0o644);
    expect(readdirSync(folder)).toEqual([name]);
  });

  it('is as it was, with nothing beside it, where it cannot be written', () => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'in it'), '');
    expect(() => {
      replaceFile(join(folder, name), 'text', 0o644);
    }).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual([name]);
  });
});
