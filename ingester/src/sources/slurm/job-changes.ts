import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import type { JobDescription } from '@joblens/core/schema/job-point';
import type { EndFacts } from '../../rules/signals/job-signals.js';
import type { StateChange } from '../../rules/told/transition-log.js';
import { isEnded, type SlurmJob, type SlurmState } from './slurm-job.js';

/** One change of a job's state, and the facts about the job from then on. */
interface JobChange {
  readonly timeNs: bigint;
  readonly change: StateChange;
  readonly description: JobDescription;
  /** What else is known about the end of the job, if this is it. */
  readonly end?: EndFacts;
}

/**
 * The place of a change within its second, in ns. Slurm knows only seconds, so changes in one second are told apart by
 * their kind. Whoever reports a change (squeue, sacct, or a restarted daemon) writes the same point, so it exists only
 * once.
 */
const ORDINAL = { pending: 1, running: 2, suspended: 3, resumed: 4, ended: 8, requeued: 9 } as const;
/** Later attempts come after the first, which may have ended in the same second. */
const LATER_ATTEMPT = 16;

/** The active state of a job before its end, if known. */
export type ActiveState = 'RUNNING' | 'SUSPENDED';

/**
 * Lists all changes that one look at a job shows, oldest first: its submission or return to the queue, its start, its
 * last suspension or resumption, its end. `lastActive`: the last state seen before its end.
 */
export function listChanges(job: SlurmJob, lastActive: ActiveState = 'RUNNING'): JobChange[] {
  const changes = [...listBeginning(job, lastActive), ...listCourse(job)];
  const { endedMs, state } = job;
  if (endedMs !== undefined && (isEnded(state) || state === 'REQUEUED')) {
    const from = job.startedMs === undefined ? 'PENDING' : lastActive;
    changes.push(createChange(job, from, state, endedMs, state === 'REQUEUED' ? 'requeued' : 'ended'));
  }
  return changes;
}

function listBeginning(job: SlurmJob, lastActive: ActiveState): JobChange[] {
  const { submittedMs, restarts } = job;
  if (restarts === 0) return [createChange(job, undefined, 'PENDING', submittedMs, 'pending')];
  // Slurm resets the time of submission when it requeues a job.
  const before = { ...job, restarts: restarts - 1, reason: '' };
  return [
    createChange(before, lastActive, 'REQUEUED', submittedMs, 'requeued'),
    createChange(job, 'REQUEUED', 'PENDING', submittedMs, 'pending'),
  ];
}

function listCourse(job: SlurmJob): JobChange[] {
  const { startedMs, suspendedMs, state } = job;
  if (startedMs === undefined) return [];
  const changes = [createChange(job, 'PENDING', 'RUNNING', startedMs, 'running')];
  if (suspendedMs !== undefined && suspendedMs >= startedMs) {
    if (state === 'SUSPENDED') changes.push(createChange(job, 'RUNNING', 'SUSPENDED', suspendedMs, 'suspended'));
    if (state === 'RUNNING') changes.push(createChange(job, 'SUSPENDED', 'RUNNING', suspendedMs, 'resumed'));
  }
  return changes;
}

function createChange(
  job: SlurmJob,
  fromState: SlurmState | undefined,
  toState: SlurmState,
  atMs: number,
  kind: keyof typeof ORDINAL
): JobChange {
  const ordinal = ORDINAL[kind] + (job.restarts > 0 ? LATER_ATTEMPT : 0);
  const { nodes, exitCode, reason } = job;
  const isEnd = kind === 'ended';
  return {
    timeNs: BigInt(atMs) * NS_PER_MS + BigInt(ordinal),
    change: {
      origin: 'slurm',
      ...(fromState !== undefined && { fromState }),
      toState,
      data: {
        nodes,
        ...(isEnd && exitCode !== undefined && { exit_code: exitCode }),
        ...(isEnd && reason !== '' && { reason }),
      },
    },
    description: { state: toState, ...describeAt(job, kind) },
    ...(isEnd && { end: findEndFacts(job) }),
  };
}

function findEndFacts({ nodes, nodeList, timeLimitMs, requestedBytes }: SlurmJob): EndFacts {
  return { timeLimitMs, requestedBytes, ...(nodes === 1 && { node: nodeList }) };
}

/** The facts in a change besides the state. */
function describeAt(job: SlurmJob, kind: keyof typeof ORDINAL): JobDescription {
  const { submittedMs, startedMs, endedMs, exitCode } = job;
  switch (kind) {
    case 'pending':
      return { ...describeJob(job), submittedMs };
    case 'running':
      return {
        ...describeJob(job),
        ...(job.host === '' ? {} : { host: job.host }),
        submittedMs,
        ...(startedMs !== undefined && { startedMs }),
      };
    case 'ended':
      return { ...(exitCode !== undefined && { exitCode }), ...(endedMs !== undefined && { endedMs }) };
    default:
      return {};
  }
}

function describeJob(job: SlurmJob): JobDescription {
  const { rawId, name, command, nodes, partition, account, workdir } = job;
  const { requestedCpus, requestedGpus, requestedBytes, timeLimitMs } = job;
  return {
    name,
    nodes,
    queue: partition,
    ...(account !== undefined && { account }),
    ...(workdir === '' ? {} : { workdir }),
    ...(command === '' ? {} : { command }),
    schedulerId: String(rawId),
    ...(requestedCpus !== undefined && { requestedCpus }),
    ...(requestedGpus !== undefined && { requestedGpus }),
    ...(requestedBytes !== undefined && { requestedMemoryBytes: requestedBytes }),
    ...(timeLimitMs !== undefined && { timeLimitS: timeLimitMs / 1000 }),
  };
}
