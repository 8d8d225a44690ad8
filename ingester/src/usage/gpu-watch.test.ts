import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { GpuSelection, GpuWatch } from './gpu-watch.js';
import { parseGpuLine, selectGpus, watchGpus } from './gpu-watch.js';

/** Runs a shell script in place of nvidia-smi. */
function watchScript(script: string, selection: GpuSelection = 'all'): { watch: GpuWatch; child: ChildProcess } {
  let child: ChildProcess | undefined;
  const watch = watchGpus(selection, 10_000, () => {
    child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    return child;
  });
  if (child === undefined) throw new Error('nothing was started');
  return { watch, child };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('selectGpus', () => {
  it.each<[string, Record<string, string>, GpuSelection]>([
    ['all of a machine', {}, 'all'],
    ['those of CUDA', { CUDA_VISIBLE_DEVICES: '1, 3' }, ['1', '3']],
    ['those of CUDA by their ids', { CUDA_VISIBLE_DEVICES: 'GPU-8f2e-11' }, ['GPU-8f2e-11']],
    ['those of Slurm', { SLURM_JOB_ID: '7', CUDA_VISIBLE_DEVICES: '0' }, ['0']],
    ['none for a job of Slurm without any', { SLURM_JOB_ID: '7' }, []],
    ['none where they are hidden', { CUDA_VISIBLE_DEVICES: '-1' }, []],
    ['none where Slurm gives none', { CUDA_VISIBLE_DEVICES: 'NoDevFiles' }, []],
    ['no part of a GPU', { CUDA_VISIBLE_DEVICES: 'MIG-1b2c' }, []],
  ])('gives %s', (_title, environment, selection) => {
    expect(selectGpus(environment)).toEqual(selection);
  });
});

describe('parseGpuLine', () => {
  it.each([
    ['0, 97, 30123', [0, { percent: 97, memoryBytes: 30123 * 2 ** 20 }]],
    ['1, [N/A], 5', [1, { memoryBytes: 5 * 2 ** 20 }]],
    ['NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.', undefined],
    ['', undefined],
  ])('reads %p', (line, reading) => {
    expect(parseGpuLine(line)).toEqual(reading);
  });
});

describe('watchGpus', () => {
  it('asks for the GPUs of the job, in one process', () => {
    const asked: string[][] = [];
    watchGpus(['0', '2'], 30_000, (program, args) => {
      asked.push([program, ...args]);
      return spawn('/bin/true', { stdio: ['ignore', 'pipe', 'ignore'] });
    });
    expect(asked).toEqual([
      [
        'nvidia-smi',
        '--id=0,2',
        '--query-gpu=index,utilization.gpu,memory.used',
        '--format=csv,noheader,nounits',
        '--loop=30',
      ],
    ]);
  });

  it('starts nothing for a job without GPUs', () => {
    const watch = watchGpus([], 10_000, () => {
      throw new Error('started');
    });
    expect(watch).toMatchObject({ isStarting: false, readings: new Map() });
  });

  it('has the newest answer, until the program ends', async () => {
    const { watch, child } = watchScript("printf '0, 5, 10\\n1, 6, 20\\n0, 50, 10\\n'; exec sleep 100");
    expect(watch.isStarting).toBe(true);
    await until(() => watch.readings.get(0)?.percent === 50);
    expect(watch.isStarting).toBe(false);
    expect(watch.readings.get(1)).toEqual({ percent: 6, memoryBytes: 20 * 2 ** 20 });
    watch.close();
    await once(child, 'exit');
    expect(watch.readings.size).toBe(0);
  });

  it('has no answer where there is no driver, or no program', async () => {
    const { watch } = watchScript('echo "NVIDIA-SMI has failed"; exit 9');
    await until(() => !watch.isStarting);
    expect(watch.readings.size).toBe(0);
    const missing = watchGpus('all', 10_000, () => spawn('/nowhere/nvidia-smi'));
    await until(() => !missing.isStarting);
    missing.close();
    expect(missing.readings.size).toBe(0);
  });
});
