import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { appendFile, open, readFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFileError } from './file-error.js';

async function catchError(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing failed');
}

const folder = mkdtempSync(join(tmpdir(), 'joblens-file-error-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each<[string, (folder: string) => Promise<unknown>, string]>([
  ['a missing file', (folder) => readFile(join(folder, 'none')), 'no such file or directory (ENOENT)'],
  ['a folder', (folder) => readFile(folder), 'illegal operation on a directory (EISDIR)'],
  ['a folder opened for writing', (folder) => open(folder, 'a'), 'illegal operation on a directory (EISDIR)'],
  ['a full device', () => appendFile('/dev/full', 'x'), 'no space left on device (ENOSPC)'],
  ['an error of another kind', () => Promise.reject(new Error('odd')), 'Error: odd'],
  ['a code of ours', () => Promise.reject(Object.assign(new Error(), { code: 'EODD' })), 'EODD'],
])('says what the system says: %s', async (_name, work, expected) => {
  expect(describeFileError(await catchError(() => work(folder)))).toBe(expected);
});

it.each([
  ['EDQUOT', 'Unknown system error -122', 'disk quota exceeded (EDQUOT)'],
  ['ESTALE', 'Unknown system error -116', 'stale file handle (ESTALE)'],
  ['ETIME', 'Unknown system error -62', 'ETIME'],
] as const)('names %s, which Node calls %s', (name, code, text) => {
  const errno = -((constants.errno as Readonly<Record<string, number>>)[name] ?? 0);
  expect(describeFileError(Object.assign(new Error(`${code}: x`), { code, errno }))).toBe(text);
});

// `error.code ?? error.message` says `Unknown system error -122` to a user whose quota is used up.
it("is the one place that makes words of an error's code", () => {
  const root = join(__dirname, '..');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== join('host', 'file-error.ts')
  );
  const OWN_WORDS = /\bcode \?\? (?:\w+\.)?(?:message\b|String\(|'')/;
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter((path) => OWN_WORDS.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
