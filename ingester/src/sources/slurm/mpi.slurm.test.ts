import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { prepareJoblens } from '../../testing/joblens.js';
import { type Cluster, logOf, readPoints, startCluster } from './testing/cluster.js';

/** Its ranks are right only if each one finds the descriptor by which mpiexec or srun talks to it. */
const PROGRAM = `#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int rank, size, sum;
  char text[64] = "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && argc > 1 && strcmp(argv[1], "read") == 0) read(0, text, 5);
  MPI_Bcast(text, sizeof text, MPI_CHAR, 0, MPI_COMM_WORLD);
  printf("rank %d of %d, sum %d%s\\n", rank, size, sum, text);
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == size - 1 && argc > 1 && strcmp(argv[1], "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Finalize();
  return argc > 1 && strcmp(argv[1], "fail") == 0 ? 5 : 0;
}
`;

/** Compiles it in this folder, whose name and path may be odd. */
function compile(folder: string): string {
  const source = join(folder, 'ranks.c');
  writeFileSync(source, PROGRAM);
  execFileSync('mpicc.mpich', ['-w', '-o', join(folder, '-ranks (1)'), source]);
  rmSync(source);
  return './-ranks (1)';
}

/** What the ranks print, in order; with one job for each, or the tasks of one job. */
const ranks = (size: number, text = ''): string[] =>
  Array.from({ length: size }, (_, i) => `rank ${i} of ${size}, sum ${(size * (size - 1)) / 2}${text}`);
const rankLines = (text: string): string[] => (text.match(/^rank .*$/gm) ?? []).sort();

/** The ways to run each rank, by what comes before it. */
const WAYS: readonly (readonly [name: string, options: readonly string[]])[] = [
  ['logging', ['--mode', 'enabled', '--out', 'ranks.lp']],
  ['without an opt-in', []],
  ['quiet', ['--quiet']],
];

describeWith(['mpich'], 'an MPI program under mpiexec', () => {
  const joblens = prepareJoblens();
  const program = compile(joblens.folder);
  // As npm links it.
  const command = join(joblens.folder, 'node_modules', '.bin', 'joblens');
  mkdirSync(join(command, '..'), { recursive: true });
  symlinkSync(joblens.command, command);
  afterAll(() => joblens.remove());
  const logged = (): string[] => {
    const file = join(joblens.folder, 'ranks.lp');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    rmSync(file, { force: true });
    return rankLines([...text.matchAll(/ line="(rank [^"]*)"/g)].map(([, line]) => line).join('\n'));
  };
  const mpiexec = (...words: string[]): ReturnType<typeof spawnSync> => {
    const env = { PATH: process.env['PATH'], HOME: joblens.folder, JOBLENS_LOG_LEVEL: 'warn' };
    return spawnSync('mpiexec.mpich', words, { cwd: joblens.folder, env, input: 'hello' });
  };

  it.each(WAYS)('has its ranks, %s', (name, options) => {
    const { status, stdout } = mpiexec('-n', '3', command, 'run', ...options, '--', program, 'read');
    expect(status).toBe(0);
    expect(rankLines(String(stdout))).toEqual(ranks(3, 'hello'));
    expect(logged()).toEqual(name === 'logging' ? ranks(3, 'hello') : []);
  });

  it.each([
    ['that aborts all ranks', 'abort', ['--quiet']],
    ['whose ranks fail', 'fail', ['--mode', 'enabled', '--out', 'ranks.lp']],
  ])('ends one %s as it ends it alone', (_name, word, options) => {
    const alone = mpiexec('-n', '2', program, word);
    const { status, stdout } = mpiexec('-n', '2', command, 'run', ...options, '--', program, word);
    expect(status).toBeGreaterThan(0);
    expect(status).toBe(alone.status);
    // Where a rank of several aborts, mpiexec ends without waiting for their output.
    if (word === 'fail') expect(rankLines(String(stdout))).toEqual(ranks(2));
    expect(logged()).toEqual(word === 'fail' ? ranks(2) : []);
  });

  it.each(WAYS)('passes its last words on, and logs them, when it aborts, %s', (name, options) => {
    const { status, stdout, stderr } = mpiexec('-n', '1', command, 'run', ...options, '--', program, 'abort');
    expect(status).toBeGreaterThan(0);
    expect(rankLines(String(stdout))).toEqual(ranks(1));
    expect(String(stderr)).toContain('application called MPI_Abort');
    expect(String(stderr)).not.toContain('joblens was killed');
    expect(logged()).toEqual(name === 'logging' ? ranks(1) : []);
  });

  it('has its ranks where joblens runs the whole mpiexec', async () => {
    const { code, stdout } = await joblens.run(
      ['run', '--mode', 'enabled', '--out', 'ranks.lp', '--', 'mpiexec.mpich', '-n', '2', program, 'read'],
      'hello'
    );
    expect(code).toBe(0);
    expect(rankLines(stdout.toString())).toEqual(ranks(2, 'hello'));
    expect(logged()).toEqual(ranks(2, 'hello'));
  });
});

describeWith(['mpich', 'slurm'], 'an MPI program under srun', () => {
  let cluster: Cluster;
  let program: string;
  beforeAll(async () => {
    cluster = await startCluster();
    program = compile(cluster.folder);
    mkdirSync(join(cluster.folder, 'node_modules', '.bin'), { recursive: true });
    symlinkSync('../../bin/joblens', join(cluster.folder, 'node_modules', '.bin', 'joblens'));
  });
  afterAll(() => cluster.stop());

  it.each(WAYS)('has its ranks, %s', async (name, options) => {
    const words = ['node_modules/.bin/joblens', 'run', ...options, '--', `'${program}'`];
    const script = `#!/bin/bash\nsrun --mpi=pmi2 --ntasks=2 ${words.join(' ')}\n`;
    const job = await cluster.submit(script, ['--ntasks=2', '--output=ranks.out']);
    expect(await cluster.untilEnded(job)).toBe('COMPLETED');
    expect(rankLines(cluster.read('ranks.out'))).toEqual(ranks(2));
    if (name !== 'logging') return;
    const points = readPoints(cluster.read('ranks.lp')).filter(({ measurement }) => measurement === 'job_log');
    expect(logOf(points, job).sort()).toEqual(ranks(2));
    // Each rank is the task that Slurm says it is.
    for (const { tags, fields } of points) {
      const line = fields.get('line');
      if (typeof line === 'string' && line.startsWith('rank '))
        expect(line).toContain(`rank ${tags.get('task') ?? ''} of`);
    }
  });

  it('ends as it does alone where its ranks fail', async () => {
    const srun = 'srun --mpi=pmi2 --ntasks=2';
    const script = `#!/bin/bash\n${srun} '${program}' fail; echo "alone $?"\n${srun} joblens run -- '${program}' fail; echo "under $?"\n`;
    const job = await cluster.submit(script, ['--ntasks=2', '--output=failed.out']);
    expect(await cluster.untilEnded(job)).toBe('COMPLETED');
    expect(cluster.read('failed.out')).toContain('alone 5\n');
    expect(cluster.read('failed.out')).toContain('under 5\n');
  });
});
