import { type CgroupFolders, createCgroupUsage } from './cgroup-usage.js';
import { findContainerCgroup, findSlurmCgroup } from './find-cgroup.js';
import { createFakeFiles, createVersion1, createVersion2, type FakeFiles } from './testing/fake-files.js';
import type { UsageReading } from './usage-source.js';

function readAt(files: FakeFiles, folders: CgroupFolders | undefined): UsageReading | undefined {
  return folders && createCgroupUsage(files, folders).read();
}

describe('a cgroup of version 2', () => {
  const folder = '/sys/fs/cgroup/system.slice/slurmstepd.scope/job_12';

  it('tells CPU time, memory without the pages of files, and I/O of all devices', () => {
    expect(readAt(createFakeFiles(createVersion2(folder)), { version: 2, folder })).toEqual({
      cpuSeconds: 12.345678,
      memoryBytes: 650_000_000,
      readBytes: 1_459_200 + 90_430_464,
      writtenBytes: 314_773_504 + 299_008_000,
    });
  });

  it('leaves out what its controllers do not count', () => {
    const files = createFakeFiles({ [`${folder}/cpu.stat`]: 'usage_usec 5000000\n' });
    expect(readAt(files, { version: 2, folder })).toEqual({ cpuSeconds: 5 });
  });

  it('knows of no I/O before the first one', () => {
    const files = createFakeFiles(createVersion2(folder), { [`${folder}/io.stat`]: '' });
    expect(readAt(files, { version: 2, folder })).toMatchObject({ readBytes: 0, writtenBytes: 0 });
  });

  it('tells nothing once it is gone', () => {
    expect(readAt(createFakeFiles(), { version: 2, folder })).toEqual({});
  });
});

describe('a cgroup of version 1', () => {
  it('tells the same, with all cgroups below it', () => {
    const files = createFakeFiles(createVersion1('slurm/uid_1000/job_12'));
    expect(readAt(files, findSlurmCgroup(files, '12'))).toEqual({
      cpuSeconds: 55495.794514432,
      memoryBytes: 2_682_335_232 - 841_818_112 - 1_040_424_960,
      readBytes: 5096,
      writtenBytes: 8192,
    });
  });

  it('has no I/O where Slurm does not use that controller', () => {
    const files = createFakeFiles(createVersion1('slurm/uid_1000/job_12'));
    for (const path of files.texts.keys()) if (path.includes('/blkio/')) files.texts.delete(path);
    expect(readAt(files, findSlurmCgroup(files, '12'))).toEqual({
      cpuSeconds: 55495.794514432,
      memoryBytes: 800_092_160,
    });
  });
});

describe("the cgroup of Slurm's job", () => {
  const scope = '/sys/fs/cgroup/system.slice/slurmstepd.scope';

  it.each([
    ['one slurmd', scope],
    ['several slurmd on a machine', '/sys/fs/cgroup/system.slice/node-1_slurmstepd.scope'],
  ])('is below the scope of slurmstepd (%s)', (_title, folder) => {
    const files = createFakeFiles(createVersion2(`${folder}/job_12`), createVersion2(`${folder}/system`));
    expect(findSlurmCgroup(files, '12')).toEqual({ version: 2, folder: `${folder}/job_12` });
  });

  it('is below its user, in version 1', () => {
    const ours = createVersion1('slurm_node-1/uid_1000/job_12');
    const files = createFakeFiles(createVersion1('slurm_node-1/uid_7/job_9'), ours, createVersion1('user.slice'));
    expect(findSlurmCgroup(files, '12')).toEqual({
      version: 1,
      cpuacct: '/sys/fs/cgroup/cpuacct/slurm_node-1/uid_1000/job_12',
      memory: '/sys/fs/cgroup/memory/slurm_node-1/uid_1000/job_12',
      blkio: '/sys/fs/cgroup/blkio/slurm_node-1/uid_1000/job_12',
    });
  });

  it.each(['1', '123', '', '../system', 'job_12'])('is not that of another job: %p', (rawId) => {
    const files = createFakeFiles(createVersion2(`${scope}/job_12`), createVersion1('slurm/uid_1000/job_12'));
    expect(findSlurmCgroup(files, rawId)).toBeUndefined();
  });
});

describe('the cgroup of a container', () => {
  it('is the root, as the container sees it', () => {
    expect(findContainerCgroup(createFakeFiles(createVersion2('/sys/fs/cgroup')))).toEqual({
      version: 2,
      folder: '/sys/fs/cgroup',
    });
    const files = createFakeFiles({
      '/sys/fs/cgroup/memory/memory.usage_in_bytes': '5\n',
      '/sys/fs/cgroup/cpuacct/cpuacct.usage': '2000000000\n',
    });
    expect(readAt(files, findContainerCgroup(files))).toEqual({ cpuSeconds: 2, memoryBytes: 5 });
  });

  it('is not the root of a machine, which has no memory of its own', () => {
    expect(findContainerCgroup(createFakeFiles({ '/sys/fs/cgroup/cpu.stat': 'usage_usec 1\n' }))).toBeUndefined();
  });
});
