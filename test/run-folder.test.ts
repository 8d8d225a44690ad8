import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { env, execPath } from 'node:process';

const folder = mkdtempSync(join(tmpdir(), 'joblens-run-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a run of jest does before and after its suites; `between` is done in place of them. */
const RUN = (between: string): string => `
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import create from '${__dirname}/run-folder.mjs';
import remove from '${__dirname}/run-folder-teardown.mjs';
await create();
${between}
await remove();
`;
const LEAVE = `const left = mkdtempSync(tmpdir() + '/-left (a b)-');
mkdirSync(left + '/closed', { mode: 0o500 });
writeFileSync(left + '/file', '');`;

const run = (between: string): string =>
  execFileSync('/bin/sh', ['-c', `exec "$0" --input-type=module --eval "$1" 2>&1`, execPath, RUN(between)], {
    encoding: 'utf8',
    env: { ...env, TMPDIR: folder },
  });

it('nothing that suites leave in the folder for temporary files outlives the run, and it is named', () => {
  expect(run(LEAVE)).toMatch(/^\nThe tests left in the folder for temporary files: -left \(a b\)-\w{6}\n$/);
  expect(readdirSync(folder)).toEqual([]);
});

it('a run that leaves nothing says nothing', () => {
  expect(run('')).toBe('');
  expect(readdirSync(folder)).toEqual([]);
});

it('is where the suites of this run, and the processes that they start, have their temporary files', () => {
  expect(dirname(tmpdir())).toBe(env['JOBLENS_TEST_FOLDER']);
  expect(execFileSync('mktemp', ['--dry-run'], { encoding: 'utf8' })).toContain(tmpdir());
  // Other users may open their part of it, and nobody may list it.
  expect((statSync(dirname(tmpdir())).mode & 0o777).toString(8)).toBe('711');
});
