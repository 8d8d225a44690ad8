import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');

/** More files than one remembers: they need a page that says which one answers which question. */
const MANY_FILES = 15;

const SOURCES = execFileSync('git', ['ls-files', '--', '*/src/*.ts', '*/src/*.tsx', 'ingester/assembly/*.ts'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));

const isTest = (path: string): boolean => /\.test\.tsx?$|\/testing\//.test(path);

function listRooms(): (readonly [room: string, files: readonly string[]])[] {
  const rooms = new Map<string, string[]>();
  for (const path of SOURCES.filter((source) => !isTest(source))) {
    const room = dirname(path);
    rooms.set(room, [...(rooms.get(room) ?? []), basename(path)]);
  }
  return [...rooms].filter(([, files]) => files.length > MANY_FILES);
}

/** The page of a folder, or of the nearest one above it. */
function findPage(folder: string): string {
  const page = join(folder, 'README.md');
  return existsSync(join(ROOT, page)) ? page : findPage(dirname(folder));
}

/** The files that a page names, without their folders. */
function listNamed(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const named = [...text.matchAll(/`[^`\s]*?([\w.-]+\.tsx?)`/g)].map(([, name = '']) => name);
  return named.filter((name) => !name.startsWith('NAME.'));
}

describe('the page of a folder of many files', () => {
  const rooms = listRooms();

  it.each(rooms)('names all files of %s', (room, files) => {
    const named = new Set(listNamed(findPage(room)));
    expect(files.filter((file) => !named.has(file))).toEqual([]);
  });

  it.each([...new Set(rooms.map(([room]) => findPage(room)))])('%s names no file that is gone', (page) => {
    const there = new Set(SOURCES.map((path) => basename(path)));
    expect(listNamed(page).filter((name) => !there.has(name))).toEqual([]);
  });
});
