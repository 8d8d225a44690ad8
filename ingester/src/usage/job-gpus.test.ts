import type { CgroupFolders } from './cgroup-usage.js';
import type { GpuWatch } from './gpu-watch.js';
import { createJobGpus, findJobGpus } from './job-gpus.js';
import { createFakeFiles } from './testing/fake-files.js';

const environ = (...variables: readonly string[]): string => [...variables, ''].join('\0');

describe('findJobGpus', () => {
  const SCOPE = '/sys/fs/cgroup/system.slice/slurmstepd.scope/job_7';
  const VERSION_1 = '/sys/fs/cgroup/cpuacct/slurm/uid_1000/job_7';
  it.each<[string, CgroupFolders, Record<string, string>, readonly number[]]>([
    [
      'of its batch script, in version 2',
      { version: 2, folder: SCOPE },
      {
        [`${SCOPE}/cgroup.procs`]: '',
        [`${SCOPE}/step_batch/slurm/cgroup.procs`]: '40\n',
        [`${SCOPE}/step_batch/user/task_0/cgroup.procs`]: '41\n42\n',
        '/proc/41/environ': environ('CUDA_VISIBLE_DEVICES=0,1', 'SLURM_JOB_GPUS=2,5'),
      },
      [2, 5],
    ],
    [
      'of its steps, in version 1',
      { version: 1, cpuacct: VERSION_1, memory: undefined, blkio: undefined },
      {
        [`${VERSION_1}/step_0/task_0/cgroup.procs`]: '41\n',
        [`${VERSION_1}/step_1/task_0/cgroup.procs`]: '42\n',
        '/proc/41/environ': environ('SLURM_STEP_GPUS=0-1'),
        '/proc/42/environ': environ('SLURM_STEP_GPUS=3'),
      },
      [0, 1, 3],
    ],
    [
      'none where its processes have none, or something else',
      { version: 2, folder: SCOPE },
      {
        [`${SCOPE}/step_batch/user/task_0/cgroup.procs`]: '41\n42\n43\n',
        '/proc/41/environ': environ('SLURM_JOB_ID=7'),
        '/proc/42/environ': environ('SLURM_JOB_GPUS=', 'SLURM_STEP_GPUS=a100,-', 'MY_SLURM_JOB_GPUS=1'),
      },
      [],
    ],
    ['none without a folder', { version: 1, cpuacct: undefined, memory: undefined, blkio: undefined }, {}, []],
  ])('gives those %s', (_title, folders, files, gpus) => {
    expect([...findJobGpus(createFakeFiles(files), folders)]).toEqual(gpus);
  });
});

describe('createJobGpus', () => {
  const node: GpuWatch = {
    isStarting: false,
    readings: new Map([0, 1].map((index) => [index, { percent: index, memoryBytes: 10 }])),
    close: () => undefined,
  };

  it("gives the job's own part of the node", () => {
    const gpus = createJobGpus(
      () => new Set([1]),
      () => node
    );
    expect([...gpus.readings]).toEqual([[1, { percent: 1, memoryBytes: 10 }]]);
  });

  it('starts nothing for a job without GPUs', () => {
    const gpus = createJobGpus(
      () => new Set(),
      () => {
        throw new Error('started');
      }
    );
    expect([gpus.isStarting, gpus.readings.size]).toEqual([false, 0]);
  });
});
