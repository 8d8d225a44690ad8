import type { JobDescription } from '@joblens/core/schema/job-point';
import type { Environment, Machine } from '../host/host.js';

/** The job that a process belongs to, as its environment describes it. */
export interface JobIdentity {
  /** Where the answer comes from. */
  readonly from: 'slurm' | 'kubernetes' | 'shell';
  readonly job: string;
  readonly user: string;
  /** Rank or index, when the job has several writers. */
  readonly task?: string;
  readonly description: JobDescription;
}

/** The first that knows a job: Slurm, Kubernetes, else this process is the job. An empty variable counts as unset. */
export function readJobIdentity(environment: Environment, machine: Machine): JobIdentity {
  const get = (name: string): string | undefined => environment[name] || undefined;
  return readSlurm(get, machine) ?? readKubernetes(get, machine) ?? describeProcess(machine);
}

type Get = (name: string) => string | undefined;

/**
 * Slurm's job id as its users write it: `123`, and `123_4` for a task of an array (sbatch manual, OUTPUT ENVIRONMENT
 * VARIABLES).
 */
function readSlurm(get: Get, machine: Machine): JobIdentity | undefined {
  const rawId = get('SLURM_JOB_ID');
  if (rawId === undefined) return undefined;
  const [arrayId, arrayTask] = [get('SLURM_ARRAY_JOB_ID'), get('SLURM_ARRAY_TASK_ID')];
  const job = arrayId !== undefined && arrayTask !== undefined ? `${arrayId}_${arrayTask}` : rawId;
  const tasks = Number(get('SLURM_STEP_NUM_TASKS') ?? get('SLURM_NTASKS') ?? 1);
  const rank = get('SLURM_PROCID');
  return {
    from: 'slurm',
    job,
    user: get('SLURM_JOB_USER') ?? machine.userName,
    ...(tasks > 1 && rank !== undefined ? { task: rank } : {}),
    description: {
      ...optional('name', get('SLURM_JOB_NAME')),
      ...optional('queue', get('SLURM_JOB_PARTITION')),
      ...optional('account', get('SLURM_JOB_ACCOUNT')),
      ...optional('nodes', readNumber(get('SLURM_JOB_NUM_NODES'))),
      schedulerId: rawId,
      ...readRequested(get),
    },
  };
}

/**
 * What the job asked for (sbatch manual, OUTPUT ENVIRONMENT VARIABLES): processors of each node as `4(x2),2`, memory in
 * MB, times in seconds since the epoch.
 */
function readRequested(get: Get): JobDescription {
  const nodes = readNumber(get('SLURM_JOB_NUM_NODES')) ?? 1;
  const cpus = [...(get('SLURM_JOB_CPUS_PER_NODE') ?? '').matchAll(/(\d+)(?:\(x(\d+)\))?/g)].reduce(
    (sum, [, count, times = 1]) => sum + Number(count) * Number(times),
    0
  );
  const gpus = (readNumber(get('SLURM_GPUS_ON_NODE')) ?? 0) * nodes;
  const perCpu = readNumber(get('SLURM_MEM_PER_CPU'));
  const ofCpus = perCpu === undefined ? undefined : perCpu * (readNumber(get('SLURM_CPUS_ON_NODE')) ?? 0);
  const megabytes = readNumber(get('SLURM_MEM_PER_NODE')) ?? ofCpus ?? 0;
  const limitS = (readNumber(get('SLURM_JOB_END_TIME')) ?? 0) - (readNumber(get('SLURM_JOB_START_TIME')) ?? Infinity);
  return {
    ...(cpus > 0 && { requestedCpus: cpus }),
    ...(gpus > 0 && { requestedGpus: gpus }),
    // 0 means all memory of the node.
    ...(megabytes > 0 && { requestedMemoryBytes: megabytes * 2 ** 20 }),
    ...(limitS > 0 && { timeLimitS: limitS }),
  };
}

/** A pod is named after its Job: `<job>-<index>-<5 characters>` when indexed, else `<job>-<5 characters>`. */
function readKubernetes(get: Get, machine: Machine): JobIdentity | undefined {
  if (get('KUBERNETES_SERVICE_HOST') === undefined) return undefined;
  const pod = get('HOSTNAME') ?? machine.host;
  const index = get('JOB_COMPLETION_INDEX');
  const withoutSuffix = pod.replace(/-[a-z0-9]{5}$/, '');
  const job = index === undefined ? pod : withoutSuffix.replace(new RegExp(`-${index}$`), '');
  return {
    from: 'kubernetes',
    job,
    user: machine.userName,
    ...(index === undefined ? {} : { task: index }),
    description: { name: withoutSuffix },
  };
}

/** In a plain shell each process is a job of its own. */
function describeProcess({ host, userName, pid, nowMs }: Machine): JobIdentity {
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return { from: 'shell', job: `${host}-${stamp}-${pid}`, user: userName, description: {} };
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, V>>);
}
