import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Point } from '@joblens/core/point/point';
import { describeWith } from '../../../../test/components.js';
import { canCreateAccounts, createAccount, type TemporaryAccount } from '../../../../test/slurm-account.js';
import { canMakeCgroups } from '../../../../test/slurm-cgroups.js';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { type Cluster, logOf, readPoints, startCluster, statesOf } from './testing/cluster.js';

/** A container may run the real Slurm, but mostly not make cgroups. */
const describeWithCgroups =
  canMakeCgroups() && canCreateAccounts()
    ? describeWith
    : (_components: unknown, name: string, suite: () => void): void =>
        describe.skip(`${name} (needs root, and cgroups of version 1 that may be made)`, suite);

const MB = 2 ** 20;
/** Takes memory, works until its use is stored, and says how much of a processor it got: little on a busy machine. */
const USE = (megabytes: number): string =>
  `python3 -c "import os, time; b = bytearray(${megabytes} << 20)
for page in range(0, len(b), 4096): b[page] = 1
start = time.time()
while not os.path.exists('measured-' + os.environ['SLURM_JOB_ID']): pass
print('worked', time.process_time() / (time.time() - start))"`;

describeWithCgroups(['slurm', 'python'], "Slurm's cgroups", () => {
  const joblens = prepareJoblens();
  let cluster: Cluster;
  let ann: TemporaryAccount;
  beforeAll(async () => {
    cluster = await startCluster({ hasCgroups: true });
    ann = createAccount();
    writeFileSync(join(ann.home, '.logoptin'), '');
    chownSync(join(ann.home, '.logoptin'), ann.uid, ann.gid);
  });
  afterAll(async () => {
    joblens.remove();
    await cluster.stop();
    ann.remove();
  });

  const submit = (lines: string, memory: string): Promise<string> =>
    cluster.submit(`#!/bin/bash\n${lines}\n`, [`--mem=${memory}`], { as: ann });

  const stored = (name: string): Point[] => readPoints(cluster.read(name));
  const reasonOf = (points: readonly Point[], job: string): unknown =>
    points
      .filter(({ measurement, tags }) => measurement === 'job' && tags.get('job') === job)
      .flatMap(({ fields }) => fields.get('reason') ?? [])
      .at(-1);
  const gpusOf = (points: readonly Point[], job: string): string[] => {
    const rows = points.filter(({ measurement, tags }) => measurement === 'job_metadata' && tags.get('job') === job);
    const keys = new Set(rows.flatMap(({ fields }) => [...fields.keys()]));
    return [...keys].filter((key) => key.startsWith('system.gpu')).sort();
  };
  const usageOf = (points: readonly Point[], job: string): readonly Point[] =>
    points.filter(({ tags, fields }) => tags.get('job') === job && fields.has('system.age_s'));
  const endMeasured = async (job: string, out: string): Promise<void> => {
    await until(() => usageOf(stored(out), job).length > 1);
    writeFileSync(join(cluster.folder, `measured-${job}`), '');
    expect(await cluster.untilEnded(job)).toBe('COMPLETED');
  };
  const expectUsage = (points: readonly Point[], job: string): void => {
    const rows = usageOf(points, job);
    const highest = (key: string): number => Math.max(...rows.map(({ fields }) => Number(fields.get(key) ?? 0)));
    const [said = ''] = logOf(points, job);
    const workedCores = Number(/^worked (\S+)$/.exec(said)?.[1]);
    expect(highest('system.cpu_cores')).toBeGreaterThan(workedCores / 3);
    expect(highest('system.cpu_cores')).toBeLessThan(3);
    expect(highest('system.memory_bytes')).toBeGreaterThan(100 * MB);
    expect(highest('system.memory_bytes')).toBeLessThan(256 * MB);
  };

  it('joblens run --metrics reads the cgroup of the job', async () => {
    const run = `joblens run --mode enabled --metrics --metrics-interval 1 --out used.lp -- ${USE(100)}`;
    const job = await submit(run, '256M');
    await endMeasured(job, 'used.lp');
    expect(logOf(stored('used.lp'), job)).toEqual([expect.stringMatching(/^worked \d/)]);
    expectUsage(stored('used.lp'), job);
  });

  it('joblens watch --slurm --metrics does, and says that a job was killed for its memory', async () => {
    const out = join(cluster.folder, 'watched.lp');
    const options = ['--slurm', '--slurm-interval', '0.5', '--metrics', '--metrics-interval', '1', '--out', out];
    // Slurm knows no GPUs here, so the job and the program that tells of them say what they would say.
    const tools = join(cluster.folder, 'tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'nvidia-smi'), '#!/bin/sh\necho 0, 11, 1\necho 1, 97, 2\nexec sleep 100\n', {
      mode: 0o755,
    });
    const { environment } = cluster;
    const daemon = joblens.start(['watch', ...options], { ...environment, PATH: `${tools}:${environment.PATH}` });
    const fits = await submit(`export SLURM_JOB_GPUS=1\n${USE(100)}`, '256M');
    const large = await submit(USE(400), '64M');
    await endMeasured(fits, 'watched.lp');
    expect(await cluster.untilEnded(large)).toBe('OUT_OF_MEMORY');
    await until(() => statesOf(stored('watched.lp'), large).at(-1)?.endsWith('>OUT_OF_MEMORY') === true);
    daemon.kill('SIGTERM');
    await daemon.ended;
    expectUsage(stored('watched.lp'), fits);
    expect(gpusOf(stored('watched.lp'), fits)).toEqual(['system.gpu1_memory_bytes', 'system.gpu1_percent']);
    expect(reasonOf(stored('watched.lp'), large)).toBe('killed for memory (64 MB asked for)');
  });
});
