import { attempt, rethrow } from './attempt.js';
import { err, ok, type Result } from '@joblens/core/result/result';
import * as z from 'zod';
import { toPathText } from '../../host/path-bytes.js';
import { defaultOutputPattern, expandOutputPath } from './output-paths.js';
import { isEnded, readState, type SlurmJob, toShellExitCode } from './slurm-job.js';
import { QueueRecords } from './queue-records.js';
import { readGpus } from './tres.js';

/** A number: plain until Slurm 23.02, then an object. An unset or infinite one becomes none. */
const NUMBER = z
  .union([
    z.number(),
    z.object({ set: z.boolean().default(true), infinite: z.boolean().default(false), number: z.number().default(0) }),
  ])
  .nullish()
  .transform((value) => {
    if (typeof value === 'number') return value;
    return value?.set === true && !value.infinite ? value.number : undefined;
  });

/** Slurm's NO_VAL, and INFINITE above it (slurm.h). */
const NO_LIMIT = 0xfffffffe;

const COUNT = NUMBER.transform((value) => value ?? 0);
const TEXT = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const WORDS = z.union([z.string().transform((word) => [word]), z.array(z.string())]);

/** Slurm until 23.02 gives the status of wait(2), later its parts. */
const EXIT_CODE = z
  .union([
    z.object({ return_code: COUNT, signal: z.object({ id: COUNT }).partial().nullish() }).partial(),
    NUMBER.transform((status) => ({
      return_code: (status ?? 0) >> 8,
      signal: { id: (status ?? 0) & 0x7f },
    })),
  ])
  .transform(({ return_code: code, signal }) => toShellExitCode(code ?? 0, signal?.id ?? 0));

/** The fields that are read, of about a hundred more. */
const JOB = z.object({
  job_id: z.number(),
  array_job_id: COUNT,
  array_task_id: NUMBER,
  /** Array tasks that wait together. */
  array_task_string: TEXT,
  het_job_id: COUNT,
  het_job_offset: COUNT,
  restart_cnt: COUNT,
  user_id: z.number(),
  user_name: TEXT,
  name: TEXT,
  partition: TEXT,
  account: TEXT,
  job_state: WORDS,
  state_reason: TEXT,
  nodes: TEXT,
  node_count: COUNT,
  batch_host: TEXT,
  batch_flag: z.boolean().nullish(),
  current_working_directory: TEXT,
  command: TEXT,
  submit_time: COUNT,
  start_time: COUNT,
  end_time: COUNT,
  suspend_time: COUNT,
  /** In minutes. */
  time_limit: NUMBER,
  /** In MB. */
  memory_per_node: NUMBER,
  memory_per_cpu: NUMBER,
  cpus: NUMBER,
  /** What it asked for: `cpu=4,mem=8G,node=1,billing=4,gres/gpu=2`. */
  tres_req_str: TEXT,
  exit_code: EXIT_CODE,
  standard_output: TEXT,
  standard_error: TEXT,
  /** Slurm 24.05 and later. */
  stdout_expanded: TEXT,
  stderr_expanded: TEXT,
});
type QueueJob = z.output<typeof JOB>;

const FAULT = z.object({ description: TEXT, error: TEXT, source: TEXT });
const QUEUE = z.object({ jobs: z.array(z.unknown()), errors: z.array(FAULT).nullish() });

/** The jobs of `squeue --json`, and the number of entries that could not be understood. */
export interface Queue {
  readonly jobs: readonly SlurmJob[];
  /** The output paths of array tasks that wait together, except those that differ from task to task. */
  readonly waitingPaths: readonly string[];
  readonly unreadable: number;
}

/** An entry of the list: its fields, unless it cannot be read, and the job once it is made of them. */
interface QueueEntry {
  readonly fields: QueueJob | undefined;
  job?: SlurmJob | undefined;
}

/**
 * Reads answers of `squeue --json` of Slurm 21.08 and later, one after the other; a job of which nothing has changed
 * since the answer before stays the same object. Leaves out array tasks that wait together: each gets an entry of its
 * own before it starts. The parts of a heterogeneous job are one job, with the nodes of all, named after the first
 * part, which runs the script.
 */
export class QueueReader {
  readonly #records = new QueueRecords<QueueEntry>('jobs', (text) => createEntry(JSON.parse(text)));

  /** `onFault` is told of a job that this program cannot read; it is left out. */
  read(bytes: Buffer, onFault: (error: unknown) => void = rethrow): Result<Queue, string> {
    try {
      const answer = this.#records.read(bytes);
      const frame = QUEUE.safeParse(JSON.parse(answer === undefined ? toPathText(bytes) : answer.frame));
      if (!frame.success) return err('the answer of squeue --json has no list of jobs');
      // Without slurmctld squeue succeeds, with an empty list and its errors.
      const fault = frame.data.errors?.[0];
      if (fault !== undefined) return err([fault.description, fault.error, fault.source].filter(Boolean).join(': '));
      return ok(toQueue(answer?.values ?? frame.data.jobs.map(createEntry), onFault));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return err('the answer of squeue --json is not JSON; Slurm 21.08 or later is needed');
    }
  }
}

/** Reads one answer. */
export function parseQueue(text: string): Result<Queue, string> {
  return new QueueReader().read(Buffer.from(text));
}

function createEntry(value: unknown): QueueEntry {
  return { fields: JOB.safeParse(value).data };
}

