import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type GpuSelection, type GpuWatch, parseGpuLine, selectGpus, watchGpus } from './gpu-watch.js';

/** With an interval of 10 s. */
const SILENT_MS = 90_000;

/** Time passes only as the test says. */
class Pauses {
  readonly asked: number[] = [];
  /** Without the looks whether it hangs, while it runs. */
  get retries(): number[] {
    return this.asked.filter((ms) => ms !== SILENT_MS);
  }
  #wake: Array<() => void> = [];
  readonly clock = {
    sleep: (ms: number, signal?: AbortSignal): Promise<void> => {
      this.asked.push(ms);
      return new Promise((resolve) => {
        this.#wake.push(resolve);
        signal?.addEventListener('abort', () => resolve());
      });
    },
  };
  end(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

const clock = new Pauses().clock;
const silent = { info: () => undefined, warn: () => undefined, debug: () => undefined };

/** Runs a shell script in place of nvidia-smi. */
function watchScript(script: string, selection: GpuSelection = 'all'): { watch: GpuWatch; child: ChildProcess } {
  let child: ChildProcess | undefined;
  const start = (): ChildProcess => {
    child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    return child;
  };
  const watch = watchGpus({ selection, intervalMs: 10_000, clock, report: silent, start });
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
    const start = (program: string, args: readonly string[]): ChildProcess => {
      asked.push([program, ...args]);
      return spawn('/bin/true', { stdio: ['ignore', 'pipe', 'ignore'] });
    };
    watchGpus({ selection: ['0', '2'], intervalMs: 30_000, clock, report: silent, start }).close();
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
    const start = (): ChildProcess => {
      throw new Error('started');
    };
    const watch = watchGpus({ selection: [], intervalMs: 10_000, clock, report: silent, start });
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
    const missing = watchGpus({
      ...{ selection: 'all', intervalMs: 10_000, clock, report: silent },
      start: () => spawn('/nowhere/nvidia-smi'),
    });
    await until(() => !missing.isStarting);
    missing.close();
    expect(missing.readings.size).toBe(0);
  });

  it('starts the program again, ever later, says so once, and says when it is back', async () => {
    const said: string[] = [];
    const say = (message: string): void => void said.push(message);
    const pauses = new Pauses();
    const scripts = ["echo '0, 5, 10'; exit 0", 'kill -9 $$', 'exit 9', 'exit 9', "echo '0, 7, 10'; exec sleep 100"];
    const start = (): ChildProcess => {
      const script = scripts.shift() ?? 'exit 1';
      return spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    };
    const report = { info: say, warn: say, debug: say };
    const watch = watchGpus({ selection: 'all', intervalMs: 10_000, clock: pauses.clock, report, start });
    for (let ends = 1; ends < 5; ends += 1) {
      await until(() => pauses.retries.length === ends);
      expect(watch.readings.size).toBe(0);
      pauses.end();
    }
    await until(() => watch.readings.get(0)?.percent === 7);
    watch.close();
    expect(pauses.retries).toEqual([10_000, 20_000, 40_000, 80_000]);
    expect(said).toEqual([
      expect.stringMatching(/^nvidia-smi has ended \(exit code 0\): .* started again$/),
      'nvidia-smi answers again',
    ]);
  });

  it.each([
    ['after answers', "echo '0, 5, 10'; exec sleep 100", 1],
    ['and ignores signals', "trap '' TERM; echo '0, 5, 10'; while :; do sleep 100; done", 1],
    ['from the start', 'exec sleep 100', 0],
  ])('ends the program that hangs %s, forgets what it said, and starts it again', async (_when, script, warnings) => {
    const said: string[] = [];
    const pauses = new Pauses();
    const scripts = [script, 'i=0; while :; do i=$((i + 1)); echo "0, $i, 10"; sleep 0.01; done'];
    const start = (): ChildProcess =>
      spawn('/bin/sh', ['-c', scripts.shift() ?? 'exit 1'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const report = { ...silent, warn: (message: string) => void said.push(message) };
    const watch = watchGpus({ selection: 'all', intervalMs: 10_000, clock: pauses.clock, report, start });
    if (warnings > 0) await until(() => watch.readings.size > 0);
    // Time goes by until it has ended, and once more until it is started again.
    await until(() => {
      if (pauses.retries.length === 0) pauses.end();
      return pauses.retries.length > 0;
    });
    expect([watch.readings.size, watch.isStarting, said.length]).toEqual([0, false, warnings]);
    pauses.end();
    const percent = (): number | undefined => watch.readings.get(0)?.percent;
    await until(() => percent() !== undefined);
    for (let i = 0; i < 5; i += 1) {
      // It goes on to answer, so it does not hang.
      await until(() => pauses.asked.at(-1) === SILENT_MS);
      const [{ length }, before] = [pauses.asked, percent()];
      await until(() => percent() !== before);
      pauses.end();
      await until(() => pauses.asked.length > length);
    }
    expect(pauses.retries).toEqual([10_000]);
    watch.close();
  });

  it.each([
    ['there is no program', '/nowhere/nvidia-smi', 0],
    ['there is no driver', '/bin/false', 3],
  ])('where %s, says nothing to a user', async (_title, program, tries) => {
    const said: string[] = [];
    const pauses = new Pauses();
    const say = (message: string): void => void said.push(message);
    let ended = 0;
    const start = (): ChildProcess =>
      spawn(program)
        .once('close', () => (ended += 1))
        .once('error', () => (ended += 1));
    const report = { ...silent, info: say, warn: say };
    const watch = watchGpus({ selection: 'all', intervalMs: 10_000, clock: pauses.clock, report, start });
    await until(() => ended > 0);
    for (let i = 1; i <= tries; i += 1) {
      await until(() => pauses.retries.length === i);
      pauses.end();
    }
    watch.close();
    expect([said, watch.isStarting, pauses.retries.length >= tries]).toEqual([[], false, true]);
  });
});
