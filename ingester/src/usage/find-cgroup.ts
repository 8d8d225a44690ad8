import type { CgroupFolders } from './cgroup-usage.js';
import type { SystemFiles } from './system-files.js';

const ROOT = '/sys/fs/cgroup';

/**
 * The cgroup that Slurm made for a job on this node; undefined where it makes none (ProctrackType, JobAcctGatherType).
 * `rawId` is Slurm's own number of the job. The folders are those of slurmd's cgroup/v2 plugin (system.slice, and the
 * name of the node in front where several slurmd run) and of cgroup/v1 (a folder for each user).
 */
export function findSlurmCgroup(files: SystemFiles, rawId: string): CgroupFolders | undefined {
  if (!/^\d+$/.test(rawId)) return undefined;
  const slice = `${ROOT}/system.slice`;
  const folder = findBelow(files, slice, /(^|_)slurmstepd\.scope$/, (scope) => `${scope}/job_${rawId}`);
  if (folder !== undefined) return { version: 2, folder };
  const [cpuacct, memory, blkio] = ['cpuacct', 'memory', 'blkio'].map((controller) =>
    findBelow(files, `${ROOT}/${controller}`, /^slurm/, (slurm) =>
      findBelow(files, slurm, /^uid_\d+$/, (user) => `${user}/job_${rawId}`)
    )
  );
  return cpuacct === undefined && memory === undefined ? undefined : { version: 1, cpuacct, memory, blkio };
}

/** The cgroup of the container that this process runs in: a container sees its own one as the root. */
export function findContainerCgroup(files: SystemFiles): CgroupFolders | undefined {
  // The root of a whole machine has no such file.
  if (files.read(`${ROOT}/memory.current`) !== undefined) return { version: 2, folder: ROOT };
  const [cpuacct, memory, blkio] = ['cpuacct', 'memory', 'blkio'].map((controller) => `${ROOT}/${controller}`);
  if (files.read(`${memory}/memory.usage_in_bytes`) === undefined) return undefined;
  return { version: 1, cpuacct, memory, blkio };
}

/** The first folder with files that `toPath` gives for a folder of this name. */
function findBelow(
  files: SystemFiles,
  folder: string,
  name: RegExp,
  toPath: (path: string) => string | undefined
): string | undefined {
  for (const entry of files.list(folder)) {
    const path = name.test(entry) ? toPath(`${folder}/${entry}`) : undefined;
    if (path !== undefined && files.list(path).length > 0) return path;
  }
  return undefined;
}