function toQueue(all: readonly QueueEntry[], onFault: (error: unknown) => void): Queue {
  const waitingPaths = all.flatMap(({ fields }) =>
    fields === undefined || fields.array_task_string === '' ? [] : (attempt(() => listPaths(fields), onFault) ?? [])
  );
  const unreadable = all.filter(({ fields }) => fields === undefined).length;
  return { jobs: joinParts(all, onFault), waitingPaths, unreadable };
}

function joinParts(all: readonly QueueEntry[], onFault: (error: unknown) => void): SlurmJob[] {
  const partNodes = new Map<number, number>();
  for (const { fields } of all) {
    if (fields === undefined || fields.array_task_string !== '' || fields.het_job_id === 0) continue;
    partNodes.set(fields.het_job_id, (partNodes.get(fields.het_job_id) ?? 0) + fields.node_count);
  }
  return all.flatMap((entry) => {
    const { fields } = entry;
    if (fields === undefined || fields.array_task_string !== '' || fields.het_job_offset !== 0) return [];
    const job = (entry.job ??= attempt(() => toSlurmJob(fields), onFault));
    if (job === undefined) return [];
    const nodes = partNodes.get(fields.het_job_id);
    return [nodes === undefined ? job : { ...job, nodes }];
  });
}

function toSlurmJob(job: QueueJob): SlurmJob {
  const { state, isCompleting } = readState(job.job_state);
  const array = readArray(job);
  // A waiting job has its expected times there. A job cancelled while it waited has no nodes.
  const hasStarted = state !== 'PENDING' && (!isEnded(state) || job.nodes !== '') && job.start_time > 0;
  return {
    rawId: job.job_id,
    id: array === undefined ? String(job.job_id) : `${array.id}_${array.task}`,
    restarts: job.restart_cnt,
    uid: job.user_id,
    user: job.user_name || String(job.user_id),
    name: job.name,
    partition: job.partition,
    ...(job.account !== '' && { account: job.account }),
    state,
    isCompleting,
    reason: job.state_reason === 'None' ? '' : job.state_reason,
    nodeList: job.nodes,
    nodes: job.node_count,
    host: job.batch_host,
    workdir: job.current_working_directory,
    command: job.command,
    submittedMs: job.submit_time * 1000,
    ...(hasStarted && { startedMs: job.start_time * 1000 }),
    ...(isEnded(state) && { endedMs: job.end_time * 1000 }),
    ...(isEnded(state) && job.exit_code !== undefined && { exitCode: job.exit_code }),
    ...readLimits(job),
    ...(job.suspend_time > 0 && { suspendedMs: job.suspend_time * 1000 }),
    ...readPaths(job, array),
  };
}

/** Older versions write a number beyond all limits for none. */
function readLimits(job: QueueJob): Partial<SlurmJob> {
  const { time_limit: minutes, memory_per_node: perNode, memory_per_cpu: perCpu, cpus, node_count: nodes } = job;
  const isSet = (value: number | undefined): value is number => value !== undefined && value > 0 && value < NO_LIMIT;
  // Memory for each processor comes without memory for each node.
  const ofCpus = isSet(perCpu) && isSet(cpus) && nodes > 0 ? (perCpu * cpus) / nodes : undefined;
  const megabytes = isSet(perNode) ? perNode : ofCpus;
  const gpus = readGpus(job.tres_req_str);
  return {
    ...(isSet(minutes) && { timeLimitMs: minutes * 60_000 }),
    ...(isSet(megabytes) && { requestedBytes: megabytes * 2 ** 20 }),
    ...(isSet(cpus) && { requestedCpus: cpus }),
    ...(gpus > 0 && { requestedGpus: gpus }),
  };
}

function readArray(job: QueueJob): { readonly id: number; readonly task: number } | undefined {
  const { array_job_id: id, array_task_id: task } = job;
  return id === 0 || task === undefined ? undefined : { id, task };
}

function listPaths(job: QueueJob): string[] {
  const { stdoutPaths, stderrPaths } = readPaths(job, undefined);
  return [...stdoutPaths, ...stderrPaths];
}

function readPaths(
  job: QueueJob,
  array: ReturnType<typeof readArray>
): Pick<SlurmJob, 'stdoutPaths' | 'stderrPaths' | 'isMerged'> {
  // Without a script the output goes to the terminal of srun or salloc.
  if (job.batch_flag === false) return { stdoutPaths: [], stderrPaths: [] };
  const values = {
    rawId: job.job_id,
    ...(array && { array }),
    user: job.user_name,
    name: job.name,
    host: job.batch_host,
    workdir: job.current_working_directory,
  };
  const expand = (expanded: string, pattern: string): string[] =>
    expanded === '' ? expandOutputPath(pattern, values) : [expanded].filter((path) => path !== '/dev/null');
  const outPattern = job.standard_output || defaultOutputPattern(array !== undefined);
  const stdoutPaths = expand(job.stdout_expanded, outPattern);
  // Without a path of its own, stderr goes with stdout.
  const stderrPaths = job.standard_error === '' ? [] : expand(job.stderr_expanded, job.standard_error);
  const isMerged = job.standard_error === '' || stderrPaths.some((path) => stdoutPaths.includes(path));
  return {
    ...{ stdoutPaths, stderrPaths: stderrPaths.filter((path) => !stdoutPaths.includes(path)) },
    ...(isMerged && { isMerged }),
  };
}
