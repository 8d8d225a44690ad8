import { defaultOutputPattern, expandOutputPath } from './output-paths.js';

const ARRAY_TASK = {
  rawId: 128,
  array: { id: 120, task: 12 },
  user: 'ann',
  name: 'train it',
  host: 'node1',
  workdir: '/home/ann',
};
const PLAIN = { rawId: 128, user: 'ann', name: 'train it', host: 'node1', workdir: '/home/ann' };

describe('expandOutputPath', () => {
  // The symbols of sbatch's manual; what Slurm 22.05 made of each was tried on a real one (test/slurm.test.ts).
  it.each([
    ['slurm-%j.out', ['/home/ann/slurm-128.out']],
    ['/logs/%x-%u.log', ['/logs/train it-ann.log']],
    ['%A_%a.out', ['/home/ann/120_12.out']],
    ['%8j.out', ['/home/ann/00000128.out']],
    ['%12j.out', ['/home/ann/0000000128.out']],
    ['%4a-%2a-%1a', ['/home/ann/0012-12-12']],
    ['%3N-%5u', ['/home/ann/node1-ann']],
    ['%n-%2t-%s-%J', ['/home/ann/0-00-batch-128']],
    ['100%%-%%j', ['/home/ann/100%-%j']],
    ['b%b', ['/home/ann/b2', '/home/ann/b%b']],
    ['b%4b', ['/home/ann/b0002', '/home/ann/b4b']],
    ['e-%3%-%y', ['/home/ann/e-3%-%y']],
    ['end%', ['/home/ann/end%']],
    ['e\\%j.out', ['/home/ann/e%j.out']],
    ['/a\\/%j', ['/a/%j']],
    ['none', []],
    ['/dev/null', []],
    ['', []],
  ])('%s → %j', (pattern, paths) => {
    expect(expandOutputPath(pattern, ARRAY_TASK)).toEqual(paths);
  });

  it.each([
    ['%A.out', ['/home/ann/128.out']],
    ['x%a.out', ['/home/ann/x4294967294.out']],
  ])('%s of a job that is no array → %j', (pattern, paths) => {
    expect(expandOutputPath(pattern, PLAIN)).toEqual(paths);
  });

  it.each([
    [false, 'slurm-%j.out'],
    [true, 'slurm-%A_%a.out'],
  ])('names a file where the user gave no name (array: %s): %s', (isArray, pattern) => {
    expect(defaultOutputPattern(isArray)).toBe(pattern);
  });
});
