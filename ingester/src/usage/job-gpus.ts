import type { CgroupFolders } from './cgroup-usage.js';
import type { GpuReading, GpuWatch } from './gpu-watch.js';
import type { SystemFiles } from './system-files.js';

/** The folders that slurmd makes in that of a job: its steps, their tasks. */
const BELOW_JOB = /^(step_|task_|user$)/;
/** All processes of a step have its environment; a job may have very many processes. */
const MAX_PROCESSES = 32;
/** Slurm's own numbers of the job's GPUs on this node, in batch scripts and in steps (sbatch(1), srun(1)). */
const GPU_VARIABLE = /^SLURM_(?:JOB|STEP)_GPUS=([\d,-]+)$/;

/**
 * The numbers of a job's GPUs on this node, as its processes have them from Slurm; none if they have none. In a cgroup
 * that constrains devices, CUDA_VISIBLE_DEVICES counts from 0 in each job, so it does not name them.
 */
export function findJobGpus(files: SystemFiles, folders: CgroupFolders): ReadonlySet<number> {
  const folder = folders.version === 2 ? folders.folder : (folders.cpuacct ?? folders.memory);
  if (folder === undefined) return new Set();
  const variables = listProcesses(files, folder).flatMap((pid) =>
    (files.read(`/proc/${pid}/environ`) ?? '').split('\0')
  );
  return new Set(variables.flatMap((variable) => parseNumbers(GPU_VARIABLE.exec(variable)?.[1] ?? '')));
}

function listProcesses(files: SystemFiles, folder: string): readonly string[] {
  const own = (files.read(`${folder}/cgroup.procs`) ?? '').split('\n').filter((pid) => pid !== '');
  const below = files.list(folder).filter((name) => BELOW_JOB.test(name));
  return [...own, ...below.flatMap((name) => listProcesses(files, `${folder}/${name}`))].slice(0, MAX_PROCESSES);
}

/** `0,2-3` as 0, 2 and 3. */
function parseNumbers(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [, first = '', last = first] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(part) ?? [];
    if (first === '') return [];
    return Array.from({ length: Math.max(0, Number(last) - Number(first) + 1) }, (_, i) => Number(first) + i);
  });
}

/**
 * The part of a node's GPUs that a job has. `findGpus` is called late, at the first row: a cgroup is there before the
 * processes of its job are. `watchNode` is called for jobs that have GPUs only.
 */
export function createJobGpus(findGpus: () => ReadonlySet<number>, watchNode: () => GpuWatch): GpuWatch {
  let found: ReadonlySet<number> | undefined;
  const find = (): ReadonlySet<number> => (found ??= findGpus());
  return {
    get isStarting() {
      return find().size > 0 && watchNode().isStarting;
    },
    get readings(): ReadonlyMap<number, GpuReading> {
      const gpus = find();
      if (gpus.size === 0) return new Map();
      return new Map([...watchNode().readings].filter(([index]) => gpus.has(index)));
    },
    close: () => undefined,
  };
}
