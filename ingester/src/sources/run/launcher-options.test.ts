import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundleJoblens } from '../../testing/joblens.js';
import { RUN } from './subcommand.js';

const folder = mkdtempSync(join(tmpdir(), 'joblens-launcher-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
cpSync(dirname(dirname(bundleJoblens())), folder, { recursive: true });
// Without a Node, the launcher itself finds where the command begins.
rmSync(join(folder, 'bin', 'node'));

const OPTIONS = [
  '-h, --help',
  ...RUN.groups.flatMap(({ options }) => Object.values(options).map((each) => each.flags)),
];
/** Each spelling of each option, with the words that it may take. */
const SPELLINGS = OPTIONS.filter((flags) => flags !== undefined).flatMap((flags) => {
  const [names = '', value] = flags.split(/ (?=[<[])/);
  return names.split(', ').flatMap((name) => {
    if (value === undefined) return [[name]];
    return name.startsWith('--') ? [[name, 'printf'], [`${name}=a value`]] : [[name, 'printf']];
  });
});

const runWithoutNode = (words: readonly string[]): unknown => {
  const env = { PATH: folder, HOME: folder };
  const { status, stdout } = spawnSync(join(folder, 'bin', 'joblens'), ['run', ...words], { env, encoding: 'utf8' });
  return { status, stdout };
};
const COMMAND = ['/usr/bin/printf', '%s|', '--quiet', '--', 'x y'];
const RAN = { status: 0, stdout: '--quiet|--|x y|' };

describe('the launcher knows which options of run take a word', () => {
  it('of all options that there are', () => {
    expect(SPELLINGS.flat()).toEqual(expect.arrayContaining(['-h', '--quiet', '--separate', '--mode', '--tag']));
    expect(SPELLINGS.length).toBeGreaterThan(30);
  });

  it('--dry-run, with which nothing runs', () => {
    for (const words of [['--dry-run'], ['--quiet', '--job', 'j', '--dry-run', '--metrics']]) {
      expect(runWithoutNode([...words, '--', ...COMMAND])).toEqual({ status: 1, stdout: '' });
      expect(runWithoutNode([...words, ...COMMAND])).toEqual({ status: 1, stdout: '' });
    }
  });

  it.each(SPELLINGS.filter(([name]) => name !== '--dry-run'))('%s %s', (...words) => {
    const options = words.filter((word) => typeof word === 'string');
    expect(runWithoutNode([...options, '--', ...COMMAND])).toEqual(RAN);
    expect(runWithoutNode([...options, ...COMMAND])).toEqual(RAN);
    expect(runWithoutNode(['--job', 'j', ...options, '--metrics', ...COMMAND])).toEqual(RAN);
  });
});
