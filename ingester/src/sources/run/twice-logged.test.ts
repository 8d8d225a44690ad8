import { explainTwice } from './twice-logged.js';

const STEP = { SLURM_JOB_ID: '7', SLURM_STEP_ID: '0' };
const PYTHON = ['python', "train (1)'s.py", '-'] as const;

describe('explainTwice', () => {
  it.each<[string, readonly string[], Record<string, string>, string]>([
    ['srun', ['srun', '-n', '2', 'joblens', 'run', '--', 'x'], {}, 'srun starts joblens again'],
    ['a path', ['/opt/a b/srun', '/opt/joblens (1)/bin/joblens', 'run'], {}, 'srun starts joblens again'],
    ['a wrapped script', PYTHON, { ...STEP, JOBLENS_RUNS: '7' }, 'the batch script of job 7 runs under joblens, too'],
  ])('tells of %s', (_what, [command = '', ...args], environment, begin) => {
    const said = explainTwice({ command, args }, environment);
    expect(said).toMatch(new RegExp(`^${begin}`));
    expect(said).toContain('leave out one of the two');
  });

  it.each<[string, readonly string[], Record<string, string>]>([
    ['srun of another program', ['srun', 'python', 'joblens.py', '/data/joblens/x'], {}],
    ['a command with such an argument', ['echo', 'srun', 'joblens'], {}],
    ['a step of a script that is not wrapped', PYTHON, STEP],
    ['a step of a job that a wrapped one has submitted', PYTHON, { ...STEP, JOBLENS_RUNS: '6' }],
    ['a wrapped script itself', ['/var/spool/slurmd/job00007/slurm_script', 'a'], { ...STEP, JOBLENS_RUNS: '7' }],
    ['what is in the script, but in no step', PYTHON, { SLURM_JOB_ID: '7', JOBLENS_RUNS: '7' }],
    ['no job', PYTHON, { JOBLENS_RUNS: '', SLURM_STEP_ID: '' }],
  ])('says nothing of %s', (_what, [command = '', ...args], environment) => {
    expect(explainTwice({ command, args }, environment)).toBeUndefined();
  });
});
