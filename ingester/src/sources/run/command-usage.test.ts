import { createFakeClock } from '../../testing/fake-clock.js';
import { createPipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { readMetadata } from '../../testing/stored-points.js';
import { createFakeFiles, createVersion1, createVersion2, type FakeFiles } from '../../usage/testing/fake-files.js';
import type { LogMode } from '../../rules/options/log-modes.js';
import { startCommandUsage } from './command-usage.js';

const SLURM = '/sys/fs/cgroup/system.slice/slurmstepd.scope/job_12';
const KEYS = ['age_s', 'cpu_cores', 'io_read_bytes_per_s', 'io_write_bytes_per_s', 'memory_bytes'];

async function sample(
  files: FakeFiles,
  environment: Record<string, string>,
  { mode = 'enabled', meanwhile = () => undefined }: { mode?: LogMode; meanwhile?: () => void } = {}
): Promise<{ test: ReturnType<typeof createPipelineUnderTest>; warned: string[] }> {
  const clock = createFakeClock();
  const test = createPipelineUnderTest({ clock, config: { mode } });
  const warned: string[] = [];
  const report = { error: fail, info: fail, debug: () => undefined, warn: (text: string) => void warned.push(text) };
  const host = { clock, environment: { CUDA_VISIBLE_DEVICES: '', ...environment } };
  const usage = startCommandUsage(test.pipeline, 10, {
    ...{ host, report, files, intervalMs: 10_000, startedMs: clock.nowMs() },
  });
  await clock.advance(1000);
  meanwhile();
  await clock.advance(10_000);
  await usage.end();
  test.end();
  return { test, warned };
}

function fail(): never {
  throw new Error('not expected');
}

function rowsOf(test: ReturnType<typeof createPipelineUnderTest>): unknown[] {
  return readMetadata(test.stored());
}

describe('startCommandUsage', () => {
  it("adds rows of the table `system` from the cgroup of Slurm's job", async () => {
    const files = createFakeFiles(createVersion2(SLURM));
    const { test } = await sample(
      files,
      { SLURM_JOB_ID: '12' },
      {
        meanwhile: () => files.texts.set(`${SLURM}/cpu.stat`, 'usage_usec 42345678\n'),
      }
    );
    const points = test.stored().filter(({ measurement }) => measurement === 'job_metadata');
    expect(points.map(({ fields }) => Object.fromEntries(fields))).toEqual([
      {
        'system.age_s': 1,
        'system.cpu_cores': 0,
        'system.memory_bytes': 650_000_000,
        'system.io_read_bytes_per_s': 0,
        'system.io_write_bytes_per_s': 0,
      },
      expect.objectContaining({ 'system.age_s': 11, 'system.cpu_cores': 3 }),
    ]);
    expect(points[0]?.tags.get('series')).toBe(KEYS.map((key) => `system.${key}`).join(','));
    const series = test.stored().find(({ measurement }) => measurement === 'job_series');
    expect(series?.fields.get('x')).toBe('system.age_s');
    expect(series?.fields.get('rows')).toBe(2);
    expect(test.stored().filter(({ measurement }) => measurement === 'job_log')).toEqual([]);
  });

  it('reads version 1, and the cgroup of a pod', async () => {
    const slurm = await sample(createFakeFiles(createVersion1('slurm/uid_1000/job_12')), { SLURM_JOB_ID: '12' });
    expect(rowsOf(slurm.test)).toHaveLength(2);
    const pod = await sample(createFakeFiles(createVersion2('/sys/fs/cgroup')), {
      KUBERNETES_SERVICE_HOST: '10.0.0.1',
    });
    expect(rowsOf(pod.test)).toHaveLength(2);
  });

  it('reads the processes of the command where no cgroup is known to be its own', async () => {
    const files = createFakeFiles(createVersion2('/sys/fs/cgroup'), createVersion2(SLURM), {
      '/proc/10/stat': '10 (sh) S 1 10 10 0 -1 0 0 0 0 0 250 0 0 0 20 0 1 0 99 1 1',
      '/proc/10/status': 'VmRSS:\t1024 kB\n',
    });
    const { test } = await sample(
      files,
      {},
      { meanwhile: () => files.texts.set('/proc/10/status', 'VmRSS:\t2048 kB\n') }
    );
    const points = test.stored().filter(({ measurement }) => measurement === 'job_metadata');
    expect(points.map(({ fields }) => fields.get('system.memory_bytes'))).toEqual([2 ** 20, 2 ** 21]);
  });

  it('lets the first task of a node speak for the cgroup', async () => {
    const files = createFakeFiles(createVersion2(SLURM));
    const { test } = await sample(files, { SLURM_JOB_ID: '12', SLURM_LOCALID: '1' });
    expect(rowsOf(test)).toEqual([]);
  });

  it.each<[LogMode, number]>([
    ['enabled', 2],
    ['metadata', 2],
    ['disabled', 0],
  ])('in mode %s stores %d rows', async (mode, rows) => {
    const { test } = await sample(createFakeFiles(createVersion2(SLURM)), { SLURM_JOB_ID: '12' }, { mode });
    expect(rowsOf(test)).toHaveLength(rows);
    if (rows === 0) expect(test.text()).not.toContain('system');
  });

  it('says once what ends it', async () => {
    const files = createFakeFiles(createVersion2(SLURM));
    const meanwhile = (): void => {
      files.read = () => {
        throw new Error('EIO');
      };
    };
    const { test, warned } = await sample(files, { SLURM_JOB_ID: '12' }, { meanwhile });
    expect(rowsOf(test)).toHaveLength(1);
    expect(warned).toEqual(['--metrics: EIO']);
    const lines = test.stored().flatMap(({ fields }) => fields.get('line') ?? []);
    expect(lines).toEqual(['(joblens: the metrics of the job end here: EIO)']);
  });
});
